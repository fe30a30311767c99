"""A run over files: what is examined, counted, skipped, unreadable."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lint.manifests import PLAIN, bad_pod, good_pod
from webhook import build_engine
from webhook.core.engine import Engine
from webhook.lint.report import Report
from webhook.lint.run import Checker
from webhook.lint.sources import find_sources

Check = Callable[..., Report]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return build_engine()


@pytest.fixture
def check(tmp_path: Path, engine: Engine) -> Check:
    def run(*contents: str | bytes) -> Report:
        for number, content in enumerate(contents):
            (tmp_path / f"{number}.yaml").write_bytes(content.encode() if isinstance(content, str) else content)
        return Checker(engine).check(find_sources([str(tmp_path)]))

    return run


def _figures(report: Report) -> tuple[int, ...]:
    return (report.files, report.skipped, report.documents, report.pods, report.errors, len(report.unreadable))


def test_a_clean_pod(check: Check) -> None:
    assert _figures(check(good_pod())) == (1, 0, 1, 1, 0, 0)


def test_a_finding_has_file_document_and_range(check: Check, tmp_path: Path) -> None:
    report = check(f"# first\n---\n{PLAIN}---\n{bad_pod()}")
    (located,) = report.findings
    # 2 lines, 4 of the plain object, a separator, then line 15 of the pod.
    assert (located.file, located.document, located.finding.check) == (str(tmp_path / "0.yaml"), 1, "memory-step")
    assert located.position == (22, 37, 22, 41)
    assert located.excerpt.text.endswith('volcano.sh/gpu-mem.128Mi: "64"')


def test_a_file_without_marks_is_skipped_unparsed(check: Check) -> None:
    assert _figures(check(PLAIN, "a: [\n", b"\xff\xfe")) == (3, 3, 0, 0, 0, 0)


@pytest.mark.parametrize(
    "key", [r'"volcano.sh\x2fgpu-mem.128Mi"', r'"volcano.sh\/gpu-mem.128Mi"', '"volcano.sh/gpu-\\\n              mem.128Mi"']
)
def test_a_mark_that_is_spelt_with_escapes_is_no_reason_to_skip(check: Check, key: str) -> None:
    text = bad_pod().replace("volcano.sh/gpu-mem.128Mi", key).replace("volcano.sh/gpu-num", r'"volcano.sh\x2fgpu-num"')
    assert check(text).skipped == 0


def test_a_broken_file_with_marks_is_unreadable_with_its_place(check: Check) -> None:
    report = check("a: 1\nvolcano.sh/gpu-mem.128Mi: [\n")
    (broken,) = report.unreadable
    assert broken.position is not None
    assert (broken.position.line, broken.position.column) == (3, 1)


def test_the_other_documents_of_a_broken_file_are_judged(check: Check) -> None:
    assert _figures(check(f"{bad_pod()}---\nvolcano.sh/gpu-num: [\n---\n{bad_pod()}")) == (1, 0, 3, 2, 2, 1)


def test_a_broken_document_is_told_of_in_a_file_with_marks(check: Check) -> None:
    assert _figures(check(f"{bad_pod()}---\na: [\n")) == (1, 0, 2, 1, 1, 1)


def test_a_list_is_walked(check: Check) -> None:
    items = "".join(f"- {pod.replace(chr(10), chr(10) + '  ').rstrip()}\n" for pod in (bad_pod(), good_pod(), bad_pod()))
    report = check(f"apiVersion: v1\nkind: List\nitems:\n{items}")
    assert _figures(report) == (1, 0, 1, 3, 2, 0)
    assert [str(located.finding.path)[:8] for located in report.findings] == ["items[0]", "items[2]"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"], ids=["UTF-16", "UTF-8 with a byte order mark"])
def test_other_encodings(check: Check, encoding: str) -> None:
    report = check(bad_pod().encode(encoding))
    assert [located.position.line for located in report.findings] == [15]


def test_json_files(tmp_path: Path, engine: Engine) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"labels": {"volcano.sh/gpu-num": "3"}},
        "spec": {"containers": [{"name": "a", "resources": {"limits": {"volcano.sh/gpu-mem.128Mi": 64}}}]},
    }
    (tmp_path / "pod.json").write_text(json.dumps(pod, indent=2), encoding="utf-8")
    (located,) = Checker(engine).check([str(tmp_path / "pod.json")]).findings
    assert (located.finding.check, located.excerpt.text.strip()) == ("memory-step", '"volcano.sh/gpu-mem.128Mi": 64')


def test_an_object_from_a_live_cluster_skips_the_checks_of_creation(check: Check) -> None:
    named = good_pod().replace("  schedulerName", "  nodeName: n1\n  schedulerName")
    live = named.replace("metadata:", 'metadata:\n  resourceVersion: "7"')
    found = {located.file[-6:]: located.finding.check for located in check(named, live).findings}
    assert found == {"0.yaml": "scheduler-bypass"}


def test_the_template_that_helm_rendered_is_named(check: Check) -> None:
    (located,) = check(f"---\n# Source: app/templates/pod.yaml\n{bad_pod()}").findings
    assert located.origin == "app/templates/pod.yaml"


def test_a_long_line_is_cut_around_the_range(check: Check) -> None:
    limits = {"volcano.sh/gpu-mem.128Mi": 64}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"labels": {"volcano.sh/gpu-num": "3"}, "x": "y" * 5000},
        "spec": {"containers": [{"resources": {"limits": limits}}]},
    }
    (located,) = check(json.dumps(pod)).findings
    start = located.position.column - located.excerpt.column
    assert (len(located.excerpt.text) <= 160, located.excerpt.text[start : start + 2]) == (True, "64")


def test_a_large_file_is_cut_as_it_is_read(check: Check) -> None:
    filler = f"---\n{PLAIN}" * 3000
    report = check(f"{bad_pod()}{filler}---\n{bad_pod()}")
    lines = bad_pod().count("\n") + filler.count("\n") + 1
    assert [located.position.line for located in report.findings] == [15, lines + 15]
    assert _figures(report) == (1, 0, 3002, 2, 2, 0)


def test_a_file_that_cannot_be_opened_is_unreadable(check: Check, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").symlink_to(tmp_path / "gone")
    report = check()
    assert [(broken.position, broken.message) for broken in report.unreadable] == [(None, "No such file or directory")]
