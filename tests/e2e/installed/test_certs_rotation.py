"""Pods are created without a failure while servers restart, pairs and authorities change, and their keeper is killed."""

import random
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trustme

from certs.inspection import certificates_in
from tests.e2e.controlplane import ControlPlane, control_plane
from tests.e2e.installed import objects
from tests.e2e.installed.api import Api
from tests.e2e.installed.balancer import balanced
from tests.e2e.installed.changing import Keeper, Servers
from tests.e2e.installed.installation import SECRET, bundles, overlay_with_url
from tests.e2e.installed.mount import mounted
from tests.e2e.processes import free_ports, wait_for
from tests.e2e.programs import Programs

Object = dict[str, Any]
PODS = 10_000
# Shorter than anybody would set them: a pair is renewed after 20 s, an authority exchanged after 33 s and forgotten
# when its last pair ends, 200 s after it was made.
FLAGS = ("--authority-life=200s", "--pair-life=180s", "--settling=4s")
POD = objects.BUILT_IN[0]
GUARD_SECONDS = 900.0


def _gpu_pod() -> Object:
    template = objects.template()
    template["metadata"]["labels"]["volcano.sh/gpu-num"] = "2"
    template["spec"]["containers"][0]["resources"]["limits"]["volcano.sh/gpu-mem.128Mi"] = "64"
    return objects.make(POD, template)


@dataclass
class Seen:
    """What happened so far."""

    created: int = 0
    failures: list[str] = field(default_factory=list)
    pairs: set[str] = field(default_factory=set)
    authorities: set[bytes] = field(default_factory=set)
    forgotten: set[bytes] = field(default_factory=set)
    most_trusted: int = 0
    kills: int = 0
    restarts: int = 0

    @property
    def complete(self) -> bool:
        """Say whether there were enough pods, and all three phases of an exchange."""
        return self.created >= PODS and bool(self.forgotten) and len(self.pairs) > 2 and self.restarts > 1 and self.kills > 2

    def told(self, seed: int) -> str:
        """Return the figures of a run."""
        certificates = f"{len(self.pairs)} pairs, {len(self.authorities)} authorities, {len(self.forgotten)} of them forgotten"
        changes = f"{self.restarts} restarts of servers, {self.kills} kills of the keeper"
        return f"{self.created} pods, {len(self.failures)} failures; {certificates}; {changes}; seed {seed}"


def _create(cluster: ControlPlane, namespace: str, seen: Seen, ending: threading.Event) -> None:
    """Create pods for ever; one that is not patched has missed /mutate, which fails silently."""
    path = objects.collection(POD, namespace)
    pod = _gpu_pod()
    with Api(cluster) as api:
        while not ending.is_set():
            reply = api.create(path, pod, dry_run=True)
            if not reply.ok:
                seen.failures.append(reply.message)
            elif "percard.webhook/limits" not in reply.body["metadata"].get("annotations", {}):
                seen.failures.append("a pod was not patched")
            seen.created += 1


def _watch(cluster: ControlPlane, seen: Seen, ending: threading.Event) -> None:
    """Note which pairs and authorities come and go."""
    with Api(cluster) as api:
        while not ending.wait(0.5):
            seen.pairs.add(api.get(SECRET)["data"].get("tls.crt", ""))
            trusted = {certificate.tbs_certificate_bytes for bundle in bundles(api) for certificate in certificates_in(bundle)}
            seen.most_trusted = max(seen.most_trusted, len(trusted))
            seen.forgotten |= seen.authorities - trusted
            seen.authorities |= trusted


@contextmanager
def _threads(*targets: Any) -> Iterator[None]:
    threads = [threading.Thread(target=target, args=arguments) for target, *arguments in targets]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for _, *arguments in targets:
            arguments[-1].set()
        for thread in threads:
            thread.join()


def _restart(servers: Servers, seen: Seen, ending: threading.Event) -> None:
    while not ending.wait(15):
        servers.restart_one()
        seen.restarts = servers.restarts


def test_no_creation_fails_while_everything_changes(programs: Programs, authority: trustme.CA, tmp_path: Path) -> None:
    seed = time.time_ns()
    port, *rest = free_ports(5)
    ports = [(rest[0], rest[1]), (rest[2], rest[3])]
    seen, ending = Seen(), threading.Event()
    with (
        control_plane(programs, tmp_path, authority) as cluster,
        Api(cluster) as api,
        Api(cluster) as kubelet,
        mounted(kubelet, SECRET, tmp_path / "tls") as tls,
        balanced(port, ports),
        ExitStack() as running,
    ):
        cluster.kubectl.succeed("apply", "-k", str(overlay_with_url(tmp_path / "overlay", f"https://127.0.0.1:{port}")))
        keeper = Keeper(cluster, FLAGS, random.Random(seed))  # noqa: S311 -- when to kill is no secret
        running.callback(keeper.stop)
        keeper.process.wait_until((tls / "tls.crt").exists)
        servers = Servers(tmp_path, tls, ports)
        running.callback(servers.stop)
        api.make_namespace("load")
        wait_for(lambda: api.create(objects.collection(POD, "load"), _gpu_pod(), dry_run=True).ok, "percard is not called")
        wait_for(lambda: _is_patched(api), "pods are not patched")
        creating = [(_create, cluster, "load", seen, ending) for _ in range(2)]
        end = time.monotonic() + GUARD_SECONDS
        with _threads(*creating, (_watch, cluster, seen, ending), (_restart, servers, seen, ending)):
            while not seen.complete and not seen.failures and time.monotonic() < end:
                keeper.maybe_kill()
                seen.kills = keeper.kills
                time.sleep(0.1)
    print(seen.told(seed))  # noqa: T201 -- the figures of a run are what it is for
    assert seen.failures == []
    assert seen.complete
    assert seen.most_trusted > 1


def _is_patched(api: Api) -> bool:
    reply = api.create(objects.collection(POD, "load"), _gpu_pod(), dry_run=True)
    return "percard.webhook/limits" in reply.body["metadata"].get("annotations", {})
