"""Refusals as problems (RFC 9457) with a stable code. Only this module knows the HTTP status of a code."""

import math
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.metrics import REFUSALS
from app.rooms import Code, RefusedError, damaged_data, unavailable
from app.store import DamagedRowError, StoreUnavailableError
from app.wire import WireError, dump

from .address import address_of
from .headers import forbid_storing
from .identity import UnauthenticatedError
from .limits import OTHER, RateLimitedError
from .site import site_of

STATUS = {
    Code.BAD_REQUEST: 400,
    Code.UNKNOWN_ROOM: 404,
    Code.UNKNOWN_LINK: 404,
    Code.UNKNOWN_DEVICE: 404,
    Code.NOT_SEATED: 403,
    Code.NOT_HOST: 403,
    Code.BARRED: 403,
    Code.ROOM_FULL: 409,
    Code.ALREADY_STARTED: 409,
    Code.NOT_STARTED: 409,
    Code.NOT_YOUR_TURN: 409,
    Code.ILLEGAL_ACTION: 422,
    Code.STALE_VERSION: 409,
    Code.RATE_LIMITED: 429,
    Code.TOO_LARGE: 413,
    Code.UNSUPPORTED_MEDIA_TYPE: 415,
    Code.UNAVAILABLE: 503,
}

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal: `code` is for programs, `detail` for people.

    `reason` and `facts` let pages say it in another language.
    """

    type: str
    title: str
    status: int
    code: Code
    detail: str
    reason: str | None
    facts: dict[str, int]


class ForeignOriginError(RefusedError):
    """The call comes from a page of another site, or seems to because a proxy omits the scheme."""

    def __init__(self, *, is_scheme: bool = False) -> None:
        hint = " This one differs from the site by its scheme only: a proxy has to say X-Forwarded-Proto."
        told = f"Pages of other sites may not do this.{hint if is_scheme else ''}"
        super().__init__(Code.BAD_REQUEST, told, reason="foreign_origin")


def answer(error: RefusedError) -> Response:
    """Count a refusal, and make its response."""
    REFUSALS[error.code] += 1
    match error:
        case UnauthenticatedError():
            return _problem(status_of(error), error, {"WWW-Authenticate": "Bearer"})
        case RateLimitedError():
            return _problem(status_of(error), error, {"Retry-After": str(math.ceil(error.wait))})
        case _:
            return _problem(status_of(error), error)


def status_of(error: RefusedError) -> int:
    match error:
        case UnauthenticatedError():
            return 401
        case ForeignOriginError():
            return 403
        case _:
            return STATUS[error.code]


def problem(status: int, code: Code, detail: str, headers: dict[str, str] | None = None) -> Response:
    """A problem for which pages know no more than the code."""
    return _problem(status, RefusedError(code, detail), headers)


def _problem(status: int, error: RefusedError, headers: dict[str, str] | None = None) -> Response:
    title = HTTPStatus(status).phrase
    content = dump(Problem("about:blank", title, status, error.code, str(error), error.reason, error.facts))
    return Response(content, status, headers, media_type="application/problem+json")


def refusal(status: int, detail: str) -> Response:
    """The response to a request that never reaches the application."""
    response = problem(status, Code.UNAVAILABLE if status >= 500 else Code.BAD_REQUEST, detail)
    forbid_storing(response.headers)
    return response


def declare(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems of a call, for the OpenAPI document."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {"application/problem+json": {"schema": schema}},
        }
        for status in statuses
    }


def handle_problems(app: FastAPI) -> None:
    """Answer every exception with a problem."""
    app.add_exception_handler(RefusedError, _refused)
    app.add_exception_handler(WireError, _unreadable)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(StoreUnavailableError, _no_store)
    app.add_exception_handler(DamagedRowError, _damaged)
    app.add_exception_handler(HTTPException, unknown_address)
    app.add_exception_handler(Exception, _broken)


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    return answer(error)


async def _unreadable(_request: Request, error: Exception) -> Response:
    return answer(RefusedError(Code.BAD_REQUEST, str(error)))


async def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return answer(RefusedError(Code.BAD_REQUEST, f"{first['loc'][-1]}: {first['msg']}."))


async def _no_store(_request: Request, error: Exception) -> Response:
    assert isinstance(error, StoreUnavailableError)
    log.warning("store_unavailable", error=str(error))
    return answer(unavailable(error))


async def _damaged(request: Request, error: Exception) -> Response:
    site_of(request).store.reports.report(error)
    return answer(damaged_data())


async def unknown_address(request: Request, error: Exception) -> Response:
    """The problem for an unknown address, or for the wrong method."""
    assert isinstance(error, HTTPException)
    try:
        site_of(request).limits.spend(OTHER, address_of(request))
    except RateLimitedError as limited:
        return answer(limited)
    return problem(error.status_code, Code.BAD_REQUEST, f"{error.detail}.", dict(error.headers or {}))


async def _broken(_request: Request, _error: Exception) -> Response:
    response = problem(500, Code.UNAVAILABLE, "Something went wrong on the server.")
    forbid_storing(response.headers)
    return response
