"""The paths that the site answers to GET, taken from its routes, so that no test has to list them."""

from fastapi import APIRouter
from fastapi.routing import APIRoute

from app.web import health, manifest, pages, well_known

NOT_PAGES = {"/tables", "/t/{code}/qr.svg"}
"""Paths of `app.web.pages` that give a part of a page, or a picture."""


def paths_of(*routers: APIRouter) -> list[str]:
    routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    found = {route.path for route in routes if "GET" in (route.methods or ())}
    return sorted(path for path in found if not path.startswith("/static/"))


SITE_PATHS = paths_of(pages.router, health.router, manifest.router, well_known.router)
PAGE_PATHS = [path for path in paths_of(pages.router) if path not in NOT_PAGES]
