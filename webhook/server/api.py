"""The API for portals: the verdicts of the command line over HTTP, word for word."""

from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException

from webhook.core.engine import Verdict
from webhook.core.explanation import explained
from webhook.core.walk import stage_of
from webhook.server.api_models import ExplainedPod, Explanation, Objects, Problem, Report, Summary
from webhook.server.asgi import App
from webhook.server.convert import add_convert
from webhook.server.findings import api_finding
from webhook.server.gate import Gate
from webhook.server.replies import fault_error

_ERRORS: dict[int | str, dict[str, Any]] = {
    status.value: {"model": Problem, "description": status.phrase}
    for status in (
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.SERVICE_UNAVAILABLE,
    )
}


# The page for people brings its own script and style, and tells no validator elsewhere of the API: without the
# Internet it would stay empty.
_PAGE: dict[str, Any] = {"redoc_url": None, "static_url": "/docs/files", "swagger_ui_parameters": {"validatorUrl": None}}


# What pydantic says in words of its own about a body that is an object itself instead of a list of them.
_SHAPES = {"missing": "must be given", "extra_forbidden": "must be left out, there is no such field here"}


def build_api(gate: Gate, version: str) -> App:
    """Return the FastAPI application; it asks the engine in force at the time of each request."""
    api = FastAPIOffline(title="percard", version=version, redirect_slashes=False, responses=_ERRORS, **_PAGE)
    api.add_exception_handler(HTTPException, _http_error)
    api.add_exception_handler(RequestValidationError, _shape_error)
    api.add_exception_handler(Exception, _fault)

    def examined(wanted: Objects) -> list[Verdict]:
        engine = gate.desk.handler.engine
        return [engine.examine(obj, stage=stage_of(obj)) for obj in wanted.objects]

    @api.post("/v1/check")
    def check(wanted: Objects) -> Report:
        """Check objects as `percard check` does."""
        verdicts = examined(wanted)
        findings = [api_finding(number, finding) for number, verdict in enumerate(verdicts) for finding in verdict.findings]
        errors = sum(finding.severity == "error" for finding in findings)
        pods = sum(len({gpu.pod.root for gpu in verdict.pods}) for verdict in verdicts)
        summary = Summary(documents=len(verdicts), pods=pods, errors=errors, warnings=len(findings) - errors)
        return Report(summary=summary, findings=findings)

    @api.post("/v1/explain", response_model_exclude_unset=True)
    def explain(wanted: Objects) -> Explanation:
        """Say what each container gets on each card, as `percard explain` does."""
        pods = [ExplainedPod(document=number, **explained(gpu)) for number, verdict in enumerate(examined(wanted)) for gpu in verdict.pods]
        return Explanation(version=1, pods=pods)

    add_convert(api, gate)
    return api


async def _http_error(_: Request, error: Exception) -> JSONResponse:
    status, headers = (error.status_code, error.headers) if isinstance(error, HTTPException) else (HTTPStatus.BAD_REQUEST, None)
    return JSONResponse({"error": HTTPStatus(status).phrase.lower()}, status, headers)


async def _fault(_: Request, __: Exception) -> Response:
    """Answer in JSON; Starlette raises the fault again after that, and the application around this one counts and logs it."""
    reply = fault_error()
    return Response(reply.body, reply.status, media_type="application/json")


async def _shape_error(_: Request, error: Exception) -> JSONResponse:
    """Tell where the body is not what it must be, without its values."""
    problems = error.errors() if isinstance(error, RequestValidationError) else ()
    texts = [
        f"{'.'.join(str(part)[:64] for part in problem['loc'])}: {_SHAPES.get(problem['type'], problem['msg'])}"
        for problem in problems[:10]
    ]
    return JSONResponse({"error": "; ".join(texts)}, HTTPStatus.UNPROCESSABLE_ENTITY)
