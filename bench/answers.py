"""Checks that a server answers a body as the comparison needs, before it is loaded."""

import base64
import json
import ssl
import urllib.request
from pathlib import Path
from typing import Any

from bench.contenders import Contender
from bench.load import LoadError

_PERCARD_LIMITS = {"containers": {"mgpu-container": {"cards": 2, "corePercent": 15, "memoryMiB": 2048}}, "dialect": "volcengine"}
_LIMITS_PATH = "/metadata/annotations/percard.webhook~1limits"


def require_right_answers(server: Contender, case: str, bodies: Path) -> None:
    """Raise `LoadError` where the answer to a case is not the one that the comparison is about."""
    with bodies.open("rb") as lines:
        response = _ask(server, case, lines.readline())
    if case.startswith("patched"):
        right = response["allowed"] and _patch(response) == {"/spec/schedulerName": "volcano", _LIMITS_PATH: _PERCARD_LIMITS}
    else:
        right = response["allowed"] == (case == "unmarked") and not response.get("patch")
    if not right:
        message = f"{server.name} answers the case '{case}' with {json.dumps(response)[:500]}"
        raise LoadError(message)


def _ask(server: Contender, case: str, body: bytes) -> dict[str, Any]:
    context = ssl.create_default_context(cafile=server.ca_file)
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(server.url(case), data=body.strip(), headers=headers)  # noqa: S310 -- its own loopback URL
    with urllib.request.urlopen(request, timeout=10, context=context) as answer:  # noqa: S310 -- as above
        response: dict[str, Any] = json.load(answer)["response"]
    return response


def _patch(response: dict[str, Any]) -> dict[str, Any]:
    operations = json.loads(base64.b64decode(response["patch"]))
    values = {operation["path"]: operation["value"] for operation in operations}
    if _LIMITS_PATH in values:
        values[_LIMITS_PATH] = json.loads(values[_LIMITS_PATH])
    return values
