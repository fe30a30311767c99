"""Chart templates and kustomize patches are not judged, and said once what to run instead."""

from pathlib import Path

import pytest

from tests.lint.manifests import PLAIN, bad_pod, good_pod
from tests.lint.rendering import ENGINE
from webhook.lint.report import Report
from webhook.lint.run import Checker
from webhook.lint.sources import find_sources

PATCH = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec:
  template:
    spec:
      containers:
        - name: app
          resources: {limits: {volcano.sh/gpu-mem.128Mi: 64, volcano.sh/gpu-core.percentage: 7}}
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def _check(*paths: str) -> Report:
    return Checker(ENGINE).check(find_sources(paths))


@pytest.mark.parametrize("path", [".", "charts/app/templates/sub/pod.yaml"], ids=["below a folder", "named"])
def test_templates_of_a_chart(path: str) -> None:
    template = "{{- range .Values.pods }}\nvolcano.sh/gpu-num: [\n{{- end }}\n"
    _write(
        {"charts/app/Chart.yaml": "name: app\n", "charts/app/templates/pod.yaml": template, "charts/app/templates/sub/pod.yaml": template}
    )
    report = _check(path)
    assert list(report.notes) == ["the templates of the chart charts/app are not judged; run: helm template charts/app | percard check -"]
    assert (report.findings, report.unreadable, report.skipped) == ([], [], report.files)


def test_what_else_a_chart_holds_is_judged() -> None:
    _write({"app/Chart.yaml": "name: app\n", "app/crds/pod.yaml": bad_pod(), "templates/pod.yaml": bad_pod()})
    assert sorted(located.file for located in _check(".").findings) == ["app/crds/pod.yaml", "templates/pod.yaml"]


def test_templates_without_marks_need_no_note() -> None:
    _write({"app/Chart.yaml": "name: app\n", "app/templates/pod.yaml": "{{ x }}\n"})
    assert _check(".").notes == {}


@pytest.mark.parametrize(
    "kustomization",
    ["patches:\n- path: patch.yaml\n", "patchesStrategicMerge:\n- patch.yaml\n", "patchesJson6902:\n- path: ./patch.yaml\n  target: {}\n"],
    ids=["patches", "patchesStrategicMerge", "patchesJson6902"],
)
def test_patches_that_a_kustomization_names(kustomization: str) -> None:
    _write({"base/kustomization.yaml": kustomization, "base/patch.yaml": bad_pod(), "base/pod.yaml": bad_pod()})
    report = _check("base")
    assert [located.file for located in report.findings] == ["base/pod.yaml"]
    assert list(report.notes) == ["the patches of the kustomization base are not judged; run: kustomize build base | percard check -"]


def test_a_patch_in_a_folder_below() -> None:
    _write({"k/kustomization.yml": "patches: [{path: patches/gpu.yaml}]\n", "k/patches/gpu.yaml": bad_pod()})
    assert _check("k").findings == []


@pytest.mark.parametrize("near", [True, False], ids=["beside a kustomization", "on its own"])
def test_a_fragment_of_a_workload(near: bool) -> None:  # noqa: FBT001 - a parameter
    _write({"o/patch.yaml": PATCH} | ({"o/kustomization.yaml": "resources: []\n"} if near else {}))
    report = _check("o/patch.yaml")
    assert (report.findings, len(report.notes), report.pods) == ([], 1, 0)


def test_a_pod_without_image_is_judged_where_no_kustomization_is_near() -> None:
    _write({"pod.yaml": bad_pod().replace("      image: example.com/app:1\n", "")})
    assert len(_check("pod.yaml").findings) == 1


def test_a_broken_kustomization_names_nothing() -> None:
    _write({"kustomization.yaml": "patches: [\n", "pod.yaml": bad_pod()})
    assert len(_check(".").findings) == 1


def test_plain_files_have_no_note() -> None:
    _write({"a.yaml": good_pod(), "b.yaml": PLAIN})
    assert _check(".").notes == {}


def test_a_fragment_that_comes_over_standard_input_is_judged() -> None:
    assert len(Checker(ENGINE).check_bytes("-", PATCH.encode()).findings) == 1


def test_a_fragment_that_a_kustomization_names_as_a_resource_is_judged() -> None:
    _write({"o/patch.yaml": PATCH, "o/kustomization.yaml": "resources: [patch.yaml]\n"})
    report = _check("o")
    assert (len(report.findings), list(report.notes)) == (1, [])
