"""The rights of the keeper of certificates: with the shipped ones everything works, without any one of them something fails."""

import threading
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
import yaml

from certs.controller_cluster import Cluster, Names, connect
from certs.controller_decide import Policy, Publish, Write, decide
from certs.errors import ClusterError
from tests.e2e.installed.api import Api
from tests.e2e.installed.conftest import Installation
from tests.e2e.installed.installation import ADMISSION, CONFIGURATIONS, NAMESPACE
from tests.e2e.processes import wait_for
from tools.manifests import MANIFESTS

Object = dict[str, Any]
RBAC = MANIFESTS / "base" / "certs" / "rbac.yaml"
NOW = 1_796_000_000.0
_numbers = count(1)
GRANTED = [
    (kind, number, verb)
    for kind in ("Role", "ClusterRole")
    for document in yaml.safe_load_all(RBAC.read_text(encoding="utf-8"))
    if document["kind"] == kind
    for number, rule in enumerate(document["rules"])
    for verb in rule["verbs"]
]


class Trial:
    """The shipped roles under names of their own, for objects of their own."""

    def __init__(self, api: Api, installation: Installation) -> None:
        self.name = f"trial-{next(_numbers)}"
        self._api, self._kubectl = api, installation.cluster.kubectl
        self._plane = installation.cluster
        for path in CONFIGURATIONS:
            copy = api.get(path)
            entries = [{**entry, "clientConfig": {"url": entry["clientConfig"]["url"]}} for entry in copy["webhooks"]]
            selector = {"matchLabels": {"kubernetes.io/metadata.name": "nowhere"}}
            webhooks = [{**entry, "namespaceSelector": selector} for entry in entries]
            copy = {"apiVersion": copy["apiVersion"], "kind": copy["kind"], "metadata": {"name": self.name}, "webhooks": webhooks}
            assert api.create(path.rpartition("/")[0], copy).ok

    def grant(self, without: tuple[str, int, str] | None = None) -> Cluster:
        """Apply the roles, but for one verb; return the cluster as their bearer sees it."""
        text = RBAC.read_text(encoding="utf-8").replace("percard-certs", self.name).replace("percard-tls", f"{self.name}-tls")
        documents = list(yaml.safe_load_all(text.replace("resourceNames: [percard]", f"resourceNames: [{self.name}]")))
        for document in documents:
            if without and document["kind"] == without[0]:
                document["rules"][without[1]]["verbs"].remove(without[2])
                document["rules"] = [rule for rule in document["rules"] if rule["verbs"]]
        self._kubectl.succeed("apply", "-f", "-", given={"apiVersion": "v1", "kind": "List", "items": documents})
        user = self._plane.for_token(self._kubectl.succeed("create", "token", self.name, "-n", NAMESPACE).out.strip())
        return Cluster(connect(str(user.kubeconfig)), Names(NAMESPACE, f"{self.name}-tls", self.name, self.name))

    def clean(self) -> None:
        """Remove what was made."""
        for path in CONFIGURATIONS:
            self._api.request("DELETE", f"{path.rpartition('/')[0]}/{self.name}")
        self._api.request("DELETE", f"/api/v1/namespaces/{NAMESPACE}/secrets/{self.name}-tls")
        self._kubectl.run("delete", "clusterrole,clusterrolebinding", self.name)
        self._kubectl.run("delete", "role,rolebinding,serviceaccount", self.name, "-n", NAMESPACE)


@pytest.fixture
def trial(api: Api, installation: Installation) -> Iterator[Trial]:
    found = Trial(api, installation)
    yield found
    found.clean()


def _work(cluster: Cluster) -> None:
    """Do everything that the keeper ever does: make the Secret, publish, change the Secret."""
    policy = Policy(names=("127.0.0.1",))
    done = []
    while isinstance(action := decide(cluster.read(NOW), policy, NOW), Write | Publish):
        if isinstance(action, Write):
            cluster.write(action.stored)
        else:
            for configuration in action.configurations:
                cluster.publish(configuration, action.bundle)
        done.append(type(action))
    assert done == [Write, Publish, Write]


def _watched(cluster: Cluster) -> list[str]:
    """Follow the three objects; return what is refused."""
    told: list[str] = []
    seen, stopping = threading.Semaphore(0), threading.Event()
    cluster.watch(seen.release, told.append, stopping)
    for _ in range(3):
        assert seen.acquire(timeout=30)
    stopping.set()
    return told


def test_with_the_shipped_roles_everything_works(trial: Trial) -> None:
    cluster = trial.grant()
    wait_for(lambda: _succeeds(lambda: cluster.read(NOW)), "the roles are not in force")
    _work(cluster)
    assert _watched(cluster) == []


def _succeeds(call: Callable[[], object]) -> bool:
    try:
        call()
    except ClusterError:
        return False
    return True


@pytest.mark.parametrize("without", GRANTED, ids=lambda found: f"{found[0]}-{found[1]}-{found[2]}")
def test_without_any_one_verb_something_is_refused(without: tuple[str, int, str], trial: Trial) -> None:
    cluster = trial.grant(without)
    if without[2] == "watch":
        wait_for(lambda: _succeeds(lambda: cluster.read(NOW)), "the roles are not in force")
        assert set(_watched(cluster)) == {"watch: 403 Forbidden"}
        return
    if without[2] != "get":
        wait_for(lambda: _succeeds(lambda: cluster.read(NOW)), "the roles are not in force")
    with pytest.raises(ClusterError, match="403 Forbidden"):
        _work(cluster)


@pytest.mark.parametrize(
    "path",
    [
        f"/api/v1/namespaces/{NAMESPACE}/secrets",
        f"/api/v1/namespaces/{NAMESPACE}/secrets/another",
        "/api/v1/namespaces/kube-system/secrets/percard-tls",
        f"/api/v1/namespaces/{NAMESPACE}/pods",
        f"{ADMISSION}/validatingwebhookconfigurations",
        f"{ADMISSION}/validatingwebhookconfigurations/another",
    ],
)
def test_nothing_else_may_be_read(path: str, installation: Installation) -> None:
    token = installation.cluster.kubectl.succeed("create", "token", "percard-certs", "-n", NAMESPACE).out.strip()
    with Api(installation.cluster, token) as keeper:
        assert keeper.request("GET", path).status == 403
