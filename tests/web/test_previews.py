"""What others than browsers make of the pages: previews of links, icons, and search engines."""

import re
import struct
from pathlib import Path

import pytest
from httpx import AsyncClient

from app.web.site import ROOT
from app.web.words import LANGUAGES
from harness.callers import new_caller, open_client, seated, settings_in
from tools.icons import FAVICON, FAVICON_SIZES


def told_by(page: str) -> dict[str, str]:
    """What a page says of itself by the names of its properties."""
    return dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', page))


@pytest.mark.parametrize("base", ["", "/fog"])
async def test_an_invitation_has_a_preview_with_a_picture(tmp_path: Path, base: str) -> None:
    settings = settings_in(tmp_path, base_path=base or "/", public_url="https://play.example")
    async with open_client(settings) as client:
        player = (await client.post(f"{base}/api/v1/players", json={"name": "Wilhelmina"})).json()
        headers = {"Authorization": f"Bearer {player['token']}"}
        code = (await client.post(f"{base}/api/v1/rooms", json={"seats": 2}, headers=headers)).json()["code"]
        page = (await client.get(f"{base}/t/{code}")).text
        told = told_by(page)
        assert told["og:url"] == f"https://play.example{base}/t/{code}"
        assert told["og:image"] == f"https://play.example{base}/static/icons/preview.jpg"
        assert told["og:title"] == "Come and play Fogline with me"
        assert "Wilhelmina" not in str(told)
        picture = await client.get(f"{base}/static/icons/preview.jpg")
        assert picture.headers["content-type"] == "image/jpeg"
        assert size_of_jpeg(picture.content) == (int(told["og:image:width"]), int(told["og:image:height"]))


def size_of_jpeg(data: bytes) -> tuple[int, int]:
    """From its frame, which follows the other segments."""
    at = 2
    while data[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    height, width = struct.unpack(">HH", data[at + 5 : at + 9])
    return width, height


async def test_a_preview_speaks_the_language_that_is_asked_for(client: AsyncClient) -> None:
    code, _ = await seated(client, 2)
    pages = [(await client.get(f"/t/{code}", headers={"accept-language": language})).text for language in LANGUAGES]
    for part in ("og:title", "og:description"):
        assert len({told_by(page)[part] for page in pages}) == len(LANGUAGES)


async def test_nothing_of_a_room_is_for_search_engines(client: AsyncClient) -> None:
    host = await new_caller(client)
    code = await host.create()
    for path in (f"/t/{code}", f"/t/{code}/qr.svg", "/t/00000000", f"/rules?table={code}", "/tables", "/phone"):
        assert (await client.get(path)).headers["x-robots-tag"] == "noindex", path
    for path in (f"/api/v1/rooms/{code}", "/api/v1/rooms"):
        assert (await client.get(path, headers=host.headers)).headers["x-robots-tag"] == "noindex", path
    for path in ("/", "/rules", "/static/css/page.css"):
        assert "x-robots-tag" not in (await client.get(path)).headers, path
    assert "data-nosnippet" in (await client.get("/")).text


@pytest.mark.parametrize("base", ["", "/fog"])
async def test_what_is_asked_for_unasked_is_there(tmp_path: Path, base: str) -> None:
    async with open_client(settings_in(tmp_path, base_path=base or "/")) as client:
        for root in {"", base}:
            icon = await client.get(f"{root}/favicon.ico")
            assert (icon.status_code, icon.headers["content-type"]) == (200, "image/x-icon")
            robots = await client.get(f"{root}/robots.txt")
            assert (robots.status_code, robots.headers["content-type"]) == (200, "text/plain; charset=utf-8")
        home = (await client.get(f"{base}/")).text
        assert f'href="{base}/favicon.ico"' in home
        assert f'href="{base}/static/icons/round-192.png"' in home


def test_the_icon_holds_each_of_its_sizes() -> None:
    data = (ROOT / "static" / FAVICON).read_bytes()
    kind, count = struct.unpack("<HH", data[2:6])
    assert (kind, count) == (1, len(FAVICON_SIZES))
    for index, size in enumerate(FAVICON_SIZES):
        width, height, length, at = struct.unpack("<BB6xII", data[6 + 16 * index : 22 + 16 * index])
        assert (width, height) == (size, size)
        assert data[at : at + length].startswith(b"\x89PNG")
        assert struct.unpack(">II", data[at + 16 : at + 24]) == (size, size)
