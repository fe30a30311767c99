"""The shapes of the API's requests and answers."""

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from webhook.core.pod import MOST_LEVELS, nests_deeper

# 7 MiB of empty objects are over three million; a release of a large chart has some hundred.
_MOST_OBJECTS = 10_000

PerCard = int | str | None


def _answerable(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Refuse what can be spelt in a body and repeated in no answer: half a character, no number, lists within lists without end."""
    problem = _unanswerable(objects)
    if problem:
        raise ValueError(problem)
    return objects


def _unanswerable(objects: list[dict[str, Any]]) -> str:
    if any(nests_deeper(obj, MOST_LEVELS) for obj in objects):
        return "must not be nested deeper than 200 levels"
    try:
        json.dumps(objects, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return "must be text in Unicode, without half of a surrogate pair"
    except ValueError:
        return "must be JSON, which has neither NaN nor numbers beyond a 64-bit float"
    return ""


class Objects(BaseModel):
    """Kubernetes objects as JSON, in the order in which they are told of."""

    model_config = ConfigDict(extra="forbid", strict=True)
    objects: Annotated[list[dict[str, Any]], Field(max_length=_MOST_OBJECTS), AfterValidator(_answerable)]


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
    """What each card gives: numbers where they are whole, else fractions such as `8192/3`.

    `memoryPercent` is there alone where the manifest names no size.
    """

    memoryMiB: PerCard  # noqa: N815 - the name in the JSON
    corePercent: PerCard  # noqa: N815 - the name in the JSON
    memoryPercent: PerCard = None  # noqa: N815 - the name in the JSON


class ContainerShare(BaseModel):
    """What a container asks for in all, and on each card; memory of `whole` cards is no limit."""

    name: str | None
    cards: int | None
    totalMemoryMiB: int | None  # noqa: N815 - the name in the JSON
    totalCorePercent: int | None  # noqa: N815 - the name in the JSON
    perCard: CardLimits  # noqa: N815 - the name in the JSON
    whole: bool
    memoryAtLeast: bool  # noqa: N815 - the name in the JSON


class Isolation(BaseModel):
    """What the vendor's nodes enforce, in words."""

    memory: str
    compute: str


class ExplainedPod(BaseModel):
    """A pod or pod template as its dialect reads it; `document` is the object's index.

    `scheduler` is the one that will place it once it is patched; nothing is `granted` while there are errors.
    """

    document: int
    kind: str
    namespace: str
    name: str
    dialect: str
    scheduler: str
    granted: bool
    isolation: Isolation
    containers: list[ContainerShare]


class Explanation(BaseModel):
    """The answer of `/v1/explain`."""

    version: Literal[1] = 1
    pods: list[ExplainedPod]


class Problem(BaseModel):
    """Why a request was not answered."""

    error: str
