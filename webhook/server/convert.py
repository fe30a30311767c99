"""`/v1/convert`: objects translated into another dialect, as `percard convert` does."""

from typing import Annotated, Any, Literal, cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field

from webhook.core.conversion import Conversion, Converter
from webhook.core.engine import Engine
from webhook.core.fieldpath import FieldPath, printable
from webhook.core.plugin import Dialect
from webhook.server.api_models import ApiFinding, Objects
from webhook.server.findings import api_finding
from webhook.server.gate import Gate


class ApiRemark(BaseModel):
    """What a translation changes; `document` is the object's index, `field` the path in it."""

    document: int
    outcome: Literal["rounded", "assumed", "lost", "impossible"]
    container: str | None
    field: str
    message: str


class Translation(BaseModel):
    """The answer of `/v1/convert`; `carried` is false where an object could not be, and is as it was."""

    version: Literal[1] = 1
    carried: bool
    objects: list[dict[str, Any]]
    remarks: list[ApiRemark]
    findings: list[ApiFinding]


def add_convert(api: FastAPI, gate: Gate) -> None:
    """Add the path to the API."""
    names = sorted(cast("Engine", gate.desk.handler.engine).knowing_all().targets)

    class Wish(Objects):
        """Objects, the dialect to write, and whether what it cannot say may be left out."""

        to: Annotated[str, Field(max_length=64, json_schema_extra={"enum": list(names)})]
        allowLoss: bool = False  # noqa: N815 - the name in the JSON

    @api.post("/v1/convert")
    def convert(wanted: Wish) -> Translation:
        """Translate objects as `percard convert` does; those that belong beside one come before it."""
        engine = cast("Engine", gate.desk.handler.engine).knowing_all()
        converter = Converter(engine, _target(engine, wanted.to), allow_loss=wanted.allowLoss)
        found = [converter.convert(obj) for obj in wanted.objects]
        return Translation(
            carried=all(conversion.carried for conversion in found),
            objects=[obj for conversion in found for obj in (*conversion.beside, conversion.data)],
            remarks=[remark for number, conversion in enumerate(found) for remark in _remarks(number, conversion)],
            findings=[api_finding(number, finding) for number, conversion in enumerate(found) for finding in conversion.findings],
        )


def _target(engine: Engine, name: str) -> Dialect:
    known = engine.targets
    wanted = name.replace("-", "_")
    if wanted not in known:
        message = f"must be one of {', '.join(sorted(known))}"
        raise RequestValidationError([{"loc": ("body", "to"), "msg": message, "type": "value_error"}])
    return known[wanted]


def _remarks(number: int, conversion: Conversion) -> list[ApiRemark]:
    return [
        ApiRemark(
            document=number,
            outcome=remark.outcome,
            container=remark.container,
            field=str(FieldPath(where)),
            message=printable(remark.text),
        )
        for where, remark in conversion.told
    ]
