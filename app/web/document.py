"""The OpenAPI document. Bodies and answers are the dataclasses of `app.wire`, and every refusal is a problem.

Calls name the dataclasses, and their schemas are made when somebody asks for the document: a start need not wait.
"""

from functools import cache
from operator import itemgetter
from typing import Any, Literal

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from app.wire import schema_of

from .address import address_of
from .calls import json
from .limits import STRAY
from .problems import Problem, declare
from .site import site_of

router = APIRouter(include_in_schema=False)

Schema = dict[str, Any]
Mode = Literal["validation", "serialization"]
"""Whether a schema describes what is read or what is written: fields with defaults may be left out of the former."""

_described: dict[type, Mode] = {}


def takes(kind: type, *, required: bool = True) -> Schema:
    """The body of a call."""
    return {"requestBody": {"required": required, "content": _content(kind, "validation")}}


def gives(kind: type, status: int = 200, *problems: int) -> dict[int | str, Schema]:
    """What a call answers. Every call may be refused by a limit or find no database."""
    media = {415} if 413 in problems else set()
    answer = {"description": "Successful Response", "content": _content(kind, "serialization")}
    return {status: answer, **declare(*sorted({400, 429, 500, 503, *media, *problems}))}


def _content(kind: type, mode: Mode) -> Schema:
    """JSON of this dataclass, or any object where it is `dict`."""
    if kind is dict:
        return {"application/json": {"schema": {"type": "object"}}}
    _described[kind] = mode
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}}


@router.get("/api/v1/openapi.json")
async def show_document(request: Request) -> Response:
    """The document."""
    site_of(request).limits.spend(STRAY, address_of(request))
    return json(request.app.openapi())


@cache
def document(app: FastAPI) -> Schema:
    """The document of this application."""
    made = get_openapi(title=app.title, version=app.version, routes=app.routes)
    for operation in [operation for path in made["paths"].values() for operation in path.values()]:
        _drop_lax_validation(operation)
    schemas: Schema = {}
    kinds: dict[type, Mode] = {**_described, Problem: "validation"}
    for kind, mode in sorted(kinds.items(), key=itemgetter(1)):  # what is both read and written is described as read
        schema = schema_of(kind, mode)
        schemas |= schema.pop("$defs", {}) | {kind.__name__: schema}
    made["components"]["schemas"] = dict(sorted(schemas.items()))
    return made


def _drop_lax_validation(operation: Schema) -> None:
    """The framework declares a 422 of its own, but a problem with status 400 is what comes."""
    found = operation["responses"].get("422", {})
    if "application/json" in found.get("content", {}):
        del operation["responses"]["422"]
