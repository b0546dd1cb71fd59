"""The web app manifest, by which browsers install the site as an app."""

from functools import cache

import orjson
from fastapi import APIRouter, Request
from starlette.responses import Response

from .dependencies import Guarded
from .files import Sent, answer_with, pack
from .words import language_of, translations

KIND = "application/manifest+json"
PAPER, SHEET = "#fbf4e3", "#fffaf0"
"""The colors of pages and of the browser's frame, as in `page.css`."""

router = APIRouter(include_in_schema=False)


@router.get("/manifest.webmanifest")
async def manifest(request: Request, site: Guarded) -> Response:
    return answer_with(manifest_of(f"{site.address.base}/", language_of(request)), KIND, request.headers)


@cache
def manifest_of(base: str, language: str) -> Sent:
    """The manifest of a site with this base path, in a language."""
    return pack(
        orjson.dumps(
            {
                "id": base,
                "start_url": base,
                "scope": base,
                "name": "Fogline",
                "short_name": "Fogline",
                "description": translations(language).gettext(
                    "Ride the cable cars, cross the bay, bring home a souvenir. "
                    "A city game for two to four, in a quarter of an hour."
                ),
                "lang": language,
                "display": "standalone",
                "theme_color": SHEET,
                "background_color": PAPER,
                "icons": [
                    icon(base, "icon.svg", "any", kind="image/svg+xml"),
                    icon(base, "icons/round-192.png", "192x192"),
                    icon(base, "icons/round-512.png", "512x512"),
                    icon(base, "icons/maskable-512.png", "512x512", purpose="maskable"),
                ],
            }
        ).decode()
    )


def icon(base: str, file: str, sizes: str, kind: str = "image/png", purpose: str = "any") -> dict[str, str]:
    return {"src": f"{base}static/{file}", "sizes": sizes, "type": kind, "purpose": purpose}
