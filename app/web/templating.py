"""The templates of the pages, and the pages that tell of a refusal or of an unknown address."""

import math
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from fastapi.templating import Jinja2Templates
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.metrics import REFUSALS
from app.rooms import RefusedError, damaged_data, unavailable
from app.store import DamagedRowError, StoreUnavailableError

from .address import address_of
from .limits import OTHER, RateLimitedError
from .problems import status_of, unknown_address
from .site import ROOT, site_of
from .words import words_of_page


def address_of_page(request: Request) -> dict[str, str]:
    """The full address of the start page, without a slash at its end, for previews of links."""
    return {"site_url": site_of(request).address.url_of(request)}


templates = Jinja2Templates(ROOT / "templates", context_processors=[words_of_page, address_of_page])
templates.env.add_extension("jinja2.ext.i18n")
templates.env.policies["ext.i18n.trimmed"] = True

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class PageRoute(APIRoute):
    """A route whose refusals are pages too."""

    def get_route_handler(self) -> Handler:
        show = super().get_route_handler()

        async def show_or_tell(request: Request) -> Response:
            try:
                return await site_of(request).identities.renewed(request, await show(request))
            except RefusedError as error:
                return error_page(request, error)
            except StoreUnavailableError as error:
                return error_page(request, unavailable(error))
            except DamagedRowError as error:
                site_of(request).store.reports.report(error)
                return error_page(request, damaged_data())

        return show_or_tell


def error_page(request: Request, error: RefusedError) -> Response:
    """The page that tells of a refusal, with a link to try again."""
    REFUSALS[error.code] += 1
    wait = math.ceil(error.wait) if isinstance(error, RateLimitedError) else None
    again = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    context = {"base": f"{site_of(request).address.base}/", "code": error.code, "reason": error.reason, "again": again}
    headers = {} if wait is None else {"Retry-After": str(wait)}
    return templates.TemplateResponse(request, "error.html", context, status_of(error), headers)


async def not_found(request: Request, error: Exception) -> Response:
    """The answer at an unknown address: a page for people, a problem for programs."""
    assert isinstance(error, HTTPException)
    if "text/html" not in request.headers.get("Accept", ""):
        return await unknown_address(request, error)
    try:
        site_of(request).limits.spend(OTHER, address_of(request))
    except RateLimitedError as limited:
        return error_page(request, limited)
    return templates.TemplateResponse(request, "not_found.html", {"base": f"{site_of(request).address.base}/"}, 404)
