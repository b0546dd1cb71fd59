"""What makes the site an app that can be installed: its manifest and its icons."""

import struct
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient

from app.web.site import ROOT
from app.web.words import LANGUAGES
from harness.callers import open_client, settings_in
from tools.icons import ICONS


async def manifest_at(client: AsyncClient, base: str, language: str = "en") -> dict[str, Any]:
    answer = await client.get(f"{base}/manifest.webmanifest", headers={"accept-language": language})
    assert answer.headers["content-type"] == "application/manifest+json"
    told: dict[str, Any] = answer.json()
    return told


@pytest.mark.parametrize("base", ["", "/fog"])
async def test_the_app_is_the_site_under_its_path(tmp_path: Path, base: str) -> None:
    async with open_client(settings_in(tmp_path, base_path=base or "/")) as client:
        told = await manifest_at(client, base)
        assert (told["start_url"], told["scope"], told["id"]) == (f"{base}/",) * 3
        home = (await client.get(f"{base}/")).text
        assert f'<link rel="manifest" href="{base}/manifest.webmanifest">' in home
        assert (await client.get(f"{base}/static/icons/apple-touch.png")).status_code == 200
        for icon in told["icons"]:
            picture = await client.get(icon["src"])
            assert (picture.status_code, picture.headers["content-type"]) == (200, icon["type"])
            if icon["sizes"] != "any":
                assert icon["sizes"] == "{}x{}".format(*size_of(picture.content))


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_each_icon_is_as_large_as_it_is_to_be() -> None:
    sizes = [size_of((ROOT / "static" / icon.file).read_bytes()) for icon in ICONS]
    assert sizes == [(icon.size, icon.size) for icon in ICONS]


async def test_the_manifest_speaks_the_language_of_the_browser(client: AsyncClient) -> None:
    told = [await manifest_at(client, "", language) for language in LANGUAGES]
    assert [each["lang"] for each in told] == list(LANGUAGES)
    assert len({each["description"] for each in told}) == len(LANGUAGES)


async def test_the_colors_are_those_of_the_pages(client: AsyncClient) -> None:
    told = await manifest_at(client, "")
    style = (ROOT / "static" / "css" / "page.css").read_text("utf-8")
    assert f"--sheet: var(--day, {told['theme_color']})" in style
    assert f"--paper: var(--day, {told['background_color']})" in style
    home = (await client.get("/")).text
    edges = [told["theme_color"], "#1e2d37"]
    assert "--night, #1e2d37" in style
    assert all(f'<meta name="theme-color" content="{edge}"' in home for edge in edges)
