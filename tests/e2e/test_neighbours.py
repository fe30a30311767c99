"""Another team's webhook that adds a container, before percard or after it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import trustme

from tests.e2e import examples, webhooks
from tests.e2e.kubectl import Kubectl
from tests.e2e.neighbour import neighbour
from tests.e2e.processes import wait_for
from tests.e2e.server import Server

_LIST = "vke.volcengine.com/container-multiple-gpu"
_LIMITS = '{"containers":{"worker":{"cards":2,"corePercent":15,"memoryMiB":2048}},"dialect":"volcengine"}'


Ask = Callable[[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def neighbour_url(authority: trustme.CA) -> Iterator[str]:
    """Run the other team's webhook."""
    with neighbour(authority) as url:
        yield url


@pytest.fixture
def stored_beside(kubectl: Kubectl, server: Server, namespace: str, neighbour_url: str) -> Ask:
    """Return a function that stores a pod while a neighbour of some name puts a container first or last; it returns the pod."""

    def store(turn: str, place: str) -> dict[str, Any]:
        configuration = webhooks.only_in(namespace, webhooks.mutating_pods(turn, f"{neighbour_url}/{place}", server.ca_file))
        kubectl.succeed("create", "-f", "-", given=configuration)
        try:
            wait_for(lambda: _containers_of_a_plain_pod(kubectl, namespace) == 2, "the neighbour is not asked")
            template = examples.template_of(examples.read(examples.FOLDER / "volcengine" / "deployment.yaml"))
            kubectl.succeed("apply", "-n", namespace, "-f", "-", given=examples.as_kind("Pod", "example", template))
        finally:
            kubectl.succeed("delete", "mutatingwebhookconfiguration", turn)
        stored: dict[str, Any] = kubectl.get("pod", "example", "-n", namespace)
        return stored

    return store


# Configurations are asked by name: `a…` before percard's, `z…` after it.
@pytest.mark.parametrize("turn", ["a-neighbour", "z-neighbour"], ids=["before percard", "after percard"])
@pytest.mark.parametrize(
    ("place", "names", "entries"),
    [
        pytest.param("first", ["sidecar", "worker"], "0,2", id="container in front"),
        pytest.param("last", ["worker", "sidecar"], "2,0", id="container at the end"),
    ],
)
def test_a_pod_is_right_although_a_neighbour_adds_a_container(
    turn: str, place: str, names: list[str], entries: str, stored_beside: Ask
) -> None:
    stored = stored_beside(turn, place)
    assert [container["name"] for container in stored["spec"]["containers"]] == names
    assert stored["metadata"]["annotations"][_LIST] == entries
    assert stored["metadata"]["annotations"]["percard.webhook/limits"] == _LIMITS


def _containers_of_a_plain_pod(kubectl: Kubectl, namespace: str) -> int:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "plain"},
        "spec": {"containers": [{"name": "app", "image": "registry.example/app:1"}]},
    }
    answer = kubectl.succeed("create", "-n", namespace, "--dry-run=server", "-o", "json", "-f", "-", given=pod)
    return len(json.loads(answer.out)["spec"]["containers"])
