"""What browsers and search engines ask for by themselves, at the root of a host too."""

from fastapi import APIRouter
from starlette.responses import FileResponse, PlainTextResponse, Response

from .site import ROOT

ROBOTS = "User-agent: *\nAllow: /\n"
"""Pages of tables are open to those who make previews of links; `X-Robots-Tag` keeps them out of search engines."""

router = APIRouter(include_in_schema=False)


@router.get("/favicon.ico")
async def favicon() -> Response:
    """The icon for browsers that don't read what a page says of its icons."""
    return FileResponse(ROOT / "static" / "icons" / "favicon.ico", media_type="image/x-icon")


@router.get("/robots.txt")
async def robots() -> Response:
    """What search engines may visit."""
    return PlainTextResponse(ROBOTS)
