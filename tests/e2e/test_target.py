"""With a target, the pods of each vendor's workload are stored in it, with the figures that each card gives."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme
import yaml

from tests.e2e import examples, webhooks
from tests.e2e.conftest import Namespaces
from tests.e2e.kubectl import Kubectl
from tests.e2e.processes import wait_for
from tests.e2e.server import Server, percard_server
from tools.manifests import webhooks as generated
from webhook.settings import Sources, load

# What each card gives: 4096 MiB and 30 % over 2 cards, 64 blocks of 128 MiB over 2 cards, 8 GiB over 2 cards.
_GRANTED: dict[str, tuple[dict[str, str], dict[str, int]]] = {
    "volcengine/deployment.yaml": (
        {"nvidia.com/gpu": "2", "nvidia.com/gpumem": "2048", "nvidia.com/gpucores": "15"},
        {"cards": 2, "corePercent": 15, "memoryMiB": 2048},
    ),
    "huawei/deployment.yaml": ({"nvidia.com/gpu": "2", "nvidia.com/gpumem": "4096"}, {"cards": 2, "memoryMiB": 4096}),
    "alibaba/job.yaml": ({"nvidia.com/gpu": "2", "nvidia.com/gpumem": "4096"}, {"cards": 2, "memoryMiB": 4096}),
}
_OURS = ("vke.volcengine.com/", "volcano.sh/", "aliyun.com/")


@pytest.fixture(scope="module")
def settings_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("target") / "percard.yaml"
    file.write_text("target: hami\n", encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def rewriting_server(authority: trustme.CA, settings_file: Path) -> Iterator[Server]:
    """Run a second percard, with a target."""
    with percard_server(settings_file.parent / "server", authority, ["--config", settings_file]) as running:
        yield running


@pytest.fixture(scope="module")
def target_namespace(kubectl: Kubectl, rewriting_server: Server, settings_file: Path) -> Iterator[str]:
    """Return a namespace whose objects go to that server alone."""
    name = "target-hami"
    labels = {"percard.webhook/mode": "off", "kubernetes.io/metadata.name": name}
    kubectl.succeed("create", "-f", "-", given={"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}})
    created = list(_configurations(name, rewriting_server, settings_file))
    for configuration in created:
        kubectl.succeed("create", "-f", "-", given=configuration)
    pod = examples.as_kind("Pod", "probe", _template("huawei/deployment.yaml"))
    shown = ("apply", "-n", name, "--dry-run=server", "-o", "yaml", "-f", "-")
    wait_for(lambda: "nvidia.com/gpumem" in kubectl.run(*shown, given=pod).out, "the API server does not call the second percard")
    yield name
    for configuration in created:
        kubectl.succeed("delete", configuration["kind"], configuration["metadata"]["name"])


def _configurations(namespace: str, server: Server, settings_file: Path) -> Iterator[dict[str, Any]]:
    """Yield the shipped configurations as they are generated for these settings, for one namespace."""
    for file, text in generated(load(Sources(settings_file, {})).settings):
        if file.parent.parent.name == "base":
            configuration = webhooks.only_in(namespace, webhooks._with_url(yaml.safe_load(text), server.url, server.ca_file))
            configuration["metadata"] = {"name": f"{configuration['metadata']['name']}-target"}
            yield configuration


def _template(name: str) -> dict[str, Any]:
    return examples.template_of(examples.read(examples.FOLDER / name))


def _stored(kubectl: Kubectl, namespace: str, label: str) -> dict[str, Any]:
    wait_for(lambda: bool(kubectl.items("pods", "-n", namespace, "-l", label)), f"no pod in {namespace}")
    return dict(kubectl.items("pods", "-n", namespace, "-l", label)[0])


@pytest.mark.parametrize("name", _GRANTED)
def test_a_deployment_is_stored_as_it_is_and_its_pods_as_hamis(name: str, kubectl: Kubectl, target_namespace: str) -> None:
    resources, figures = _GRANTED[name]
    source = name.split("/", maxsplit=1)[0]
    template = _template(name)
    template["metadata"]["labels"]["app"] = source
    workload = examples.as_kind("Deployment", source, template)
    for _ in range(2):
        answer = kubectl.apply(workload, "-n", target_namespace)
        assert (answer.code, answer.err) == (0, "")
    pod = _stored(kubectl, target_namespace, f"app={source}")
    (container,) = pod["spec"]["containers"]
    for bag in ("limits", "requests"):
        assert {key: amount for key, amount in container["resources"][bag].items() if key.startswith("nvidia.com/")} == resources
    keys = {*container["resources"]["limits"], *pod["metadata"].get("labels", {}), *pod["metadata"]["annotations"]}
    assert [key for key in keys if key.startswith(_OURS)] == []
    assert pod["spec"]["schedulerName"] == "hami-scheduler"
    annotations = pod["metadata"]["annotations"]
    assert json.loads(annotations["percard.webhook/limits"]) == {"containers": {container["name"]: figures}, "dialect": "hami"}
    assert annotations["percard.webhook/source"] == source
    stored = kubectl.get("deployment", source, "-n", target_namespace)["spec"]["template"]["spec"]["containers"][0]
    assert any(key.startswith(_OURS) for key in stored["resources"]["limits"])


def test_a_pod_that_the_target_cannot_say_is_refused_with_the_reason(kubectl: Kubectl, target_namespace: str) -> None:
    template = _template("alibaba/job.yaml")
    template["metadata"]["labels"]["ack.gpushare.placement"] = "require-whole-device"
    answer = kubectl.apply(examples.as_kind("Pod", "placed", template), "-n", target_namespace)
    assert answer.code == 1
    assert "cannot be written as HAMi" in answer.err
    assert "[target-dialect]" in answer.err


def test_a_wrong_hami_pod_is_refused_too(kubectl: Kubectl, target_namespace: str) -> None:
    limits = {"nvidia.com/gpu": "1", "nvidia.com/gpumem": "4Gi"}
    container = {"name": "app", "image": "registry.example/app:1", "resources": {"limits": limits}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "bytes"}, "spec": {"containers": [container]}}
    answer = kubectl.apply(pod, "-n", target_namespace)
    assert answer.code == 1
    assert "[quantity]" in answer.err


def test_elsewhere_pods_stay_in_their_dialect(kubectl: Kubectl, make_namespace: Namespaces) -> None:
    namespace = make_namespace()
    kubectl.succeed("apply", "-n", namespace, "-f", "-", given=examples.as_kind("Pod", "plain", _template("huawei/deployment.yaml")))
    limits = kubectl.get("pod", "plain", "-n", namespace)["spec"]["containers"][0]["resources"]["limits"]
    assert "volcano.sh/gpu-mem.128Mi" in limits
