"""The manifests as kubectl takes them: strictly valid, the same twice, upgraded by one command."""

import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.installed.api import Api
from tests.e2e.installed.conftest import Installation
from tests.e2e.installed.installation import CONFIGURATIONS, NAMESPACE, bundles, overlay_with_url
from tools.manifests import INSTALL, MANIFESTS

Object = dict[str, Any]
APPLIED = [
    INSTALL,
    *(MANIFESTS / "overlays" / name for name in ("self-signed", "audit-first", "cert-manager", "with-floor", "policies-only")),
    MANIFESTS / "monitoring",
]


@pytest.mark.parametrize("what", APPLIED, ids=lambda path: path.name)
def test_a_server_side_dry_run_finds_no_unknown_field(what: Path, installation: Installation) -> None:
    how = "-f" if what.is_file() else "-k"
    answer = installation.cluster.kubectl.run("apply", "--dry-run=server", "--validate=strict", how, str(what))
    assert (answer.code, [line for line in answer.err.splitlines() if "unknown field" in line or "violate" in line]) == (0, []), answer.err


def test_applying_again_changes_nothing(installation: Installation, api: Api) -> None:
    kubectl = installation.cluster.kubectl
    before = bundles(api)
    difference = kubectl.run("diff", "-k", str(installation.overlay))
    assert (difference.code, difference.out) == (0, "")
    kubectl.succeed("apply", "-k", str(installation.overlay))
    assert bundles(api) == before
    assert all(before)


def test_pods_of_the_deployments_are_made_under_the_restricted_profile(installation: Installation) -> None:
    pods = installation.cluster.kubectl.items("pods", "-n", NAMESPACE)
    made = Counter(pod["metadata"]["labels"]["app.kubernetes.io/component"] for pod in pods)
    # At least two servers: without nodes none becomes ready, so that a rollout has a third one waiting.
    assert made["certs"] == 1
    assert made["server"] >= 2
    for pod in pods:
        projected = [volume for volume in pod["spec"].get("volumes", []) if "projected" in volume]
        if pod["metadata"]["labels"]["app.kubernetes.io/component"] == "server":
            assert projected == []


def test_an_upgrade_with_other_settings_and_another_mark_is_one_command(
    installation: Installation, api: Api, overlay: str, tmp_path: Path
) -> None:
    kubectl = installation.cluster.kubectl
    before = bundles(api)
    shutil.copytree(MANIFESTS, tmp_path / "manifests", ignore=shutil.ignore_patterns("examples"))
    settings = tmp_path / "manifests" / "base" / "server" / "settings.yaml"
    settings.write_text(settings.read_text(encoding="utf-8") + "workloads: warning\n", encoding="utf-8")
    for file in (tmp_path / "manifests" / "base" / "webhooks").glob("*ing.yaml"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("key.startsWith('volcano.sh/gpu-')", "key.startsWith('volcano.example/gpu-')"), encoding="utf-8")
    upgraded = overlay_with_url(tmp_path / "overlay", f"https://127.0.0.1:{installation.port}", overlay, tmp_path / "manifests")
    try:
        kubectl.succeed("apply", "-k", str(upgraded))
        assert bundles(api) == before
        expressions = [condition["expression"] for path in CONFIGURATIONS for condition in _conditions(api.get(path))]
        assert all("volcano.example/gpu-" in text and "'volcano.sh/gpu-'" not in text for text in expressions)
        deployment = kubectl.get("deployment", "percard", "-n", NAMESPACE)
        mounted = _settings_of(deployment)
        assert "workloads: warning" in kubectl.get("configmap", mounted, "-n", NAMESPACE)["data"]["settings.yaml"]
    finally:
        kubectl.succeed("apply", "-k", str(installation.overlay))
    assert _settings_of(kubectl.get("deployment", "percard", "-n", NAMESPACE)) != mounted


def _conditions(configuration: Object) -> list[Object]:
    return [condition for entry in configuration["webhooks"] for condition in entry["matchConditions"]]


def _settings_of(deployment: Object) -> str:
    volumes = deployment["spec"]["template"]["spec"]["volumes"]
    (name,) = (volume["configMap"]["name"] for volume in volumes if "configMap" in volume)
    assert isinstance(name, str)
    assert re.fullmatch(r"percard-settings-[a-z0-9]{10}", name)
    return name
