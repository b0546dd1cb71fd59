"""Files that browsers and search engines request by themselves, at the root of the host too."""

from fastapi import APIRouter
from starlette.responses import FileResponse, PlainTextResponse, Response

from .site import ROOT

ROBOTS = "User-agent: *\nAllow: /\n"
"""Pages of tables may be fetched for previews of links; `X-Robots-Tag` keeps them out of search engines."""

router = APIRouter(include_in_schema=False)


@router.get("/favicon.ico")
async def favicon() -> Response:
    """The icon for browsers that ignore the icons a page names."""
    return FileResponse(ROOT / "static" / "icons" / "favicon.ico", media_type="image/x-icon")


@router.get("/robots.txt")
async def robots() -> Response:
    return PlainTextResponse(ROBOTS)
