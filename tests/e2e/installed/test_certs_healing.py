"""What somebody overwrites in a running installation is put right, and pods are created meanwhile and after."""

import base64

import trustme

from tests.e2e.installed import objects
from tests.e2e.installed.api import Api
from tests.e2e.installed.conftest import Installation
from tests.e2e.installed.counts import calls
from tests.e2e.installed.installation import CONFIGURATIONS, SECRET, bundles
from tests.e2e.processes import wait_for

JSON_PATCH = "application/json-patch+json"
POD = objects.BUILT_IN[0]


def _overwrite(api: Api, path: str, entry: int, bundle: bytes) -> None:
    value = base64.b64encode(bundle).decode()
    operations = [{"op": "replace", "path": f"/webhooks/{entry}/clientConfig/caBundle", "value": value}]
    assert api.request("PATCH", path, operations, JSON_PATCH).ok


def _creates_a_gpu_pod(installation: Installation, api: Api, namespace: str) -> bool:
    """Say whether percard itself is asked by both configurations and patches: where policies do the same, that is not seen by the pod."""
    before = calls(installation.ops_port)
    template = objects.template()
    template["spec"]["containers"][0]["resources"]["limits"]["volcano.sh/gpu-mem.128Mi"] = "64"
    reply = api.create(objects.collection(POD, namespace), objects.make(POD, template), dry_run=True)
    called = calls(installation.ops_port) - before
    return reply.ok and called == {"mutate": 1, "validate": 1} and "percard.webhook/limits" in reply.body["metadata"].get("annotations", {})


def test_a_ca_bundle_that_somebody_overwrites_is_put_right(installation: Installation, api: Api, namespace: str) -> None:
    before = bundles(api)
    stranger = trustme.CA().cert_pem.bytes()
    _overwrite(api, CONFIGURATIONS[1], 0, stranger)
    _overwrite(api, CONFIGURATIONS[0], 0, b"")
    wait_for(lambda: bundles(api) == before, "caBundle was not put right")
    wait_for(lambda: _creates_a_gpu_pod(installation, api, namespace), "percard is not called any more")


def test_a_secret_that_somebody_deletes_is_made_anew_and_no_call_fails(installation: Installation, api: Api, namespace: str) -> None:
    before = bundles(api)[0]
    assert api.request("DELETE", SECRET).ok

    def recovered() -> bool:
        assert _creates_a_gpu_pod(installation, api, namespace)
        data = api.request("GET", SECRET).body.get("data", {})
        return "tls.crt" in data and "retired.crt" in data

    # The new authority signs once API servers had 30 s to see it.
    wait_for(recovered, "there is no new pair", seconds=90)
    assert all(before in bundle and bundle != before for bundle in bundles(api))
    assert _creates_a_gpu_pod(installation, api, namespace)
