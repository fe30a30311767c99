"""A cluster that knows percard's policies and nothing of its server, once for all tests of this folder."""

from collections.abc import Iterator

import pytest
import trustme

from tests.e2e.controlplane import ControlPlane, control_plane
from tests.e2e.policies.client import Client
from tests.e2e.policies.floor import Floor, install
from tests.e2e.programs import Programs
from webhook import build_engine


@pytest.fixture(scope="package")
def plane(programs: Programs, authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """Run a control plane."""
    with control_plane(programs, tmp_path_factory.mktemp("policies"), authority) as cluster:
        yield cluster


@pytest.fixture(scope="package")
def floor(plane: ControlPlane) -> Iterator[Floor]:
    """Install the policies that percard prints."""
    with Client(plane) as client:
        yield install(client, build_engine())
