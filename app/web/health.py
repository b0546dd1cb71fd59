"""What the server says of itself: whether it lives, whether it can serve, and its metrics."""

from ipaddress import ip_address

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from app import __version__
from app.bus import BusUnavailableError
from app.rooms import Code
from app.store import DatabaseDamagedError, FileGoneError, StoreUnavailableError

from .address import address_of, asked_of
from .limits import OTHER, READINESS
from .metrics import render_metrics
from .problems import declare, problem
from .site import site_of

router = APIRouter()


@router.get("/healthz", response_class=PlainTextResponse, responses=declare(429))
async def healthz(request: Request) -> Response:
    """Whether the process is alive, at which address it was asked, which shows what a proxy passes on, its version."""
    if not is_on_this_machine(request):
        site_of(request).limits.spend(OTHER, address_of(request))
    proxy = "" if is_trusted(request) else ", by a proxy that is not trusted"
    return PlainTextResponse(f"alive at {asked_of(request)}{proxy}\nFogline {__version__}\n")


def is_on_this_machine(request: Request) -> bool:
    """Whether this machine asks: the container's health check must always be answered."""
    try:
        return ip_address(address_of(request)).is_loopback
    except ValueError:
        return False


def is_trusted(request: Request) -> bool:
    """Whether the proxy, if there is one, is trusted to say for whom it asks."""
    forwarded = request.headers.get("x-forwarded-for")
    return forwarded is None or address_of(request) in [part.strip() for part in forwarded.split(",")]


@router.get("/readyz", response_class=PlainTextResponse, responses=declare(429, 503))
async def readyz(request: Request) -> Response:
    """Whether the database can be written, and the bus be reached."""
    site = site_of(request)
    site.limits.spend(READINESS, address_of(request))
    try:
        await site.store.ping()
        await site.bus.ping()
    except (DatabaseDamagedError, FileGoneError) as error:
        return problem(503, Code.UNAVAILABLE, str(error))
    except StoreUnavailableError:
        return problem(503, Code.UNAVAILABLE, "The database can't be reached, or can't be written.")
    except BusUnavailableError:
        return problem(503, Code.UNAVAILABLE, "The bus can't be reached.")
    return PlainTextResponse("ready\n")


@router.get("/metrics", response_class=PlainTextResponse, responses=declare(429))
async def metrics(request: Request) -> Response:
    """Metrics for Prometheus."""
    site = site_of(request)
    site.limits.spend(READINESS, address_of(request))
    return PlainTextResponse(render_metrics(site))
