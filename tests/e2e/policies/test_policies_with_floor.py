"""The webhook above, policies below: whichever answers, the result is one; and the floor holds when nobody answers above it."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.e2e.controlplane import ControlPlane, control_plane
from tests.e2e.installed.api import Api
from tests.e2e.installed.counts import calls
from tests.e2e.installed.installation import SECRET, bundles, certs_process, overlay_with_url, server_process
from tests.e2e.installed.mount import mounted
from tests.e2e.policies.client import Client, Reply
from tests.e2e.processes import Process, free_ports, wait_for
from tests.e2e.programs import Programs
from tests.support.pods import LIMITS, alibaba, cg, deployment, huawei, mg, volcengine, xg
from webhook import Stage, build_engine

Json = dict[str, Any]
_RIGHT = {
    "volcengine": volcengine(mg(30, 4096), None, count="2,0"),
    "huawei": huawei(xg(64, 30), count="2"),
    "alibaba": alibaba(cg(8), count="2"),
}
_WRONG = {
    "volcengine": volcengine(mg(30, 4097), None, count="2,0"),
    "huawei": huawei(xg(64, 30), count="3"),
    "alibaba": alibaba(cg(9), count="2"),
}


@dataclass(slots=True)
class Floored:
    """percard installed by the overlay: its server, that can be started again, and a client of the cluster."""

    client: Client
    folder: Path
    port: int
    ops_port: int
    running: ExitStack
    server: Process | None = None

    def start(self) -> None:
        """Start the server on its ports."""
        self.server = self.running.enter_context(server_process(self.folder, self.folder / "tls", self.port, self.ops_port))

    def stop(self) -> None:
        """End the server."""
        assert self.server is not None
        self.server.stop()


@pytest.fixture(scope="module")
def floored_plane(programs: Programs, authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """Run a control plane for the overlay alone."""
    with control_plane(programs, tmp_path_factory.mktemp("with-floor"), authority) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def floored(floored_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floored]:
    """Install the overlay, run the two programs of percard, and wait until webhooks and policies are in force."""
    folder, (port, ops_port) = tmp_path_factory.mktemp("percard"), free_ports(2)
    overlay = overlay_with_url(folder / "overlay", f"https://127.0.0.1:{port}", "with-floor")
    floored_plane.kubectl.succeed("apply", "--server-side", "-k", str(overlay))
    with (
        Api(floored_plane) as api,
        Api(floored_plane) as kubelet,
        Client(floored_plane) as client,
        certs_process(floored_plane) as certs,
        mounted(kubelet, SECRET, folder / "tls") as tls,
        ExitStack() as running,
    ):
        certs.wait_until((tls / "tls.crt").exists)
        found = Floored(client, folder, port, ops_port, running)
        found.start()
        wait_for(lambda: all(bundles(api)), "caBundle was not written")
        wait_for(lambda: all(_create(client, pod).denied_by for pod in _WRONG.values()), "the policies do not hold")
        wait_for(lambda: _is_called(client, ops_port), "the API server does not call percard")
        yield found


def _is_called(client: Client, ops_port: int) -> bool:
    before = sum(calls(ops_port).values())
    _create(client, _RIGHT["huawei"])
    return sum(calls(ops_port).values()) == before + 2


def _create(client: Client, obj: Json) -> Reply:
    return client.create({**obj, "metadata": {**obj["metadata"], "name": "case"}}, "default")


@pytest.mark.parametrize("dialect", _RIGHT)
def test_with_both_a_right_pod_gets_what_the_webhook_would_have_written_and_nobody_patches_twice(dialect: str, floored: Floored) -> None:
    before = calls(floored.ops_port)
    pod = _create(floored.client, _RIGHT[dialect]).body
    assert calls(floored.ops_port) - before == {"mutate": 1, "validate": 1}
    assert LIMITS in pod["metadata"]["annotations"]
    assert build_engine().examine(pod, stage=Stage.MUTATE).patch == ()
    assert build_engine().examine(pod, stage=Stage.VALIDATE).findings == ()


def test_what_only_the_webhook_knows_is_still_its_own(floored: Floored) -> None:
    forged = deployment(huawei(xg(64, 30), count="2"))
    template = forged["spec"]["template"]["metadata"]
    template["annotations"] = {LIMITS: '{"containers":{"c0":{"cards":2,"corePercent":99,"memoryMiB":1}},"dialect":"huawei"}'}
    template["labels"]["app"] = "w"
    forged["spec"]["selector"] = {"matchLabels": {"app": "w"}}
    reply = _create(floored.client, forged)
    assert not reply.ok
    assert reply.denied_by is None
    assert "[limits-annotation]" in reply.message


@pytest.fixture
def stopped(floored: Floored) -> Iterator[Floored]:
    """Stop the server, and start it again."""
    floored.stop()
    yield floored
    floored.start()


def test_with_the_webhook_stopped_wrong_splits_are_refused_and_right_pods_get_their_scheduler(stopped: Floored) -> None:
    for pod in _WRONG.values():
        said = _create(stopped.client, pod).denied_by
        assert said is not None
        assert "memory-step" in said.checks
        workload = deployment(pod)
        workload["spec"]["template"]["metadata"].setdefault("labels", {})["app"] = "w"
        workload["spec"]["selector"] = {"matchLabels": {"app": "w"}}
        assert _create(stopped.client, workload).denied_by is not None
    for pod in _RIGHT.values():
        reply = _create(stopped.client, pod)
        assert reply.ok, reply.message
        assert LIMITS in reply.body["metadata"]["annotations"]
    assert _create(stopped.client, _RIGHT["huawei"]).body["spec"]["schedulerName"] == "volcano"
