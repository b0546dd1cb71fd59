"""The OpenAPI document, with what the framework can't know: bodies that `wire` reads, problems as the only refusals."""

from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from app.wire import schema_of

from .address import address_of
from .calls import json
from .limits import STRAY
from .problems import Problem
from .site import site_of

router = APIRouter(include_in_schema=False)

Schema = dict[str, Any]


@router.get("/api/v1/openapi.json")
async def show_document(request: Request) -> Response:
    """The document."""
    site_of(request).limits.spend(STRAY, address_of(request))
    return json(request.app.openapi())


@cache
def document(app: FastAPI) -> Schema:
    """The document of this application."""
    made = get_openapi(title=app.title, version=app.version, routes=app.routes)
    schemas = made["components"]["schemas"]
    for operation in [operation for path in made["paths"].values() for operation in path.values()]:
        _drop_lax_validation(operation)
        schemas |= _lift_definitions(operation)
    problem = schema_of(Problem)
    schemas |= problem.pop("$defs") | {"Problem": problem}
    for framework in ("HTTPValidationError", "ValidationError"):
        schemas.pop(framework, None)
    return made


def _drop_lax_validation(operation: Schema) -> None:
    """The framework declares a 422 of its own, but a problem with status 400 is what comes."""
    found = operation["responses"].get("422", {})
    if "application/json" in found.get("content", {}):
        del operation["responses"]["422"]


def _lift_definitions(operation: Schema) -> Schema:
    """What a body's schema refers to belongs to the components."""
    content: Schema = operation.get("requestBody", {}).get("content", {})
    lifted: Schema = {}
    for kind in content.values():
        lifted |= kind["schema"].pop("$defs", {})
    return lifted
