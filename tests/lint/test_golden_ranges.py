"""Every finding of every golden, in twelve ways of writing the same manifest: its range holds the value, and nothing else.

The range is cut out of the file and something else is put there: read by PyYAML, the manifest has changed at the
finding's path and nowhere else.
"""

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.lint.rendering import ENGINE
from webhook.core.finding import Finding
from webhook.lint.document import Parts
from webhook.lint.report import Located
from webhook.lint.run import Checker

GOLDENS = sorted((Path(__file__).resolve().parents[1] / "golden").rglob("*.yaml"))
MARK = "put-here"


def _documents(text: str) -> list[Any]:
    return [data for data in yaml.safe_load_all(text) if data is not None]


def _dumped(text: str, *, flow: bool = False, quote: str | None = None) -> str:
    class Dumper(yaml.SafeDumper):
        """Quotes text and nothing else."""

        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
            return True

    Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style=quote))
    return "---\n".join(yaml.dump(data, Dumper=Dumper, sort_keys=False, width=10_000, default_flow_style=flow) for data in _documents(text))


def _with_merges(text: str) -> str:
    """Write each container's limits above all else, and merge them in where they were."""
    return "---\n".join(yaml.serialize(_merging(node)) for node in yaml.compose_all(text, yaml.SafeLoader))


def _merging(root: Any) -> Any:
    moved: list[tuple[Any, Any]] = []
    for node in list(_mappings(root)):
        for number, (key, value) in enumerate(node.value):
            if key.value == "limits" and isinstance(value, yaml.MappingNode) and value.value:
                moved.append((yaml.ScalarNode("tag:yaml.org,2002:str", f"x-limits-{len(moved)}"), value))
                merge = (yaml.ScalarNode("tag:yaml.org,2002:merge", "<<"), value)
                node.value[number] = (key, yaml.MappingNode("tag:yaml.org,2002:map", [merge]))
    root.value[:0] = moved
    return root


def _mappings(node: Any) -> Iterator[Any]:
    if isinstance(node, yaml.MappingNode):
        yield node
    children = [child for pair in node.value for child in pair] if isinstance(node, yaml.MappingNode) else node.value
    for child in children if not isinstance(node, yaml.ScalarNode) else ():
        yield from _mappings(child)


def _with_aliases(text: str) -> str:
    """Anchor every plain or quoted number, and repeat nothing: an anchor alone must not move a range."""
    numbers = iter(range(10_000))
    return re.sub(r"""(?m)(?<=: )(["']?[0-9]\S*?["']?)$""", lambda match: f"&a{next(numbers)} {match[1]}", text)


def _as_block(match: re.Match[str]) -> str:
    indent, dash, key, value = match.groups(default="")
    return f"{indent}{dash}{key}: |-\n{indent}      {value}"


STYLES: dict[str, Callable[[str], str]] = {
    "as it stands": str,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "after multi-byte characters": lambda text: f"# é日本😀\n{re.sub(r'name: (?=[a-z])', 'name: 日本😀', text)}",
    "JSON": lambda text: "---\n".join(f"{json.dumps(data, indent=2)}\n" for data in _documents(text)),
    "JSON on one line": lambda text: "---\n".join(
        f"{json.dumps({'é日': '😀', **data}, ensure_ascii=False)}\n" for data in _documents(text)
    ),
    "flow": lambda text: _dumped(text, flow=True),
    "block": _dumped,
    "double quotes": lambda text: _dumped(text, quote='"'),
    "single quotes": lambda text: _dumped(text, quote="'"),
    "block scalars": lambda text: re.sub(r"""(?m)^( *)(- )?([^\s:'"]+): ["']?([0-9][^\s"'{}\[\]]*)["']?$""", _as_block, text),
    "anchors": _with_aliases,
    "merged": _with_merges,
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("golden", GOLDENS, ids=lambda file: "/".join(file.parts[-3:]))
def test_a_range_holds_the_value_and_nothing_else(golden: Path, style: str) -> None:
    text = STYLES[style](golden.read_text(encoding="utf-8"))
    report = Checker(ENGINE).check_bytes(str(golden), text.encode())
    assert report.unreadable == []
    assert [located.position for located in report.findings] == sorted(located.position for located in report.findings)
    for located in report.findings:
        _assert_exact(text, located)


def _assert_exact(text: str, located: Located) -> None:
    start, end = _range(text, located)
    parts = located.finding.path.parts
    before = _documents(text)[located.document]
    after = _documents(text[:start] + MARK + text[end:])[located.document]
    if _get(before, parts) is not _NOTHING:
        assert _get(after, parts) == MARK
        assert "<<" in text or after == _with(before, parts, MARK)
        if not isinstance(_get(before, parts), dict | list):
            _assert_as_written(text[start:end], located.finding)
        return
    # What is not there is shown at the key of its nearest ancestor, or at the first key of all.
    above = next(parts[:length] for length in range(len(parts), -1, -1) if _get(before, parts[:length]) is not _NOTHING)
    key = above[-1] if above and isinstance(above[-1], str) else next(iter(_get(before, above)))
    assert yaml.load(text[start:end], yaml.BaseLoader) == key  # noqa: S506 - text only
    assert MARK in _get(after, above[:-1] if above and key == above[-1] else above)


def _assert_as_written(written: str, finding: Finding) -> None:
    value = "null" if written == "~" else str(yaml.load(written, yaml.BaseLoader))  # noqa: S506 - text only
    if finding.value is not None and finding.value.endswith("…"):
        assert (len(finding.value), value.startswith(finding.value[:-1])) == (64, True)
    else:
        # A key that must not be there is named itself.
        assert finding.value in (value, finding.path.parts[-1])


def _range(text: str, located: Located) -> tuple[int, int]:
    lines = text.split("\n")
    position = located.position
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return starts[position.line - 1] + position.column - 1, starts[position.end_line - 1] + position.end_column - 1


_NOTHING = object()


def _get(data: Any, parts: Parts) -> Any:
    for part in parts:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return _NOTHING
    return data


def _with(data: Any, parts: Parts, value: Any) -> Any:
    changed = copy.deepcopy(data)
    _get(changed, parts[:-1])[parts[-1]] = value
    return changed
