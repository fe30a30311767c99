"""The rest of the manifests: the server, its keeper of certificates, their rights, and the overlays."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.manifests import shipped
from tools.manifests import MANIFESTS
from webhook.settings import Sources, load
from webhook.settings.environment import PREFIX

ROOT = Path(__file__).resolve().parents[2]
DEPLOYMENTS = ("base/server/deployment.yaml", "base/certs/deployment.yaml")


def _pod(name: str) -> dict[str, Any]:
    found: dict[str, Any] = shipped.read(name)["spec"]["template"]["spec"]
    return found


def _container(name: str) -> dict[str, Any]:
    (found,) = _pod(name)["containers"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_pod_is_as_restricted_as_its_namespace_demands(name: str) -> None:
    pod, container = _pod(name), _container(name)
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["enableServiceLinks"] is False
    assert not pod.get("hostNetwork")


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_the_image_has_the_version_of_the_project(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert _container(name)["image"] == f"percard:{project['version']}"


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_memory_is_limited_and_cpu_is_not(name: str) -> None:
    resources = _container(name)["resources"]
    assert resources["requests"].keys() == {"cpu", "memory"}
    assert resources["limits"].keys() == {"memory"}


def test_a_pod_that_serves_has_no_token_and_no_key_of_the_authority() -> None:
    pod = _pod(DEPLOYMENTS[0])
    assert pod["automountServiceAccountToken"] is False
    (secret,) = (volume["secret"] for volume in pod["volumes"] if "secret" in volume)
    assert {item["key"] for item in secret["items"]} == {"tls.crt", "tls.key"}


def test_a_rollout_never_has_fewer_servers_than_before() -> None:
    spec = shipped.read(DEPLOYMENTS[0])["spec"]
    assert spec["replicas"] >= 2
    assert spec["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


def test_the_shipped_settings_load_and_fit_the_pod() -> None:
    settings = load(Sources(MANIFESTS / "base" / "server" / "settings.yaml", environ={})).settings
    pod, container = _pod(DEPLOYMENTS[0]), _container(DEPLOYMENTS[0])
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert (str(settings.serve.cert), str(settings.serve.key)) == (f"{mounts['tls']}/tls.crt", f"{mounts['tls']}/tls.key")
    assert settings.serve.host == "0.0.0.0"  # noqa: S104 -- a pod is reached from outside
    assert not settings.serve.api
    assert [port["containerPort"] for port in container["ports"]] == [settings.serve.port, settings.serve.ops_port]
    rest = settings.serve.head_timeout + settings.serve.body_timeout
    assert pod["terminationGracePeriodSeconds"] > settings.serve.max_quiet_period + rest
    (variable,) = container["env"]
    assert variable == {"name": f"{PREFIX}CONFIG", "value": f"{mounts['settings']}/settings.yaml"}


def test_probes_and_service_use_the_ports_of_the_container_by_name() -> None:
    container = _container(DEPLOYMENTS[0])
    names = {port["name"] for port in container["ports"]}
    probes = {probe: container[probe]["httpGet"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {probe: get["path"] for probe, get in probes.items()} == {
        "startupProbe": "/livez",
        "livenessProbe": "/livez",
        "readinessProbe": "/readyz",
    }
    assert {get["port"] for get in probes.values()} == {"ops"}
    service = shipped.read("base/server/service.yaml")["spec"]
    assert {port["targetPort"] for port in service["ports"]} == names
    assert {port["port"] for port in service["ports"]} >= {443}


def test_selectors_meet_the_pods_and_tell_servers_from_the_keeper() -> None:
    labels = [shipped.read(name)["spec"]["template"]["metadata"]["labels"] for name in DEPLOYMENTS]
    server = shipped.read("base/server/service.yaml")["spec"]["selector"]
    for selector in (
        server,
        shipped.read("base/server/poddisruptionbudget.yaml")["spec"]["selector"]["matchLabels"],
        shipped.read("base/server/networkpolicy.yaml")["spec"]["podSelector"]["matchLabels"],
    ):
        assert selector.items() <= labels[0].items()
        assert not selector.items() <= labels[1].items()


def test_the_keeper_may_do_only_what_it_does_to_only_what_is_its_own() -> None:
    objects = shipped.documents((MANIFESTS / "base/certs/rbac.yaml").read_text(encoding="utf-8"))
    rules = [rule for obj in objects if obj["kind"] in {"Role", "ClusterRole"} for rule in obj["rules"]]
    allowed = {(tuple(rule["resources"]), tuple(rule.get("resourceNames", ()))): set(rule["verbs"]) for rule in rules}
    assert allowed == {
        (("secrets",), ("percard-tls",)): {"get", "watch", "update"},
        (("secrets",), ()): {"create"},
        (("mutatingwebhookconfigurations", "validatingwebhookconfigurations"), ("percard",)): {"get", "watch", "patch"},
    }


def test_cert_manager_s_overlay_has_no_keeper_of_its_own_and_names_its_certificate() -> None:
    objects = shipped.overlay("cert-manager")
    assert not [obj for obj in objects if obj["metadata"]["name"] == "percard-certs"]
    certificate = shipped.of_kind(objects, "Certificate", "percard")
    assert certificate["spec"]["secretName"] == "percard-tls"
    assert certificate["spec"]["issuerRef"]["name"] == "percard-ca"
    for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"):
        configuration = shipped.of_kind(objects, kind, "percard")
        assert configuration["metadata"]["annotations"] == {"cert-manager.io/inject-ca-from": "percard-system/percard"}
        service = configuration["webhooks"][0]["clientConfig"]["service"]
        assert f"{service['name']}.{service['namespace']}.svc" in certificate["spec"]["dnsNames"]


def test_a_first_look_patches_nothing() -> None:
    assert "MutatingWebhookConfiguration" not in {obj["kind"] for obj in shipped.overlay("audit-first")}


@pytest.mark.parametrize("name", shipped.OVERLAYS)
def test_the_settings_of_an_overlay_are_those_that_its_server_mounts(name: str) -> None:
    objects = shipped.overlay(name)
    deployment = shipped.of_kind(objects, "Deployment", "percard")
    (mounted,) = (volume["configMap"]["name"] for volume in deployment["spec"]["template"]["spec"]["volumes"] if "configMap" in volume)
    settings = shipped.of_kind(objects, "ConfigMap", mounted)
    assert settings["data"]["settings.yaml"] == (MANIFESTS / "base/server/settings.yaml").read_text(encoding="utf-8")
