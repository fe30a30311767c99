"""A control plane, a percard server and its webhook configurations, once for all tests of this folder."""

import os
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
import trustme

from tests.e2e import webhooks
from tests.e2e.controlplane import ControlPlane, control_plane
from tests.e2e.custom import VOLCANO_JOBS
from tests.e2e.kubectl import Kubectl
from tests.e2e.processes import wait_for
from tests.e2e.programs import Programs, UnavailableError, find_programs
from tests.e2e.server import Server, percard_server

Namespaces = Callable[..., str]
_HERE = Path(__file__).parent
_numbers = count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and put them after all others."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def programs() -> Programs:
    """Find or build the programs; in CI they must be there."""
    try:
        return find_programs()
    except UnavailableError as problem:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(problem))


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    """Sign every certificate of the run."""
    return trustme.CA()


@pytest.fixture(scope="session")
def bare_cluster(programs: Programs, authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """Run a control plane that knows Volcano's jobs; its files go when it ends."""
    folder = tmp_path_factory.mktemp("control-plane")
    with control_plane(programs, folder, authority) as cluster:
        cluster.kubectl.succeed("create", "-f", "-", given=VOLCANO_JOBS)
        cluster.kubectl.succeed("wait", "--for=condition=Established", "crd/jobs.batch.volcano.sh", "--timeout=60s")
        yield cluster
    shutil.rmtree(folder / "etcd", ignore_errors=True)


@pytest.fixture(scope="session")
def server(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run percard with the settings that it ships with."""
    with percard_server(tmp_path_factory.mktemp("percard"), authority) as running:
        yield running


@pytest.fixture(scope="session")
def cluster(bare_cluster: ControlPlane, server: Server) -> ControlPlane:
    """Return the control plane once it calls percard."""
    kubectl = bare_cluster.kubectl
    for configuration in webhooks.shipped(server.url, server.ca_file):
        kubectl.succeed("create", "-f", "-", given=configuration)
    kubectl.succeed("create", "namespace", "probe")
    wait_for(lambda: _calls_percard(kubectl), "the API server does not call percard")
    return bare_cluster


@pytest.fixture(scope="session")
def kubectl(cluster: ControlPlane) -> Kubectl:
    """Return kubectl for the administrator of the cluster."""
    return cluster.kubectl


@pytest.fixture
def make_namespace(kubectl: Kubectl) -> Namespaces:
    """Return a function that makes a new namespace with some labels and returns its name."""

    def make(**labels: str) -> str:
        name = f"test-{next(_numbers)}"
        keys = {key.replace("__", "/").replace("_", "."): value for key, value in labels.items()}
        kubectl.succeed("create", "-f", "-", given={"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": keys}})
        return name

    return make


@pytest.fixture
def namespace(make_namespace: Namespaces) -> str:
    """Return a new namespace."""
    return make_namespace()


def _calls_percard(kubectl: Kubectl) -> bool:
    """Say whether both webhooks are in force: one patches, the other then finds nothing wrong."""
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "probe", "labels": {"volcano.sh/gpu-num": "2"}},
        "spec": {
            "containers": [{"name": "app", "image": "registry.example/app:1", "resources": {"limits": {"volcano.sh/gpu-mem.128Mi": "63"}}}]
        },
    }
    answer = kubectl.run("create", "-n", "probe", "--dry-run=server", "-f", "-", given=pod)
    pod["spec"]["containers"][0]["resources"]["limits"]["volcano.sh/gpu-mem.128Mi"] = "64"  # type: ignore[index]
    good = kubectl.run("create", "-n", "probe", "--dry-run=server", "-o", "name", "-f", "-", given=pod)
    return "memory-step" in answer.err and good.code == 0
