"""The policies of an engine, and what stands in them."""

import dataclasses
import json
from typing import Any

from webhook import Engine, load_settings
from webhook.policies.bindings import Action
from webhook.policies.generation import Kind, policies
from webhook.policies.model import Version
from webhook.wiring import build_engine

Json = dict[str, Any]


def engine_with(settings: Json) -> Engine:
    """Return an engine with settings by dotted name."""
    return build_engine(load_settings(None, {}, settings))


def engine_of(dialect: str, **fields: Any) -> Engine:
    """Return an engine with one dialect alone, some of its fields changed."""
    plain = build_engine()
    (found,) = (one for one in plain.dialects if one.id == dialect)
    return Engine([dataclasses.replace(found, **fields)], plain.checks, plain.rules)


def made(engine: Engine | None = None, kind: Kind = "all", version: Version = "1.36", action: Action = "deny") -> list[Json]:
    """Return the objects as they would be sent."""
    found: list[Json] = json.loads(json.dumps(list(policies(engine or build_engine(), kind, version, action))))
    return found


def of_kind(objects: list[Json], kind: str) -> dict[str, Json]:
    """Return the specs of the objects of a kind, by name."""
    return {obj["metadata"]["name"]: obj["spec"] for obj in objects if obj["kind"] == kind}


def variables(spec: Json) -> dict[str, str]:
    """Return the expressions of a policy's variables, by name."""
    return {variable["name"]: variable["expression"] for variable in spec["variables"]}


def expressions(objects: list[Json]) -> str:
    """Return the text of all objects."""
    return json.dumps(objects)
