"""What percard reads from a file is what kubectl reads: a table that kubectl's own packages wrote."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.lint.manifests import documents
from webhook.lint.faults import DocumentError

_TABLE = json.loads(Path(__file__).parents[1].joinpath("vectors/yaml.json").read_text(encoding="utf-8"))
_MAX_INT64 = (1 << 63) - 1
# Where percard differs on purpose, and why.
_REFUSED = {
    "duplicate key": "kubectl takes the last one without a word",
    "duplicate nested key": "kubectl takes the last one without a word",
    "duplicate boolean key": "kubectl takes the last one without a word",
    "duplicate key in a flow mapping": "kubectl takes the last one without a word",
    "duplicate key in JSON": "kubectl takes the last one without a word",
    "duplicate hexadecimal key": "kubectl takes the last one without a word",
    "infinite key": "no Kubernetes object has a number as a key",
    "JSON number forms": "the API server refuses a number beyond a float",
}
_ACCEPTED = {
    "flow URL": "libyaml 0.2.5 allows a question mark in a plain flow scalar, kubectl's older copy does not",
    "JSON two objects then YAML": "a separator ends what is JSON",
}


def _text(case: dict[str, Any]) -> bytes:
    return base64.b64decode(case["base64"]) if case.get("base64") else case["yaml"].encode()


def _comparable(value: Any) -> Any:
    """Return a value in which numbers beyond int64 are floats, as Kubernetes decodes them."""
    if isinstance(value, dict):
        return {key: _comparable(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_comparable(part) for part in value]
    if isinstance(value, float) and value.is_integer() and abs(value) <= 1 << 53:
        return int(value)
    return float(value) if type(value) is int and abs(value) > _MAX_INT64 else value


def _read(case: dict[str, Any]) -> tuple[str, bool]:
    found: list[Any] = []
    failed = False
    try:
        found.extend(document.data for document in documents(_text(case)))
    except DocumentError:
        failed = True
    # As text: in Python True == 1, in a manifest it is not.
    return json.dumps(_comparable(found), sort_keys=True), failed


def _cases(*, differing: bool) -> list[Any]:
    known = _REFUSED.keys() | _ACCEPTED.keys()
    return [pytest.param(case, id=case["name"]) for case in _TABLE if (case["name"] in known) is differing]


@pytest.mark.parametrize("case", _cases(differing=False))
def test_percard_reads_what_kubectl_reads(case: dict[str, Any]) -> None:
    found, failed = _read(case)
    assert failed is ("error" in case)
    if not failed:
        assert found == json.dumps(_comparable([value for value in case["documents"] if value is not None]), sort_keys=True)


@pytest.mark.parametrize("case", _cases(differing=True))
def test_the_known_differences_are_still_there(case: dict[str, Any]) -> None:
    assert _read(case)[1] is (case["name"] in _REFUSED)


def test_every_known_difference_is_in_the_table() -> None:
    assert _REFUSED.keys() | _ACCEPTED.keys() <= {case["name"] for case in _TABLE}
