"""The ASGI application: routes, problems and headers."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import FastAPI

from . import api, document, door, front, manifest, pages, socket, well_known
from .edge import Edge
from .files import ClientFiles
from .headers import CacheHeaders, KeepFromSearch
from .heads import HeadsLikeGets
from .metrics_port import MetricsPort
from .paper import nowhere
from .problems import handle_problems
from .quiet_logs import NoteNetwork
from .site import ROOT, Site

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
    for router in (
        manifest.router,
        document.router,
        api.router,
        door.router,
        pages.signs,
        front.pages,
        pages.pages,
        socket.router,
    ):
        app.include_router(router, prefix=base)
    app.include_router(well_known.router, prefix=base)
    if base:
        app.include_router(well_known.router)
    app.include_router(socket.elsewhere)
    app.mount(f"{base}/static", ClientFiles(directory=ROOT / "static"), name="static")
    app.add_middleware(HeadsLikeGets)
    if metrics_port is not None:
        app.add_middleware(MetricsPort, port=metrics_port, path=f"{base}/metrics")
    app.add_middleware(NoteNetwork)
    app.add_middleware(Edge)
    app.add_middleware(CacheHeaders)
    app.add_middleware(KeepFromSearch, base=base)
    handle_problems(app)
    app.add_exception_handler(404, nowhere)
    app.openapi = lambda: document.document(app)  # type: ignore[method-assign]
    return app
