"""Policies follow the settings: what they have switched off goes with the command that docs/policies.md names."""

import re
import shlex
from pathlib import Path
from typing import Any

import trustme

from tests.e2e.controlplane import control_plane
from tests.e2e.programs import Programs
from webhook import build_engine, load_settings
from webhook.policies.documents import yaml_text
from webhook.policies.generation import policies

_PAGE = Path(__file__).parents[3] / "docs" / "policies.md"
_COMMAND = re.compile(r"percard policies \| kubectl (apply -f - --prune .*?)\n```", re.DOTALL)
_ALL = {f"percard-{subject}{level}" for subject in ("pods", "workloads") for level in ("", "-warnings")}


def _command() -> list[str]:
    found = _COMMAND.search(_PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return shlex.split(found[1])


def _printed(settings: dict[str, Any]) -> str:
    return yaml_text(policies(build_engine(load_settings(None, {}, settings)), version="1.30"))


def test_a_policy_that_the_settings_switch_off_goes_when_the_others_are_applied_with_pruning(
    programs: Programs, authority: trustme.CA, tmp_path: Path
) -> None:
    with control_plane(programs, tmp_path, authority) as cluster:
        stranger = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "kept", "labels": {"app.kubernetes.io/name": "percard"}}}
        cluster.kubectl.succeed("apply", "-f", "-", given=stranger)
        for settings, kept in (({}, _ALL), ({"workloads": "off"}, {"percard-pods", "percard-pods-warnings"}), ({}, _ALL)):
            cluster.kubectl.succeed(*_command(), given=_printed(settings))
            assert {policy["metadata"]["name"] for policy in cluster.kubectl.items("validatingadmissionpolicies")} == kept
            bound = {binding["spec"]["policyName"] for binding in cluster.kubectl.items("validatingadmissionpolicybindings")}
            assert bound == kept
        assert cluster.kubectl.run("get", "configmap", "kept").code == 0
