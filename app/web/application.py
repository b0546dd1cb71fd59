"""The ASGI application: routes, middleware and handlers of errors."""

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
    """The application under a base path. The site is open while it runs.

    With a metrics port, the metrics are at this port only, and nothing else is.
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
    for module in (manifest, openapi, players, rooms, health, pages, websocket, well_known):
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
