"""The OpenAPI document. Bodies and answers are the dataclasses of `app.wire`, and every refusal is a problem.

Calls name the dataclasses. Their schemas are made when the document is requested, so that the start need not wait.
"""

from functools import cache
from operator import itemgetter
from typing import Any, Literal

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from app.wire import schema_of

from .address import address_of
from .dependencies import json
from .limits import OTHER
from .problems import Problem, declare
from .site import site_of

router = APIRouter(include_in_schema=False)

Schema = dict[str, Any]
Mode = Literal["validation", "serialization"]
"""Whether a schema is for parsing or for answers: when parsing, fields with defaults may be missing."""

_described: dict[type, Mode] = {}


def takes(kind: type, *, required: bool = True) -> Schema:
    """The body of a call."""
    return {"requestBody": {"required": required, "content": _content(kind, "validation")}}


def gives(kind: type, status: int = 200, *problems: int) -> dict[int | str, Schema]:
    """What a call answers. Any call may exceed a limit or find no database."""
    media = {415} if 413 in problems else set()
    answer = {"description": "Successful Response", "content": _content(kind, "serialization")}
    return {status: answer, **declare(*sorted({400, 429, 500, 503, *media, *problems}))}


def _content(kind: type, mode: Mode) -> Schema:
    """JSON of this dataclass, or any object for `dict`."""
    if kind is dict:
        return {"application/json": {"schema": {"type": "object"}}}
    _described[kind] = mode
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}}


@router.get("/api/v1/openapi.json")
async def show_openapi(request: Request) -> Response:
    site_of(request).limits.spend(OTHER, address_of(request))
    return json(request.app.openapi())


@cache
def describe(app: FastAPI) -> Schema:
    """The OpenAPI document of the application."""
    made = get_openapi(title=app.title, version=app.version, routes=app.routes)
    for operation in [operation for path in made["paths"].values() for operation in path.values()]:
        _drop_lax_validation(operation)
    schemas: Schema = {}
    kinds: dict[type, Mode] = {**_described, Problem: "validation"}
    for kind, mode in sorted(kinds.items(), key=itemgetter(1)):  # a kind for both is described for parsing
        schema = schema_of(kind, mode)
        schemas |= schema.pop("$defs", {}) | {kind.__name__: schema}
    made["components"]["schemas"] = dict(sorted(schemas.items()))
    return made


def _drop_lax_validation(operation: Schema) -> None:
    """FastAPI declares a 422 for validation errors, but they are answered by a problem with status 400."""
    found = operation["responses"].get("422", {})
    if "application/json" in found.get("content", {}):
        del operation["responses"]["422"]
