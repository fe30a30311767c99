"""The API for portals: the same verdicts over HTTP, for objects that no API server has seen yet."""

from fractions import Fraction
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from webhook.core.finding import Finding
from webhook.core.pod import mapping, text_of
from webhook.core.share import GpuPod, GpuShare
from webhook.server.asgi import App
from webhook.server.gate import Gate

# 7 MiB of empty objects are over three million; a release of a large chart has some hundred.
_MOST_OBJECTS = 10_000

PerCard = int | str | None


class Objects(BaseModel):
    """Kubernetes objects as JSON, in the order in which they are told of."""

    model_config = ConfigDict(extra="forbid")
    objects: Annotated[list[dict[str, Any]], Field(max_length=_MOST_OBJECTS)]


class ApiFinding(BaseModel):
    """One finding; `document` is the object's index, `field` the path in it."""

    check: str
    severity: Literal["error", "warning"]
    dialect: str
    document: int
    kind: str
    namespace: str
    name: str
    container: str | None
    field: str
    value: str | None
    message: str
    hint: str


class Summary(BaseModel):
    """How many of what."""

    documents: int
    pods: int
    errors: int
    warnings: int


class Report(BaseModel):
    """The answer of `/v1/check`."""

    version: Literal[1] = 1
    summary: Summary
    findings: list[ApiFinding]


class CardLimits(BaseModel):
    """What each card gives: numbers where they are whole, else fractions such as `8192/3`."""

    memoryMiB: PerCard  # noqa: N815 - the name in the JSON
    corePercent: PerCard  # noqa: N815 - the name in the JSON


class ContainerShare(BaseModel):
    """What a container asks for in all, and on each card."""

    name: str | None
    cards: int | None
    totalMemoryMiB: int | None  # noqa: N815 - the name in the JSON
    totalCorePercent: int | None  # noqa: N815 - the name in the JSON
    perCard: CardLimits  # noqa: N815 - the name in the JSON
    whole: bool
    memoryAtLeast: bool  # noqa: N815 - the name in the JSON


class ExplainedPod(BaseModel):
    """A pod or pod template as its dialect reads it; `document` is the object's index."""

    document: int
    kind: str
    namespace: str
    name: str
    dialect: str
    scheduler: str
    containers: list[ContainerShare]


class Explanation(BaseModel):
    """The answer of `/v1/explain`."""

    version: Literal[1] = 1
    pods: list[ExplainedPod]


class Problem(BaseModel):
    """Why a request was not answered."""

    error: str


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


def build_api(gate: Gate, version: str) -> App:
    """Return the FastAPI application; it asks the engine in force at the time of each request."""
    api = FastAPI(title="percard", version=version, redoc_url=None, redirect_slashes=False, responses=_ERRORS)
    api.add_exception_handler(HTTPException, _http_error)
    api.add_exception_handler(RequestValidationError, _shape_error)

    @api.post("/v1/check")
    def check(wanted: Objects) -> Report:
        """Check objects as `percard check` does."""
        verdicts = [gate.desk.handler.engine.examine(obj) for obj in wanted.objects]
        findings = [_finding(number, finding) for number, verdict in enumerate(verdicts) for finding in verdict.findings]
        errors = sum(finding.severity == "error" for finding in findings)
        pods = sum(len(verdict.pods) for verdict in verdicts)
        summary = Summary(documents=len(verdicts), pods=pods, errors=errors, warnings=len(findings) - errors)
        return Report(summary=summary, findings=findings)

    @api.post("/v1/explain")
    def explain(wanted: Objects) -> Explanation:
        """Say what each container gets on each card, as `percard explain` does."""
        verdicts = enumerate(gate.desk.handler.engine.examine(obj) for obj in wanted.objects)
        return Explanation(pods=[_explained(number, pod) for number, verdict in verdicts for pod in verdict.pods])

    return api


async def _http_error(_: Request, error: Exception) -> JSONResponse:
    status, headers = (error.status_code, error.headers) if isinstance(error, HTTPException) else (HTTPStatus.BAD_REQUEST, None)
    return JSONResponse({"error": HTTPStatus(status).phrase.lower()}, status, headers)


async def _shape_error(_: Request, error: Exception) -> JSONResponse:
    """Tell where the body is not what it must be, without its values."""
    problems = error.errors() if isinstance(error, RequestValidationError) else ()
    texts = [f"{'.'.join(str(part)[:64] for part in problem['loc'])}: {problem['msg']}" for problem in problems[:10]]
    return JSONResponse({"error": "; ".join(texts)}, HTTPStatus.UNPROCESSABLE_ENTITY)


def _finding(number: int, finding: Finding) -> ApiFinding:
    return ApiFinding(
        check=finding.check,
        severity=finding.severity,
        dialect=finding.dialect,
        document=number,
        kind=finding.kind,
        namespace=finding.namespace,
        name=finding.name,
        container=finding.container,
        field=str(finding.path),
        value=finding.value,
        message=finding.message,
        hint=finding.hint,
    )


def _explained(number: int, gpu: GpuPod) -> ExplainedPod:
    owner = mapping(gpu.pod.owner.get("metadata"))
    return ExplainedPod(
        document=number,
        kind=text_of(gpu.pod.owner.get("kind")),
        namespace=text_of(owner.get("namespace")),
        name=text_of(owner.get("name")) or text_of(owner.get("generateName")),
        dialect=gpu.dialect.id,
        scheduler=gpu.dialect.scheduler_name,
        containers=[_share(gpu, share) for share in gpu.shares],
    )


def _share(gpu: GpuPod, share: GpuShare) -> ContainerShare:
    per_card = CardLimits(memoryMiB=_exact(share.per_card(share.memory_mib)), corePercent=_exact(share.per_card(share.core_percent)))
    return ContainerShare(
        name=share.name,
        cards=share.cards,
        totalMemoryMiB=share.memory_mib,
        totalCorePercent=share.core_percent,
        perCard=per_card,
        whole=share.whole,
        memoryAtLeast=gpu.dialect.memory_is_lower_bound and share.memory_mib is not None,
    )


def _exact(amount: Fraction | None) -> PerCard:
    if amount is None:
        return None
    return amount.numerator if amount.denominator == 1 else str(amount)
