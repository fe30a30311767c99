"""The handler with the real engine: what the API server would get for an object, from bytes to bytes."""

import base64
import json
from typing import Any

from tests.admission.samples import response, review
from tests.support.pods import ENGINE, Json
from webhook.admission.handler import Handler
from webhook.admission.scope import Endpoint

_HANDLER = Handler(ENGINE, "1.0.0")


def ask(endpoint: Endpoint, obj: Any, old: Any = None, **request: Any) -> Json:
    """Return the `response` for a CREATE of `obj`, or an UPDATE where there is an old object."""
    operation = request.pop("operation", "CREATE" if old is None else "UPDATE")
    kind = request.pop("kind", _kind(obj if isinstance(obj, dict) else old))
    return response(_HANDLER.respond(endpoint, review(operation, obj, old, kind=kind, **request)).body)


def _kind(obj: Any) -> dict[str, str]:
    head = obj if isinstance(obj, dict) else {}
    group, _, version = str(head.get("apiVersion", "v1")).rpartition("/")
    return {"group": group, "version": version, "kind": str(head.get("kind", "Pod"))}


def denied_at(answer: Json) -> dict[str, str]:
    """Return the causes of a denial, message by field."""
    assert answer["allowed"] is False
    assert (answer["status"]["code"], answer["status"]["reason"]) == (422, "Invalid")
    assert "patch" not in answer
    return {cause["field"]: cause["message"] for cause in answer["status"]["details"]["causes"]}


def operations(answer: Json) -> list[Json]:
    """Return the operations of a patch, none where there is none."""
    assert answer["allowed"] is True
    assert ("patch" in answer) is ("patchType" in answer)
    found: list[Json] = json.loads(base64.b64decode(answer["patch"])) if "patch" in answer else []
    return found
