"""What people and controllers do every day with GPU pods and workloads is not in percard's way."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import examples
from tests.e2e.conftest import Namespaces
from tests.e2e.kubectl import Kubectl
from tests.e2e.processes import wait_for

Object = dict[str, Any]
_GOOD = "volcengine/deployment.yaml"
_BAD = "volcengine/uneven-memory.yaml"


def _as_kind(kind: str, name: str) -> Object:
    return examples.as_kind(kind, "example", examples.template_of(examples.read(examples.FOLDER / name)))


def _pods(kubectl: Kubectl, namespace: str) -> list[str]:
    return [pod["metadata"]["name"] for pod in kubectl.items("pods", "-n", namespace)]


def _wait_for_pods(kubectl: Kubectl, namespace: str, count: int) -> None:
    wait_for(lambda: len(_pods(kubectl, namespace)) == count, f"{count} pods in {namespace}, not {_pods(kubectl, namespace)}")


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"])
def test_a_workload_is_scaled_labelled_and_deleted(kind: str, kubectl: Kubectl, namespace: str) -> None:
    name = f"{kind.lower()}/example"
    kubectl.succeed("apply", "-n", namespace, "-f", "-", given=_as_kind(kind, _GOOD))
    _wait_for_pods(kubectl, namespace, 1)
    kubectl.succeed("label", name, "-n", namespace, "team=ml")
    kubectl.succeed("annotate", name, "-n", namespace, "note=mine")
    kubectl.succeed("scale", name, "-n", namespace, "--replicas=0")
    _wait_for_pods(kubectl, namespace, 0)
    kubectl.succeed("delete", name, "-n", namespace, "--timeout=60s")


def test_a_pod_is_labelled_bound_given_a_status_evicted_and_deleted(kubectl: Kubectl, namespace: str) -> None:
    kubectl.succeed("apply", "-n", namespace, "-f", "-", given=_as_kind("Pod", _GOOD))
    path = f"/api/v1/namespaces/{namespace}/pods/example"
    kubectl.succeed("label", "pod/example", "-n", namespace, "team=ml")
    target = {"apiVersion": "v1", "kind": "Node", "name": "node-1"}
    binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "example", "namespace": namespace}, "target": target}
    kubectl.succeed("create", "--raw", f"{path}/binding", "-f", "-", given=binding)
    status = json.dumps({"status": {"phase": "Running"}})
    kubectl.succeed("patch", "pod/example", "-n", namespace, "--subresource=status", "--type=merge", "-p", status)
    assert kubectl.get("pod", "example", "-n", namespace)["spec"]["nodeName"] == "node-1"
    eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "example", "namespace": namespace}}
    kubectl.succeed("create", "--raw", f"{path}/eviction", "-f", "-", given=eviction)
    kubectl.succeed("delete", "pod/example", "-n", namespace, "--force", "--grace-period=0")
    _wait_for_pods(kubectl, namespace, 0)


def test_a_copy_of_a_pod_for_debugging_is_taken(kubectl: Kubectl, namespace: str) -> None:
    kubectl.succeed("apply", "-n", namespace, "-f", "-", given=_as_kind("Pod", _GOOD))
    image = "registry.example/tools:1"
    kubectl.succeed("debug", "example", "-n", namespace, f"--image={image}", "--copy-to=copy", "--attach=false")
    copied = kubectl.get("pod", "copy", "-n", namespace)
    assert [container["image"] for container in copied["spec"]["containers"]] == ["registry.example/worker:1", image]


def test_a_container_for_debugging_is_added_to_a_pod(kubectl: Kubectl, namespace: str) -> None:
    kubectl.succeed("apply", "-n", namespace, "-f", "-", given=_as_kind("Pod", _GOOD))
    kubectl.succeed("debug", "example", "-n", namespace, "--image=registry.example/tools:1", "--attach=false")
    assert len(kubectl.get("pod", "example", "-n", namespace)["spec"]["ephemeralContainers"]) == 1


@pytest.fixture
def old_mistake(kubectl: Kubectl, make_namespace: Namespaces) -> Callable[[str], str]:
    """Return a function that stores a workload with a mistake from the time before percard; it returns the namespace."""

    def store(kind: str) -> str:
        namespace = make_namespace(percard_webhook__mode="off")
        workload = _as_kind(kind, _BAD)
        workload["spec"]["replicas"] = 0
        kubectl.succeed("apply", "-n", namespace, "-f", "-", given=workload)
        kubectl.succeed("label", "namespace", namespace, "percard.webhook/mode-")
        wait_for(lambda: _is_refused(kubectl, namespace), "the namespace is not watched")
        return namespace

    return store


def _is_refused(kubectl: Kubectl, namespace: str) -> bool:
    return kubectl.apply(_as_kind("Pod", _BAD), "-n", namespace, "--dry-run=server").code == 1


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "ReplicaSet"])
def test_an_old_mistake_may_be_scaled_and_labelled_with_a_warning(kind: str, kubectl: Kubectl, old_mistake: Callable[[str], str]) -> None:
    namespace = old_mistake(kind)
    answer = kubectl.succeed("label", f"{kind.lower()}/example", "-n", namespace, "team=ml")
    assert "Warning: " in answer.err
    assert "[memory-step]" in answer.err
    kubectl.succeed("scale", f"{kind.lower()}/example", "-n", namespace, "--replicas=2")


def test_a_rolling_update_of_an_old_mistake_is_refused_at_apply(kubectl: Kubectl, old_mistake: Callable[[str], str]) -> None:
    namespace = old_mistake("Deployment")
    changed = _as_kind("Deployment", _BAD)
    changed["spec"]["template"]["spec"]["containers"][0]["image"] = "registry.example/worker:2"
    answer = kubectl.apply(changed, "-n", namespace)
    assert answer.code == 1
    assert "spec.template.spec.containers[0].resources.limits[vke.volcengine.com/mgpu-memory]: percard: " in answer.err
    assert kubectl.apply(_as_kind("Deployment", _GOOD), "-n", namespace).code == 0
    _wait_for_pods(kubectl, namespace, 1)


def test_a_stateful_set_with_an_old_mistake_is_not_left_stuck(kubectl: Kubectl, old_mistake: Callable[[str], str]) -> None:
    namespace = old_mistake("StatefulSet")
    kubectl.succeed("scale", "statefulset/example", "-n", namespace, "--replicas=1")
    # Its pod is refused, and somebody who looks finds out why.
    wait_for(lambda: "[memory-step]" in kubectl.succeed("get", "events", "-n", namespace, "-o", "json").out, "no event tells the mistake")
    fixed = _as_kind("StatefulSet", _GOOD)
    assert kubectl.apply(fixed, "-n", namespace).code == 0
    _wait_for_pods(kubectl, namespace, 1)


def test_the_event_of_a_refused_pod_says_what_is_wrong(kubectl: Kubectl, old_mistake: Callable[[str], str]) -> None:
    namespace = old_mistake("Deployment")
    kubectl.succeed("scale", "deployment/example", "-n", namespace, "--replicas=1")
    field = "spec.containers[0].resources.limits[vke.volcengine.com/mgpu-memory]"
    told = f"percard: container 'worker', {field}: '4096' is 4096 MiB over 3 cards, 1365 1/3 MiB each"
    wait_for(lambda: told in kubectl.succeed("get", "events", "-n", namespace).out, "no event tells the mistake")
