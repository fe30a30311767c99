"""Writes Kubernetes objects as YAML that a person reads: expressions keep their lines."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Object = Mapping[str, Any]
# What both YAML 1.1 and 1.2 take for text, whatever else they resolve.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-./][A-Za-z0-9]+)+|[A-Z][A-Za-z]+", re.ASCII)
_KEY = re.compile(r"[A-Za-z]{2}[A-Za-z0-9./-]+", re.ASCII)


def yaml_text(objects: Iterable[Object]) -> str:
    """Return objects as one YAML stream, a document each."""
    return "".join("---\n" + "\n".join(_mapping(obj)) + "\n" for obj in objects)


def _mapping(value: Mapping[str, Any]) -> Iterator[str]:
    for key, item in value.items():
        yield from _entry(f"{key if _KEY.fullmatch(key) else json.dumps(key)}:", item)


def _sequence(value: Sequence[Any]) -> Iterator[str]:
    for item in value:
        if isinstance(item, Mapping) and item:
            first, *others = _mapping(item)
            yield f"- {first}"
            yield from (f"  {line}" for line in others)
        else:
            yield from _entry("-", item)


def _entry(head: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping) and value:
        yield head
        yield from (f"  {line}" for line in _mapping(value))
    elif isinstance(value, list | tuple) and value:
        yield head
        yield from (f"  {line}" for line in _sequence(value))
    elif isinstance(value, str) and "\n" in value:
        yield f"{head} |-"
        yield from (f"  {line}" for line in value.split("\n"))
    else:
        yield f"{head} {_scalar(value)}"


def _scalar(value: Any) -> str:
    """Return a scalar as JSON, which is YAML; a word that can only be text stands without quotes."""
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)
