"""The ASGI application: routes, problems and headers."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import FastAPI

from . import health, manifest, openapi, pages, websocket, well_known
from .api import players, rooms
from .files import ClientFiles
from .middleware import CheckRequest, MetricsPort, NoteNetwork, ServeHead, SetCacheControl, SetNoIndex
from .problems import handle_problems
from .site import ROOT, Site
from .templating import not_found

OpenSite = Callable[[], AbstractAsyncContextManager[Site]]


def build(base: str, open_site: OpenSite, metrics_port: int | None = None) -> FastAPI:
    """The application under a base path; the site is open as long as it runs.

    With a port of their own the metrics are at no other, and nothing else is there.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with open_site() as site:
            app.state.site = site
            yield

    app = FastAPI(
        title="Fogline",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lifespan,
    )
    for module in (manifest, openapi, rooms, players, health, pages, websocket, well_known):
        app.include_router(module.router, prefix=base)
    if base:
        app.include_router(well_known.router)
    app.include_router(websocket.elsewhere)
    app.mount(f"{base}/static", ClientFiles(directory=ROOT / "static"), name="static")
    app.add_middleware(ServeHead)
    if metrics_port is not None:
        app.add_middleware(MetricsPort, port=metrics_port, path=f"{base}/metrics")
    app.add_middleware(NoteNetwork)
    app.add_middleware(CheckRequest)
    app.add_middleware(SetCacheControl)
    app.add_middleware(SetNoIndex, base=base)
    handle_problems(app)
    app.add_exception_handler(404, not_found)
    app.openapi = lambda: openapi.describe(app)  # type: ignore[method-assign]
    return app
