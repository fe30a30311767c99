"""What `--min-version` promises, at API servers of those versions."""

import dataclasses

import pytest
import trustme

from tests.e2e.controlplane import control_plane
from tests.e2e.policies import cases
from tests.e2e.policies.agreement import differences
from tests.e2e.policies.client import Client
from tests.e2e.policies.floor import install
from tests.e2e.policies.older import apiserver
from tests.e2e.programs import Programs
from webhook import build_engine
from webhook.policies.model import Version

_DRAWN = 150


@pytest.mark.parametrize("version", ["1.30", "1.32"])
def test_an_older_api_server_judges_by_the_policies_for_it_as_the_engine_does(
    version: Version, programs: Programs, authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory
) -> None:
    older = dataclasses.replace(programs, apiserver=apiserver(version))
    folder = tmp_path_factory.mktemp(f"older-{version}")
    with control_plane(older, folder, authority) as cluster, Client(cluster) as client:
        assert client.request("GET", "/version").body["gitVersion"].startswith(f"v{version}.")
        floor = install(client, build_engine(), version)
        found = [difference for case in [*cases.goldens(), *cases.drawn(_DRAWN, _DRAWN)] for difference in differences(floor, case)]
        assert not found, "\n".join(found[:5])
        assert floor.failures() == []
        assert floor.type_warnings() == []
