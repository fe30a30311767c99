"""A cluster into which percard was installed by its manifests, once for all tests of this folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
import trustme

from tests.e2e.controlplane import ControlPlane, control_plane
from tests.e2e.installed import custom_kinds
from tests.e2e.installed.api import Api
from tests.e2e.installed.installation import SECRET, bundles, certs_process, overlay_with_url, server_process
from tests.e2e.installed.mount import mounted
from tests.e2e.installed.overlays import OVERLAYS
from tests.e2e.processes import Process, free_ports, wait_for
from tests.e2e.programs import Programs

_numbers = count(1)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test that meets an installation on each overlay that is asked for."""
    if "overlay" in metafunc.fixturenames:
        metafunc.parametrize("overlay", metafunc.config.getoption("--overlay") or OVERLAYS, scope="package")


@dataclass(frozen=True, slots=True)
class Installation:
    """percard in a cluster: what is running, and where."""

    cluster: ControlPlane
    overlay: Path
    tls: Path
    port: int
    ops_port: int
    server: Process


@pytest.fixture(scope="package")
def plane(overlay: str, programs: Programs, authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """Run a control plane that knows the custom resources of the shipped table, and nothing of percard."""
    with control_plane(programs, tmp_path_factory.mktemp(f"installed-{overlay}"), authority) as cluster:
        for definition in custom_kinds.definitions():
            cluster.kubectl.succeed("create", "-f", "-", given=definition)
        cluster.kubectl.succeed("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s")
        yield cluster


@pytest.fixture(scope="package")
def installation(overlay: str, plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Install percard, and run its two programs as the manifests would."""
    folder = tmp_path_factory.mktemp("percard")
    port, ops_port = free_ports(2)
    applied = overlay_with_url(folder / "overlay", f"https://127.0.0.1:{port}", overlay)
    plane.kubectl.succeed("apply", "-k", str(applied))
    with (
        Api(plane) as api,
        Api(plane) as kubelet,
        certs_process(plane) as certs,
        mounted(kubelet, SECRET, folder / "tls") as tls,
    ):
        certs.wait_until((tls / "tls.crt").exists)
        with server_process(folder, tls, port, ops_port) as server:
            wait_for(lambda: all(bundles(api)), "caBundle was not written")
            yield Installation(plane, applied, tls, port, ops_port, server)


@pytest.fixture
def api(installation: Installation) -> Iterator[Api]:
    """Return a client of the cluster in which percard is installed."""
    with Api(installation.cluster) as client:
        yield client


@pytest.fixture
def namespace(api: Api) -> str:
    """Return the name of a new namespace."""
    name = f"case-{next(_numbers)}"
    api.make_namespace(name)
    return name
