"""The OpenAPI document, with what the framework can't know: bodies that `wire` reads, problems as the only refusals."""

from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.wire import schema_of

from .problems import Problem

Schema = dict[str, Any]


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
