"""The pods that controllers make of the examples, as the API server stores them."""

import copy
import json
from typing import Any

import pytest

from tests.e2e import examples
from tests.e2e.conftest import Namespaces
from tests.e2e.kubectl import Kubectl
from tests.e2e.processes import wait_for

Object = dict[str, Any]
# What one card gives to the container, and the scheduler, by example.
_GRANTED: dict[str, tuple[Object, str]] = {
    # 64 × 128 MiB over 2 cards
    "huawei/deployment.yaml": ({"cards": 2, "memoryMiB": 4096}, "volcano"),
    # the same, with 30 % over 2 cards
    "huawei/without-scheduler.yaml": ({"cards": 2, "corePercent": 15, "memoryMiB": 4096}, "volcano"),
    # 4096 MiB and 30 % over 2 cards
    "volcengine/deployment.yaml": ({"cards": 2, "corePercent": 15, "memoryMiB": 2048}, "default-scheduler"),
    # 8 GiB over 2 cards, where a GiB may be a little more than 1024 MiB
    "alibaba/job.yaml": ({"cards": 2, "memoryAtLeast": True, "memoryMiB": 4096}, "default-scheduler"),
}
# Kinds whose controller makes a pod without a node; a DaemonSet makes one a node, a CronJob one at its time.
_MAKERS = ("Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "Job")


def _template(name: str) -> Object:
    return examples.template_of(examples.read(examples.FOLDER / name))


def _limits_text(name: str) -> str:
    limits = {"containers": {"worker": _GRANTED[name][0]}, "dialect": name.split("/", maxsplit=1)[0]}
    return json.dumps(limits, sort_keys=True, separators=(",", ":"))


def _expected(plain: Object, name: str) -> Object:
    """Return what percard has to make of a pod that was stored without it."""
    pod = copy.deepcopy(plain)
    pod["metadata"].setdefault("annotations", {})["percard.webhook/limits"] = _limits_text(name)
    pod["spec"]["schedulerName"] = _GRANTED[name][1]
    return pod


def _comparable(pod: Object) -> Object:
    """Return a pod without what differs between any two pods of one template, and without its namespace."""
    metadata = {key: pod["metadata"][key] for key in ("labels", "annotations") if key in pod["metadata"]}
    for label in ("controller-uid", "batch.kubernetes.io/controller-uid"):
        metadata.get("labels", {}).pop(label, None)
    return {"apiVersion": pod["apiVersion"], "kind": pod["kind"], "metadata": metadata, "spec": pod["spec"]}


def _made_pod(kubectl: Kubectl, namespace: str) -> Object:
    wait_for(lambda: bool(kubectl.items("pods", "-n", namespace)), f"no pod in {namespace}: {_events(kubectl, namespace)}")
    return _comparable(dict(kubectl.items("pods", "-n", namespace)[0]))


def _events(kubectl: Kubectl, namespace: str) -> str:
    return kubectl.run("get", "events", "-n", namespace).out


@pytest.mark.parametrize("kind", _MAKERS)
@pytest.mark.parametrize("name", _GRANTED)
def test_a_made_pod_differs_from_an_untouched_one_by_the_patch_alone(
    name: str, kind: str, kubectl: Kubectl, make_namespace: Namespaces
) -> None:
    watched, untouched = make_namespace(), make_namespace(percard_webhook__mode="off")
    obj = examples.as_kind(kind, "example", _template(name))
    for namespace in (watched, untouched):
        assert kubectl.apply(obj, "-n", namespace).code == 0
    plain = _made_pod(kubectl, untouched)
    assert _made_pod(kubectl, watched) == _expected(plain, name)


@pytest.mark.parametrize("name", _GRANTED)
def test_a_pod_is_stored_as_its_dry_run_showed_it(name: str, kubectl: Kubectl, namespace: str) -> None:
    pod = examples.as_kind("Pod", "example", _template(name))
    shown = json.loads(kubectl.succeed("apply", "-n", namespace, "--dry-run=server", "-o", "json", "-f", "-", given=pod).out)
    assert kubectl.apply(pod, "-n", namespace).code == 0
    stored = kubectl.get("pod", "example", "-n", namespace)
    assert _comparable(stored) == _comparable(shown)
    assert stored["metadata"]["annotations"]["percard.webhook/limits"] == _limits_text(name)


def test_a_template_is_stored_as_it_was_written(kubectl: Kubectl, namespace: str) -> None:
    obj = examples.as_kind("Deployment", "example", _template("huawei/without-scheduler.yaml"))
    assert kubectl.apply(obj, "-n", namespace).code == 0
    template = kubectl.get("deployment", "example", "-n", namespace)["spec"]["template"]
    assert template["spec"]["schedulerName"] == "default-scheduler"
    assert "annotations" not in template["metadata"]


def test_a_pod_whose_first_call_was_skipped_is_refused_with_the_reason(kubectl: Kubectl, make_namespace: Namespaces) -> None:
    namespace = make_namespace(e2e_test__unpatched="true")
    pod = examples.as_kind("Pod", "example", _template("huawei/without-scheduler.yaml"))
    answer = kubectl.apply(pod, "-n", namespace)
    assert answer.code == 1
    assert "spec.schedulerName: percard: " in answer.err
    assert "'default-scheduler'" in answer.err
    assert "'volcano'" in answer.err
    assert "[scheduler-conflict]" in answer.err
