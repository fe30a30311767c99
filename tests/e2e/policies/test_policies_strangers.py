"""A dialect in one file gets its policies by its data, whatever it is called and combines; those hold as percard's own do."""

import pytest
import trustme

from tests.e2e.controlplane import control_plane
from tests.e2e.policies import strangers
from tests.e2e.policies.agreement import differences
from tests.e2e.policies.client import Client
from tests.e2e.policies.floor import install
from tests.e2e.programs import Programs

_DRAWN = 120


def test_policies_for_dialects_that_nobody_ships_judge_and_patch_as_the_engine_does(
    programs: Programs, authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with control_plane(programs, tmp_path_factory.mktemp("strangers"), authority) as cluster, Client(cluster) as client:
        floor = install(client, strangers.engine())
        found = [difference for case in strangers.drawn(_DRAWN) for difference in differences(floor, case)]
        assert not found, "\n".join(found[:10])
        assert floor.failures() == []
        assert floor.type_warnings() == []
