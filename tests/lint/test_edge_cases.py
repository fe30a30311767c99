"""Documents that are no ordinary objects: each kind of oddity that checkers of manifests have stumbled over, with a sensible result."""

from pathlib import Path

import pytest

from tests.cli.program import percard
from tests.lint.manifests import PLAIN, bad_pod, good_pod
from tests.lint.rendering import ENGINE
from webhook.lint.report import Report
from webhook.lint.run import Checker

MARK = "volcano.sh/gpu-num"
LIST = "apiVersion: v1\nkind: List\nitems:"


def _check(text: str) -> Report:
    return Checker(ENGINE).check_bytes("a.yaml", text.encode())


def _indented(pod: str) -> str:
    return "\n- " + pod.rstrip().replace("\n", "\n  ") + "\n"


@pytest.mark.parametrize(
    ("text", "documents", "pods"),
    [
        ("", 0, 0),
        (f"# {MARK}\n", 0, 0),
        (f"---\n# {MARK}\n---\n", 0, 0),
        (f"---\n---\n---\n{good_pod()}---\n---\n", 1, 1),
        (f"---\n\n---\n   \n---\n{good_pod()}---\n# the end\n", 1, 1),
        (f"{PLAIN}---\n{good_pod()}---\n", 2, 1),
        (f"# {MARK}\nnull\n---\n# {MARK}\n~\n---\n{good_pod()}", 1, 1),
        (f"{good_pod()}...\n", 1, 1),
        (f"{LIST}  # {MARK}\n", 1, 0),
        (f"{LIST} []  # {MARK}\n", 1, 0),
        (f"{LIST} null  # {MARK}\n", 1, 0),
        (f"{LIST}\n- null  # {MARK}\n- []\n- text\n", 1, 0),
        (f"{LIST}{_indented(good_pod())}- {{}}\n", 1, 1),
        (f"apiVersion: v1\nkind: List  # {MARK}\n", 1, 0),
        (f"apiVersion: v1\nkind: Pod  # {MARK}\nspec: null\n", 1, 0),
        (f"apiVersion: v1\nkind: Pod  # {MARK}\nspec: {{containers: null}}\n", 1, 0),
        (f"apiVersion: v1\nkind: Pod  # {MARK}\nspec: {{containers: [null, 1, x, []]}}\n", 1, 0),
        (f'"{MARK}"\n', 1, 0),
        (f"- {MARK}\n- 1\n", 1, 0),
        ("'{\"volcano.sh/gpu-num\": 1}'\n", 1, 0),
    ],
    ids=[
        "nothing",
        "comments only",
        "separators and comments only",
        "empty documents around",
        "blank documents around",
        "a separator at the end",
        "null documents",
        "an end of document",
        "a list without items",
        "an empty list",
        "a null list",
        "a list of what are no objects",
        "an empty object in a list",
        "a list that lacks its items",
        "a null spec",
        "null containers",
        "containers that are none",
        "a text",
        "a list of texts",
        "JSON in a text",
    ],
)
def test_what_holds_nothing_to_judge_is_clean(text: str, documents: int, pods: int) -> None:
    report = _check(text)
    assert (report.findings, report.unreadable) == ([], [])
    assert (report.documents if report.skipped == 0 else 0, report.pods) == (documents, pods)


@pytest.mark.parametrize("gone", ["kind: Pod\n", "apiVersion: v1\n", "  name: trial\n"], ids=["kind", "apiVersion", "name"])
def test_an_object_that_lacks_a_name_is_still_judged(gone: str) -> None:
    report = _check(bad_pod().replace(gone, ""))
    assert [located.finding.check for located in report.findings] == ([] if gone.startswith("kind") else ["memory-step"])
    assert report.unreadable == []


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (bad_pod().replace("kind: Pod\n", "kind: Pod\nkind: Pod\n"), (3, 1), "duplicate key 'kind'"),
        (f"{bad_pod()}          volcano.sh/gpu-mem.128Mi: 66\n", (16, 11), "duplicate key 'volcano.sh/gpu-mem.128Mi'"),
        ('{"kind": "Pod", "volcano.sh/gpu-num": 1, "volcano.sh/gpu-num": 2}\n', (1, 42), "duplicate key 'volcano.sh/gpu-num'"),
        (f"{bad_pod()}\tx: 1\n", (16, 1), "found character that cannot start any token"),
        (f"{MARK}: &a [*a]\n", (1, 25), "anchor 'a' contains itself"),
        (f"{MARK}: *nowhere\n", (1, 21), "unknown anchor 'nowhere'"),
        (f"{MARK}: !!binary aG\ufffd=\n", (1, 21), "!!binary value contains invalid base64 data"),
        (f"{MARK}: {{{{ .Values.cards }}}}\n", (1, 38), "a mapping key must be text, not a mapping"),
    ],
    ids=[
        "a top-level key",
        "a limit",
        "in JSON",
        "a tab as indentation",
        "recursion",
        "an alias to nothing",
        "base64 that is none",
        "a template",
    ],
)
def test_what_kubectl_refuses_is_unreadable_with_its_place(text: str, place: tuple[int, int], message: str) -> None:
    (broken,) = _check(text).unreadable
    assert broken.position is not None
    assert ((broken.position.line, broken.position.column), broken.message[: len(message)]) == (place, message)


def test_the_same_object_twice_is_judged_twice() -> None:
    assert [located.document for located in _check(f"{bad_pod()}---\n{bad_pod()}").findings] == [0, 1]


def test_the_program_ends_accordingly(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("", encoding="utf-8")
    (tmp_path / "comments.yaml").write_text(f"# {MARK}\n", encoding="utf-8")
    (tmp_path / "null.yaml").write_text(f"{LIST} null # {MARK}\n", encoding="utf-8")
    assert percard("check", ".", cwd=tmp_path).returncode == 0
    (tmp_path / "twice.yaml").write_text(f"{good_pod()}kind: Pod\n", encoding="utf-8")
    assert percard("check", ".", cwd=tmp_path).returncode == 3
