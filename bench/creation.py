"""What a webhook adds to the creation of a pod at a real kube-apiserver (dry run), measured by turns."""

import http.client
import json
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import trustme

from bench import bodies
from bench.contenders import Contender
from bench.goals import Goal
from bench.policies import compare_policies
from bench.site import Site, by_turns, pod_of
from tests.e2e import webhooks
from tests.e2e.controlplane import ControlPlane, control_plane
from tests.e2e.processes import wait_for
from tests.e2e.programs import UnavailableError, find_programs

_GPU_ROUNDS = 400
_PLAIN_PAIRS = 2000
_MOST_GAIN_MS = 0.1
_NONE = "bench-none"


def compare_creation(servers: Sequence[Contender], folder: Path, authority: trustme.CA) -> list[Goal]:
    """Print what percard and the peer add to the creation of a pod; return the goal on pods without marks."""
    try:
        programs = find_programs()
    except UnavailableError as problem:
        print(f"creation at a real kube-apiserver: left out, {problem}")
        return []
    files = folder / "control-plane"
    files.mkdir()
    contestants = [server for server in servers if server.name in {"percard", "peer"}]
    with control_plane(programs, files, authority) as cluster, _site(cluster, contestants) as site:
        _compare_gpu_pods(site, contestants)
        goals = [_plain_goal(site)]
        # Last, as policies are matched with the requests of every namespace.
        compare_policies(site)
        return goals


@contextmanager
def _site(cluster: ControlPlane, contestants: Sequence[Contender]) -> Iterator[Site]:
    for namespace in (_NONE, *map(_namespace, contestants)):
        cluster.kubectl.succeed("create", "namespace", namespace)
        if namespace != "bench-percard":
            cluster.kubectl.succeed("label", "namespace", namespace, "percard.webhook/mode=off")
    for contender in contestants:
        for configuration in _configurations(contender):
            cluster.kubectl.succeed("create", "-f", "-", given=configuration)
    host = cluster.url.removeprefix("https://")
    connection = http.client.HTTPSConnection(host, context=ssl.create_default_context(cafile=cluster.ca_file), timeout=30)
    try:
        site = Site(cluster, connection, cluster.admin_token)
        for contender in contestants:
            _wait_for_patch(site, contender)
        yield site
    finally:
        connection.close()


def _namespace(contender: Contender) -> str:
    return f"bench-{contender.name}"


def _configurations(contender: Contender) -> list[dict[str, Any]]:
    if contender.name == "percard":
        return webhooks.shipped(contender.mutate.removesuffix("/mutate"), contender.ca_file)
    configuration = webhooks.mutating_pods(contender.name, contender.mutate, contender.ca_file)
    return [webhooks.only_in(_namespace(contender), configuration)]


def _wait_for_patch(site: Site, contender: Contender) -> None:
    """Wait until the API server has heard of the configurations."""
    kubectl, pod = site.cluster.kubectl, pod_of(bodies.patched())

    def is_patched() -> bool:
        answer = kubectl.succeed("create", "-n", _namespace(contender), "--dry-run=server", "-o", "json", "-f", "-", given=pod.decode())
        return bool(json.loads(answer.out)["spec"]["schedulerName"] == "volcano")

    wait_for(is_patched, f"the pod is not patched by {contender.name}")


def _compare_gpu_pods(site: Site, contestants: Sequence[Contender]) -> None:
    namespaces = [_NONE, *map(_namespace, contestants)]
    times = by_turns(site, namespaces, pod_of(bodies.patched()), _GPU_ROUNDS)
    base_ms = median(times[_NONE])
    print(f"\ncreation of a GPU pod at a real kube-apiserver (dry run, {_GPU_ROUNDS} by turns), median ms:")
    print(f"  without webhooks {base_ms:.2f}")
    for contender in contestants:
        taken_ms = median(times[_namespace(contender)])
        hooks = "two webhooks" if contender.name == "percard" else "one webhook"
        print(f"  {contender.name} ({hooks}) {taken_ms:.2f}, gained {taken_ms - base_ms:.2f}")


def _plain_goal(site: Site) -> Goal:
    before = _calls(site)
    times = by_turns(site, [_NONE, "bench-percard"], pod_of(bodies.unmarked()), _PLAIN_PAIRS)
    calls = _calls(site) - before
    gains = sorted(ours - none for ours, none in zip(times["bench-percard"], times[_NONE], strict=True))
    # Ranks of the order statistics that enclose the median with 95 %, by the normal approximation.
    reach = round(0.98 * len(gains) ** 0.5)
    middle = len(gains) // 2
    low, high = gains[middle - reach], gains[middle + reach]
    print(f"creation of a pod without marks, {_PLAIN_PAIRS} pairs: {calls:.0f} calls; ", end="")
    print(f"gained {median(gains):.3f} ms (95 %: {low:.3f} to {high:.3f})")
    return Goal("0.1 ms to the gain of a pod without marks", _MOST_GAIN_MS / max(median(gains), 0.001), 1)


def _calls(site: Site) -> float:
    """Return how many calls the API server counted to percard."""
    lines = site.cluster.metrics().splitlines()
    calls = [line for line in lines if line.startswith("apiserver_admission_webhook_request_total") and 'percard.webhook"' in line]
    return sum(float(line.rsplit(" ", 1)[1]) for line in calls)
