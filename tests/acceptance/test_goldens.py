"""What percard says of every check in every dialect, file by file and whole: the findings and the patch (tests/golden/README.md)."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jsonpatch
import pytest

from webhook import build_engine
from webhook.core.engine import Verdict
from webhook.core.finding import Finding
from webhook.core.share import Stage
from webhook.lint.chunks import cut
from webhook.lint.document import Document
from webhook.lint.reading import read

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
ENGINE = build_engine()
PAIRS = [(dialect.id, check.id) for dialect in ENGINE.dialects for check in ENGINE.checks]

# Pairs of dialect and check that cannot occur: the check never complains about this dialect.
IMPOSSIBLE: Mapping[tuple[str, str], str] = {
    ("huawei", "card-list"): "the count is one label for the whole pod, not a list",
    ("alibaba", "card-list"): "the count is one label for the whole pod, not a list",
    ("huawei", "compute-policy"): "there is no policy key; the isolation follows from the resources that are asked for",
    ("alibaba", "compute-policy"): "there is no policy key; the isolation follows from the node",
    ("volcengine", "compute-unsupported"): "compute is shared over any number of cards",
    ("huawei", "compute-unsupported"): "compute is shared over any number of cards",
    ("huawei", "core-missing"): "memory alone is a share",
    ("alibaba", "core-missing"): "memory alone is a share",
    ("volcengine", "same-resources"): "each container has cards of its own and may ask for what it likes",
    ("huawei", "same-resources"): "nothing is documented about containers that ask for different keys",
    ("huawei", "whole-card-memory"): "memory is mandatory for whole cards too",
    ("alibaba", "whole-card-memory"): "100 % of compute keeps the memory limit",
    **{
        (vendor, check): reason
        for vendor in ("volcengine", "huawei", "alibaba")
        for check, reason in (
            ("resource-set", "other checks say what goes together"),
            ("memory-percent", "memory is never a percentage"),
            ("pod-request", "containers ask by their resources"),
            ("target-dialect", "there is no target unless it is set"),
        )
    },
}

_NAME = re.compile(r"(?P<side>pass|fail)-[a-z0-9]+(?:-[a-z0-9]+)*\.yaml")
_STAGE = re.compile(r"# stage: (mutate|validate|live)\n")


@dataclass(frozen=True)
class Golden:
    """One manifest below tests/golden; two documents are the object before and after an UPDATE."""

    file: Path

    @property
    def pair(self) -> tuple[str, str]:
        return self.file.parts[-3], self.file.parts[-2]

    @property
    def side(self) -> str:
        return self.file.name.partition("-")[0]

    @property
    def expected(self) -> Path:
        return self.file.with_suffix(".expect.json")

    @cached_property
    def documents(self) -> list[Document]:
        return [document for chunk in cut(self.file.read_bytes()) if not chunk.is_empty for document in read(chunk)]

    @property
    def stage(self) -> Stage:
        header = _STAGE.match(self.file.read_text(encoding="utf-8"))
        return Stage(header[1]) if header else Stage.MANIFEST

    @property
    def verdict(self) -> Verdict:
        *before, now = self.documents
        return ENGINE.examine(now.data, before[0].data if before else None, stage=self.stage, patch_templates=True)

    @property
    def complaints(self) -> list[Finding]:
        """Return what the folder's check says; of two dialects in one pod it names both, whichever it counts as the first."""
        dialect, check = self.pair
        return [
            finding for finding in self.verdict.findings if finding.check == check and dialect in (*self.verdict.dialects, finding.dialect)
        ]

    def output(self) -> dict[str, Any]:
        return {
            "findings": [self._as_object(finding) for finding in self.verdict.findings],
            "patch": [{"op": operation.op, "path": operation.path, "value": operation.value} for operation in self.verdict.patch],
        }

    def _as_object(self, finding: Finding) -> dict[str, Any]:
        """Return a finding with the names and in the order of `percard check -o json`, without the file."""
        position = self.documents[-1].locate(finding.path.parts)
        return {
            "check": finding.check,
            "severity": finding.severity,
            "dialect": finding.dialect,
            "line": position.line,
            "column": position.column,
            "endLine": position.end_line,
            "endColumn": position.end_column,
            "kind": finding.kind,
            "namespace": finding.namespace,
            "name": finding.name,
            "container": finding.container,
            "field": str(finding.path),
            "value": finding.value,
            "message": finding.message,
            "hint": finding.hint,
        }


GOLDENS = [Golden(file) for file in sorted(GOLDEN.rglob("*.yaml"))]
SIDES: Mapping[tuple[str, str], set[str]] = defaultdict(set)
for _golden in GOLDENS:
    SIDES[_golden.pair].add(_golden.side)


def _named(golden: Golden) -> str:
    return str(golden.file.relative_to(GOLDEN))


def _strays() -> Iterator[Path]:
    """Yield what is neither a manifest in the folder of a pair nor the expected output beside one."""
    manifests = {golden.file for golden in GOLDENS}
    for file in (file for file in GOLDEN.rglob("*") if file.is_file() and file != GOLDEN / "README.md"):
        manifest = file.with_name(file.name.replace(".expect.json", ".yaml"))
        folders = tuple(file.relative_to(GOLDEN).parts[:-1])
        if folders not in PAIRS or manifest not in manifests or not _NAME.fullmatch(manifest.name):
            yield file


@pytest.mark.parametrize("golden", GOLDENS, ids=_named)
def test_the_whole_output_is_the_expected_one(golden: Golden, *, rewrite_golden: bool) -> None:
    output = golden.output()
    if rewrite_golden:
        golden.expected.write_text(json.dumps(output, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert json.loads(golden.expected.read_text(encoding="utf-8")) == output


@pytest.mark.parametrize("golden", GOLDENS, ids=_named)
def test_the_check_complains_of_each_fail_file_and_of_no_pass_file(golden: Golden) -> None:
    assert bool(golden.complaints) is (golden.side == "fail")
    assert golden.side == "fail" or golden.verdict.errors == ()


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair not in IMPOSSIBLE], ids="/".join)
def test_a_check_has_a_file_that_passes_and_one_that_fails_in_each_dialect(pair: tuple[str, str]) -> None:
    assert SIDES[pair] == {"pass", "fail"}


def test_nothing_else_lies_in_the_folders() -> None:
    assert sorted(_strays()) == []


def test_a_pair_that_cannot_occur_is_a_known_one_without_files_and_never_occurs() -> None:
    found = {(finding.dialect, finding.check) for golden in GOLDENS for finding in golden.verdict.findings}
    assert IMPOSSIBLE.keys() - set(PAIRS) == set()
    assert [pair for pair in IMPOSSIBLE if SIDES.get(pair) or pair in found] == []


@pytest.mark.parametrize("golden", [golden for golden in GOLDENS if golden.verdict.patch], ids=_named)
def test_a_patched_object_needs_no_further_patch_and_is_allowed(golden: Golden) -> None:
    operations = golden.output()["patch"]
    patched = jsonpatch.apply_patch(golden.documents[-1].data, operations)
    again = ENGINE.examine(patched, stage=golden.stage, patch_templates=True)
    assert again.patch == ()
    assert ENGINE.examine(patched, stage=Stage.VALIDATE).errors == ()
