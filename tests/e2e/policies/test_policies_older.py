"""What `--min-version` promises, at API servers of those versions."""

import dataclasses
import os
from pathlib import Path

import pytest
import trustme

from tests.e2e.controlplane import ControlPlane, control_plane
from tests.e2e.policies import cases
from tests.e2e.policies.agreement import differences
from tests.e2e.policies.client import Client
from tests.e2e.policies.floor import install
from tests.e2e.policies.older import apiserver
from tests.e2e.programs import Programs
from tools.manifests import MANIFESTS
from webhook import build_engine
from webhook.policies.model import Version

_DRAWN = 150
_OVERLAY = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [{manifests}/overlays/policies-only]
components: [{manifests}/components/before-1.36]
"""


def _require_overlays_fit(cluster: ControlPlane, folder: Path) -> None:
    """Require that the server takes the shipped policies with the component for old versions, and does not without it."""
    folder.mkdir()
    text = _OVERLAY.format(manifests=os.path.relpath(MANIFESTS, folder.resolve()))
    (folder / "kustomization.yaml").write_text(text, encoding="utf-8")
    cluster.kubectl.succeed("apply", "--dry-run=server", "--validate=strict", "-k", str(folder))
    whole = cluster.kubectl.run("apply", "--dry-run=server", "-k", str(MANIFESTS / "overlays" / "policies-only"))
    assert whole.code != 0
    assert 'no matches for kind "MutatingAdmissionPolicy"' in whole.err


@pytest.mark.parametrize("version", ["1.30", "1.32"])
def test_an_older_api_server_judges_by_the_policies_for_it_as_the_engine_does(
    version: Version, programs: Programs, authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory
) -> None:
    older = dataclasses.replace(programs, apiserver=apiserver(version))
    folder = tmp_path_factory.mktemp(f"older-{version}")
    with control_plane(older, folder, authority) as cluster, Client(cluster) as client:
        assert client.request("GET", "/version").body["gitVersion"].startswith(f"v{version}.")
        _require_overlays_fit(cluster, folder / "overlay")
        floor = install(client, build_engine(), version)
        found = [difference for case in [*cases.goldens(), *cases.drawn(_DRAWN, _DRAWN)] for difference in differences(floor, case)]
        assert not found, "\n".join(found[:5])
        assert floor.failures() == []
        assert floor.type_warnings() == []
