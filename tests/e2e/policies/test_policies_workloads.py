"""Updates of workloads, and the copies that controllers make of them."""

from tests.e2e.policies.floor import MODE, Floor
from tests.e2e.processes import wait_for
from tests.support.pods import XG_COUNT, deployment, huawei, xg

_MERGE = "application/merge-patch+json"


def test_a_workload_with_an_old_mistake_may_be_scaled_but_not_given_another(floor: Floor) -> None:
    client, path = floor.client, "/apis/apps/v1/namespaces/mistaken/deployments/w"
    client.request("POST", "/api/v1/namespaces", {"metadata": {"name": "mistaken", "labels": {MODE: "off"}}})
    wrong = deployment(huawei(xg(65), count="2"))
    wrong["spec"] |= {"replicas": 0, "selector": {"matchLabels": {"app": "w"}}}
    wrong["spec"]["template"]["metadata"]["labels"]["app"] = "w"
    wait_for(lambda: client.create(wrong, "mistaken").ok, "the policies hold where they are off")
    assert client.create(wrong, "mistaken", dry_run=False).ok
    client.request("PATCH", "/api/v1/namespaces/mistaken", {"metadata": {"labels": {MODE: None}}}, _MERGE)
    wait_for(lambda: client.create(wrong, "mistaken").denied_by is not None, "the policies do not hold")
    assert client.request("PATCH", path, {"spec": {"replicas": 2}, "metadata": {"labels": {"team": "a"}}}, _MERGE).ok
    changed = {"spec": {"template": {"metadata": {"annotations": {"restarted": "now"}}}}}
    said = client.request("PATCH", path, changed, _MERGE).denied_by
    assert said is not None
    assert said.checks == {"memory-step"}
    repaired = {"spec": {"template": {"metadata": {"labels": {XG_COUNT: "5"}}}}}
    assert client.request("PATCH", path, repaired, _MERGE).ok


def test_a_copy_that_a_controller_makes_is_let_through(floor: Floor) -> None:
    template = deployment(huawei(xg(65), count="2"))["spec"]["template"]
    template["metadata"]["labels"]["app"] = "w"
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "w", "uid": "0e7a3a50-0000-4000-8000-000000000000", "controller": True}
    copied = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": "w", "ownerReferences": [owner]},
        "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "w"}}, "template": template},
    }
    assert floor.client.create(copied, "judged").ok
    alone = {**copied, "metadata": {"name": "w"}}
    assert not floor.client.create(alone, "judged").ok
