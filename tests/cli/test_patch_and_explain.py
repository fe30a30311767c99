"""What `patch` and `explain` print, from the real program."""

import json
from typing import Any

import jsonpatch
import pytest
import yaml

from tests.cli.program import percard
from tests.lint.manifests import PLAIN, bad_pod

DEPLOYMENT = """\
# kept by nobody
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app
spec:
  template:
    metadata:
      labels:
        volcano.sh/gpu-num: "2"
    spec:
      containers:
        - name: app
          image: example.com/app:1
          resources:
            limits:
              volcano.sh/gpu-mem.128Mi: "64"
              volcano.sh/gpu-core.percentage: "30"
"""
# 64 blocks of 128 MiB are 8192 MiB: 4096 on each of two cards; 30 % are 15 on each.
LIMITS = '{"containers":{"app":{"cards":2,"corePercent":15,"memoryMiB":4096}},"dialect":"huawei"}'


def _patched() -> dict[str, Any]:
    expected: dict[str, Any] = yaml.safe_load(DEPLOYMENT)
    template = expected["spec"]["template"]
    template["metadata"]["annotations"] = {"percard.webhook/limits": LIMITS}
    template["spec"]["schedulerName"] = "volcano"
    return expected


@pytest.mark.parametrize("spelling", ["yaml", "json"])
def test_patch_prints_the_whole_manifest(spelling: str) -> None:
    answer = percard("patch", "-o", spelling, "-", stdin=DEPLOYMENT)
    assert answer.returncode == 0, answer.stderr
    assert (yaml.safe_load if spelling == "yaml" else json.loads)(answer.stdout) == _patched()


def test_patch_as_json_patch() -> None:
    answer = percard("patch", "-o", "jsonpatch", "-", stdin=f"{DEPLOYMENT}---\n{PLAIN}")
    first, second = map(json.loads, answer.stdout.splitlines())
    assert jsonpatch.apply_patch(yaml.safe_load(DEPLOYMENT), first) == _patched()
    assert second == []


def test_patch_keeps_the_other_documents_and_those_with_errors() -> None:
    answer = percard("patch", "-", stdin=f"{PLAIN}---\n{bad_pod()}---\n{DEPLOYMENT}")
    assert list(yaml.safe_load_all(answer.stdout)) == [yaml.safe_load(PLAIN), yaml.safe_load(bad_pod()), _patched()]
    assert answer.returncode == 1
    assert answer.stderr.startswith("-:20:37: error: container 'app': ")


def test_patch_makes_one_list_of_json() -> None:
    answer = percard("patch", "-o", "json", "-", stdin=f"{PLAIN}---\n{PLAIN}")
    assert json.loads(answer.stdout) == {"apiVersion": "v1", "kind": "List", "items": [yaml.safe_load(PLAIN)] * 2}


def test_what_is_patched_needs_no_patch() -> None:
    once = percard("patch", "-", stdin=DEPLOYMENT).stdout
    assert percard("patch", "-", stdin=once).stdout == once
    assert percard("patch", "-o", "jsonpatch", "-", stdin=once).stdout == "[]\n"


def test_patch_does_not_touch_what_an_alias_shares() -> None:
    pods = """\
- apiVersion: v1
  kind: Pod
  metadata: {name: a, labels: &labels {volcano.sh/gpu-num: "2"}}
  spec: &spec {containers: [{name: app, resources: {limits: {volcano.sh/gpu-mem.128Mi: 64}}}]}
- apiVersion: v1
  kind: Pod
  metadata: {name: b, labels: *labels}
  spec: *spec
"""
    found = json.loads(percard("patch", "-o", "json", "-", stdin=f"apiVersion: v1\nkind: List\nitems:\n{pods}").stdout)
    assert [item["spec"]["schedulerName"] for item in found["items"]] == ["volcano", "volcano"]
    assert all("percard.webhook/limits" in item["metadata"]["annotations"] for item in found["items"])


def test_explain_as_json() -> None:
    answer = percard("explain", "-o", "json", "-", stdin=f"{DEPLOYMENT}---\n{bad_pod()}")
    found = json.loads(answer.stdout)
    assert found["version"] == 1
    assert found["pods"][0] == {
        "file": "-",
        "document": 0,
        "kind": "Deployment",
        "namespace": "",
        "name": "app",
        "dialect": "huawei",
        "scheduler": "volcano",
        "granted": True,
        "isolation": {"memory": "isolated", "compute": "isolated, a ceiling; in the cluster's burst mode a floor"},
        "containers": [
            {
                "name": "app",
                "cards": 2,
                "totalMemoryMiB": 8192,
                "totalCorePercent": 30,
                "perCard": {"memoryMiB": 4096, "corePercent": 15},
                "whole": False,
                "memoryAtLeast": False,
            }
        ],
    }
    assert found["pods"][1]["containers"][0]["perCard"] == {"memoryMiB": "8192/3", "corePercent": None}
    assert (answer.returncode, found["pods"][1]["granted"]) == (1, False)


VOLCENGINE = """\
apiVersion: v1
kind: Pod
metadata:
  name: app
  annotations: {{{annotations}}}
spec:
  containers:
    - name: app
      image: example.com/app:1
      resources: {{limits: {{{limits}}}}}
"""
LIST = 'vke.volcengine.com/container-multiple-gpu: "2"'
POLICY = "vke.volcengine.com/mgpu-compute-policy: "


@pytest.mark.parametrize(
    ("annotations", "core", "compute"),
    [
        ("", 30, "isolated, a ceiling"),
        (f"{POLICY}fixed-share", 30, "isolated, a ceiling"),
        (f"{POLICY}guaranteed-burst-share", 30, "isolated as a floor, idle time may be used beyond it"),
        (f"{POLICY}native-burst-share", 30, "scheduled only, containers on a card compete at run time"),
        (f"{LIST}, {POLICY}native-burst-share", 30, "scheduled only, containers on a card compete at run time"),
        (f"{LIST}, {POLICY}native-burst-share", 200, "the cards are the container's own"),
    ],
    ids=["no policy", "fixed", "guaranteed", "native", "several cards", "whole cards"],
)
def test_what_is_isolated_and_what_is_only_scheduled_follows_the_policy(annotations: str, core: int, compute: str) -> None:
    memory = "" if core == 200 else ", vke.volcengine.com/mgpu-memory: 8192"
    text = VOLCENGINE.format(annotations=annotations, limits=f"vke.volcengine.com/mgpu-core: {core}{memory}")
    (pod,) = json.loads(percard("explain", "-o", "json", "-", stdin=text).stdout)["pods"]
    assert (pod["granted"], pod["isolation"]["compute"]) == (True, compute)


def test_compute_that_nobody_asks_for_is_not_isolated() -> None:
    text = DEPLOYMENT.replace('              volcano.sh/gpu-core.percentage: "30"\n', "")
    (pod,) = json.loads(percard("explain", "-o", "json", "-", stdin=text).stdout)["pods"]
    assert pod["isolation"] == {"memory": "isolated", "compute": "not asked for, containers on a card compete at run time"}


def test_a_bad_manifest_is_granted_nothing() -> None:
    answer = percard("explain", "-", stdin=bad_pod())
    assert answer.stdout.splitlines()[1].strip() == "nothing is granted while there are errors; what is asked for:"
    assert "nothing is granted" not in percard("explain", "-", stdin=DEPLOYMENT).stdout


def test_explain_as_text() -> None:
    answer = percard("explain", "-", stdin=DEPLOYMENT)
    heading, titles, row = answer.stdout.splitlines()[:3]
    assert (heading, answer.returncode) == ("Deployment app (huawei, scheduler volcano)", 0)
    assert titles.split() == ["CONTAINER", "CARDS", "MEMORY", "COMPUTE", "MEMORY/CARD", "COMPUTE/CARD"]
    assert row.split("  ")[-1].strip() == "15 %"


def test_explain_leaves_out_what_holds_no_share_even_where_it_cannot_be_read() -> None:
    answer = percard("explain", "-o", "json", "-", stdin=f"a: [\n---\n{PLAIN}---\n{DEPLOYMENT}")
    assert [pod["document"] for pod in json.loads(answer.stdout)["pods"]] == [2]
    assert (answer.returncode, answer.stderr) == (0, "")
