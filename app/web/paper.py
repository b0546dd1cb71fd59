"""What all pages are printed on: the templates, and the page that tells of a refusal."""

import math
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from fastapi.templating import Jinja2Templates
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.meters import REFUSALS
from app.rooms import RefusedError, damaged_data, unavailable
from app.store import DamagedRowError, StoreUnavailableError

from .address import address_of
from .limits import STRAY, RateLimitedError
from .problems import no_such_thing, status_of
from .site import ROOT, site_of
from .words import words_of_page


def address_of_page(request: Request) -> dict[str, str]:
    """The address of the start page, without a slash at its end, for what is read elsewhere than in a browser."""
    return {"site_url": site_of(request).address.url_of(request)}


templates = Jinja2Templates(ROOT / "templates", context_processors=[words_of_page, address_of_page])
templates.env.add_extension("jinja2.ext.i18n")
templates.env.policies["ext.i18n.trimmed"] = True

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class PageRoute(APIRoute):
    """A page for people: what is refused is told by a page, too."""

    def get_route_handler(self) -> Handler:
        """The handler, with its refusals shown."""
        show = super().get_route_handler()

        async def show_or_tell(request: Request) -> Response:
            try:
                return await site_of(request).identities.renewed(request, await show(request))
            except RefusedError as error:
                return trouble(request, error)
            except StoreUnavailableError as error:
                return trouble(request, unavailable(error))
            except DamagedRowError as error:
                site_of(request).store.reports.report(error)
                return trouble(request, damaged_data())

        return show_or_tell


def trouble(request: Request, error: RefusedError) -> Response:
    """The page that tells of a refusal and offers to try again."""
    REFUSALS[error.code] += 1
    wait = math.ceil(error.wait) if isinstance(error, RateLimitedError) else None
    again = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    context = {"base": f"{site_of(request).address.base}/", "code": error.code, "reason": error.reason, "again": again}
    headers = {} if wait is None else {"Retry-After": str(wait)}
    return templates.TemplateResponse(request, "trouble.html", context, status_of(error), headers)


async def nowhere(request: Request, error: Exception) -> Response:
    """What answers at an address that leads nowhere: a page for people, a problem for programs."""
    assert isinstance(error, HTTPException)
    if "text/html" not in request.headers.get("Accept", ""):
        return await no_such_thing(request, error)
    try:
        site_of(request).limits.spend(STRAY, address_of(request))
    except RateLimitedError as limited:
        return trouble(request, limited)
    return templates.TemplateResponse(request, "nowhere.html", {"base": f"{site_of(request).address.base}/"}, 404)
