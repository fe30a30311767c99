"""The example manifests as data, and what the comment at the top of each promises."""

import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from webhook import Finding

EXAMPLES = Path(__file__).parents[2] / "manifests" / "examples"
_ANSWER = "# percard answers:\n"
_PROMISE = re.compile(r"(error|warning): (\S+) (.*)")
_WIDTH = 120


def names() -> list[str]:
    """Return the names of all examples, such as `huawei/deployment.yaml`."""
    return sorted(file.relative_to(EXAMPLES).as_posix() for file in EXAMPLES.glob("*/*.yaml"))


def load(name: str) -> dict[str, Any]:
    """Return an example as data."""
    data: dict[str, Any] = yaml.safe_load(_text(name))
    return data


def promised(name: str) -> list[tuple[str, str, str]]:
    """Return severity, field path and text of each finding that the comment announces."""
    _, _, rest = _text(name).partition(_ANSWER)
    comment = "\n".join(line.lstrip("# ") for line in rest[: rest.index("apiVersion:")].splitlines())
    return [_promise(block) for block in comment.split("\n\n") if block]


def promise(name: str, findings: Iterable[Finding]) -> None:
    """Write the findings into the comment, in the order of the containers."""
    before, answer, rest = _text(name).partition(_ANSWER)
    blocks = "#\n".join(map(_block, sorted(findings, key=lambda finding: str(finding.path))))
    (EXAMPLES / name).write_text(f"{before}{answer}{blocks}{rest[rest.index('apiVersion:') :]}", encoding="utf-8")


def _block(finding: Finding) -> str:
    wrong, separator, instead = finding.text.rpartition(f"; {finding.hint} [")
    parts = [f"{finding.severity}: {finding.path}", f"{wrong};", separator[2:] + instead]
    lines = [line for part in parts for line in textwrap.wrap(part, _WIDTH, break_long_words=False, break_on_hyphens=False)]
    return "".join(f"#   {line}\n" for line in lines)


def _text(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


def _promise(block: str) -> tuple[str, str, str]:
    match = _PROMISE.fullmatch(" ".join(block.split()))
    assert match is not None, block
    return match[1], match[2], match[3]
