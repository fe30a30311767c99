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
from tests.e2e.controlplane import ControlPlane, control_plane
from tests.e2e.processes import wait_for
from tests.e2e.programs import UnavailableError, find_programs
from tests.e2e.webhooks import mutating_pods, only_in, shipped

_GPU_ROUNDS = 400
_PLAIN_PAIRS = 2000
_MOST_GAIN_MS = 0.1
_NONE = "bench-none"
# A namespace with a mutating and a validating webhook whose condition is never true: what any pair of webhooks costs.
_NEVER = "bench-never"


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
    for namespace in (_NONE, _NEVER, *map(_namespace, contestants)):
        cluster.kubectl.succeed("create", "namespace", namespace)
        if namespace != "bench-percard":
            cluster.kubectl.succeed("label", "namespace", namespace, "percard.webhook/mode=off")
    for contender in contestants:
        for configuration in _configurations(contender):
            cluster.kubectl.succeed("create", "-f", "-", given=configuration)
    for configuration in _never_called(contestants[0]):
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
        return shipped(contender.mutate.removesuffix("/mutate"), contender.ca_file)
    configuration = mutating_pods(contender.name, contender.mutate, contender.ca_file)
    return [only_in(_namespace(contender), configuration)]


def _never_called(contender: Contender) -> list[dict[str, Any]]:
    made = only_in(_NEVER, mutating_pods("never", contender.mutate, contender.ca_file))
    mutating = {
        **made,
        "webhooks": [{**webhook, "matchConditions": [{"name": "never", "expression": "false"}]} for webhook in made["webhooks"]],
    }
    validating = [{name: value for name, value in webhook.items() if name != "reinvocationPolicy"} for webhook in mutating["webhooks"]]
    return [mutating, {**mutating, "kind": "ValidatingWebhookConfiguration", "webhooks": validating}]


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
    times = by_turns(site, [_NONE, _NEVER, "bench-percard"], pod_of(bodies.unmarked()), _PLAIN_PAIRS)
    print(f"creation of a pod without marks, {_PLAIN_PAIRS} by turns: {_calls(site) - before:.0f} calls; median gains:")
    gained_ms = 0.0
    for namespace, what in ((_NEVER, "a pair of webhooks whose condition is `false`"), ("bench-percard", "percard's two webhooks")):
        gained_ms, low, high = _gain_ms(times[_NONE], times[namespace])
        print(f"  {what} {gained_ms:.3f} ms (95 %: {low:.3f} to {high:.3f})")
    return Goal("0.1 ms to the gain of a pod without marks", _MOST_GAIN_MS / max(gained_ms, 0.001), 1)


def _gain_ms(without: Sequence[float], taken: Sequence[float]) -> tuple[float, float, float]:
    """Return the median of the differences, and the order statistics that enclose it with 95 %, by the normal approximation."""
    gains = sorted(ours - none for ours, none in zip(taken, without, strict=True))
    middle, reach = len(gains) // 2, round(0.98 * len(gains) ** 0.5)
    return median(gains), gains[middle - reach], gains[middle + reach]


def _calls(site: Site) -> float:
    """Return how many calls the API server counted to percard."""
    lines = site.cluster.metrics().splitlines()
    calls = [line for line in lines if line.startswith("apiserver_admission_webhook_request_total") and 'percard.webhook"' in line]
    return sum(float(line.rsplit(" ", 1)[1]) for line in calls)
