"""What is read from and written to an API server, and what happens where somebody else writes too."""

import base64
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from kubernetes import client

from certs.controller_cluster import Cluster, Names, connect
from certs.controller_decide import Write, decide
from certs.errors import ClusterError, ConflictError
from tests.certs.fake_api import FakeApi, fake_api
from tests.certs.simulation import NOW, POLICY

STORED = "/api/v1/namespaces/percard-system/secrets/percard-tls"
ADMISSION = "/apis/admissionregistration.k8s.io/v1"
MUTATING = f"{ADMISSION}/mutatingwebhookconfigurations/percard"
VALIDATING = f"{ADMISSION}/validatingwebhookconfigurations/percard"


def _entry(name: str) -> dict[str, Any]:
    config = {"service": {"name": "percard", "namespace": "percard-system", "path": "/validate"}}
    return {"name": name, "clientConfig": config, "sideEffects": "None", "admissionReviewVersions": ["v1"], "future": {"field": 1}}


@pytest.fixture
def api() -> Iterator[FakeApi]:
    with fake_api() as server:
        server.put(VALIDATING, {"metadata": {"name": "percard"}, "webhooks": [_entry("a.b.c"), _entry("d.e.f")]})
        yield server


@pytest.fixture
def cluster(api: FakeApi) -> Cluster:
    return Cluster(client.ApiClient(client.Configuration(host=api.url)), Names("percard-system", "percard-tls", "percard", "percard"))


def _write_once(cluster: Cluster) -> Write:
    action = decide(cluster.read(NOW), POLICY, NOW)
    assert isinstance(action, Write)
    cluster.write(action.stored)
    return action


def test_what_is_missing_is_read_as_nothing(cluster: Cluster) -> None:
    seen = cluster.read(NOW)
    assert seen.stored is None
    assert seen.bundles == {"validating": [b"", b""]}


def test_the_secret_is_made_and_read_back(api: FakeApi, cluster: Cluster) -> None:
    written = _write_once(cluster).stored
    assert ("POST", "/api/v1/namespaces/percard-system/secrets") in api.seen
    read = cluster.read(NOW).stored
    assert read
    assert read.successor == written.successor


def test_the_secret_is_replaced_with_the_version_that_was_read_and_keeps_what_others_noted(api: FakeApi, cluster: Cluster) -> None:
    api.put(STORED, {"metadata": {"name": "percard-tls", "labels": {"team": "a"}}, "data": {}})
    _write_once(cluster)
    assert api.objects[STORED]["metadata"]["labels"] == {"team": "a"}
    assert "next.key" in api.objects[STORED]["data"]


def test_a_secret_that_changed_in_between_is_a_conflict(api: FakeApi, cluster: Cluster) -> None:
    api.put(STORED, {"metadata": {"name": "percard-tls"}, "data": {}})
    action = decide(cluster.read(NOW), POLICY, NOW)
    assert isinstance(action, Write)
    api.put(STORED, {"metadata": {"name": "percard-tls"}, "data": {"other": ""}})
    with pytest.raises(ConflictError):
        cluster.write(action.stored)


def test_ca_bundle_of_every_entry_is_written_and_nothing_else(api: FakeApi, cluster: Cluster) -> None:
    before = api.objects[VALIDATING]["webhooks"]
    cluster.read(NOW)
    cluster.publish("validating", b"bundle")
    after = api.objects[VALIDATING]["webhooks"]
    value = base64.b64encode(b"bundle").decode()
    assert after == [{**entry, "clientConfig": {**entry["clientConfig"], "caBundle": value}} for entry in before]
    assert cluster.read(NOW).bundles == {"validating": [b"bundle", b"bundle"]}


def test_a_configuration_that_changed_in_between_is_a_conflict(api: FakeApi, cluster: Cluster) -> None:
    cluster.read(NOW)
    api.put(VALIDATING, {"metadata": {"name": "percard"}, "webhooks": [_entry("d.e.f")]})
    with pytest.raises(ConflictError):
        cluster.publish("validating", b"bundle")


def test_a_mutating_configuration_is_written_by_its_own_call(api: FakeApi, cluster: Cluster) -> None:
    api.put(MUTATING, {"metadata": {"name": "percard"}, "webhooks": [_entry("a.b.c")]})
    cluster.read(NOW)
    cluster.publish("mutating", b"bundle")
    assert api.seen[-1][0] == "PATCH"
    assert api.seen[-1][1].startswith(f"{MUTATING}?fieldManager=percard-certs")


def test_an_api_server_that_is_not_there_is_told_by_the_call_that_failed() -> None:
    with fake_api() as server:
        url = server.url
    nowhere = Cluster(client.ApiClient(client.Configuration(host=url)), Names("n", "s", "m", "v"))
    with pytest.raises(ClusterError, match=r"^read_namespaced_secret: "):
        nowhere.read(NOW)


def test_outside_a_cluster_a_kubeconfig_is_needed() -> None:
    with pytest.raises(ClusterError, match="no way to the API server"):
        connect(None)
    with pytest.raises(ClusterError, match="no way to the API server"):
        connect("/nowhere/kubeconfig")


def test_a_watch_follows_each_object_by_its_name_alone(api: FakeApi, cluster: Cluster) -> None:
    changed, stopping = threading.Semaphore(0), threading.Event()
    cluster.watch(changed.release, pytest.fail, stopping)
    for _ in range(3):
        assert changed.acquire(timeout=30)
    stopping.set()
    watched = {path.partition("?")[0]: path for _, path in api.seen}
    assert watched.keys() == {
        "/api/v1/namespaces/percard-system/secrets",
        f"{ADMISSION}/mutatingwebhookconfigurations",
        f"{ADMISSION}/validatingwebhookconfigurations",
    }
    for path, whole in watched.items():
        name = "percard-tls" if path.endswith("secrets") else "percard"
        assert f"fieldSelector=metadata.name%3D{name}&" in whole
        assert "watch=true" in whole


def test_a_watch_that_is_refused_is_told_and_the_object_looked_at_all_the_same() -> None:
    told: list[str] = []
    changed, stopping = threading.Semaphore(0), threading.Event()
    with fake_api() as server:
        url = server.url
    nowhere = Cluster(client.ApiClient(client.Configuration(host=url)), Names("n", "s", "m", "v"))
    nowhere.watch(changed.release, told.append, stopping)
    for _ in range(3):
        assert changed.acquire(timeout=30)
    stopping.set()
    assert told == ["watch: MaxRetryError"] * 3
