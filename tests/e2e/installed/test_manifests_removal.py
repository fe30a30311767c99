"""An installation that is removed leaves nothing behind."""

from pathlib import Path

import pytest
import trustme

from tests.e2e.controlplane import control_plane
from tests.e2e.installed.api import Api
from tests.e2e.installed.installation import CONFIGURATIONS, NAMESPACE, SECRET, certs_process, overlay_with_url
from tests.e2e.kubectl import Kubectl
from tests.e2e.processes import wait_for
from tests.e2e.programs import Programs
from tools.manifests import MANIFESTS

# What changes by itself while a cluster runs.
_PASSING = ("events", "events.events.k8s.io", "leases.coordination.k8s.io", "endpointslices.discovery.k8s.io", "endpoints")


def _everything(kubectl: Kubectl) -> set[str]:
    kinds = kubectl.succeed("api-resources", "--verbs=list", "-o", "name").out.split()
    listed = kubectl.succeed("get", ",".join(kind for kind in kinds if kind not in _PASSING), "-A", "-o", "name", "--ignore-not-found")
    return set(listed.out.split())


@pytest.mark.parametrize("shipped", ["self-signed", "audit-first", "with-floor"])
def test_deleting_an_overlay_leaves_the_cluster_as_it_was(shipped: str, programs: Programs, authority: trustme.CA, tmp_path: Path) -> None:
    with control_plane(programs, tmp_path, authority) as cluster:
        before = _everything(cluster.kubectl)
        folder = overlay_with_url(tmp_path / "overlay", "https://127.0.0.1:1", shipped)
        cluster.kubectl.succeed("apply", "-k", str(folder))
        with Api(cluster) as api, certs_process(cluster):
            wait_for(lambda: "tls.crt" in api.request("GET", SECRET).body.get("data", {}), "no Secret was made")
        assert _everything(cluster.kubectl) > before
        cluster.kubectl.succeed("delete", "-k", str(folder), "--timeout=90s")
        with Api(cluster) as api:
            assert {api.request("GET", path).status for path in (*CONFIGURATIONS, f"/api/v1/namespaces/{NAMESPACE}")} == {404}
        assert _everything(cluster.kubectl) == before


def test_deleting_policies_alone_leaves_the_cluster_as_it_was(programs: Programs, authority: trustme.CA, tmp_path: Path) -> None:
    folder = str(MANIFESTS / "overlays" / "policies-only")
    with control_plane(programs, tmp_path, authority) as cluster:
        before = _everything(cluster.kubectl)
        cluster.kubectl.succeed("apply", "-k", folder)
        added = {name.partition("/")[0].partition(".")[0] for name in _everything(cluster.kubectl) - before}
        assert added == {f"{kind}admissionpolic{end}" for kind in ("mutating", "validating") for end in ("y", "ybinding")}
        cluster.kubectl.succeed("delete", "-k", folder)
        assert _everything(cluster.kubectl) == before
