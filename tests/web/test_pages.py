"""Pages and what lies beside them, under any base path."""

import json
import re
import shutil
from pathlib import Path

import pytest
from httpx import AsyncClient

from app.web.site import ROOT
from harness.callers import new_caller, open_client, seated, settings_in
from harness.paths import BOARDS


async def test_home(client: AsyncClient) -> None:
    answer = await client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


async def test_the_tables_page_holds_the_board_already(client: AsyncClient) -> None:
    code, callers = await seated(client, 2)
    page = (await client.get(f"/t/{code}", headers=callers[1].headers)).text
    assert 'class="board"' in page
    assert f'data-code="{code}"' in page


async def test_BUG916_home_shows_the_callers_tables(client: AsyncClient) -> None:
    code, callers = await seated(client, 2)
    stranger = await new_caller(client)
    assert f"/t/{code}" in (await client.get("/", headers=callers[1].headers)).text
    assert f"/t/{code}" not in (await client.get("/", headers=stranger.headers)).text


async def test_a_table_that_is_not_there_is_a_page_too(client: AsyncClient) -> None:
    for code in ("00000000", "<script>alert(1)", "%3Cscript%3Ealert(1)"):
        answer = await client.get(f"/t/{code}")
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "<script>alert" not in answer.text


async def test_BUG1303_a_name_closes_nothing(client: AsyncClient) -> None:
    caller = await new_caller(client, "</script><svg onload=")
    code = await caller.create()
    for path in ("/", f"/t/{code}"):
        page = (await client.get(path, headers=caller.headers)).text
        assert "</script><svg onload" not in page


async def test_no_page_has_a_script_or_style_in_itself(client: AsyncClient) -> None:
    code, _ = await seated(client, 2)
    for path in ("/", f"/t/{code}"):
        page = (await client.get(path)).text
        assert not re.search(r"<script(?![^>]*\ssrc=)", page)
        assert not re.search(r"<style|\son[a-z]+=|\sstyle=|javascript:", page)


@pytest.mark.parametrize("base", ["/fog", "/games/sf/"])
async def test_BUG1404_BUG1406_everything_lies_under_the_base_path(tmp_path: Path, base: str) -> None:
    root = base.rstrip("/")
    async with open_client(settings_in(tmp_path, base_path=base)) as client:
        player = (await client.post(f"{root}/api/v1/players", json={"name": "Ann"})).json()
        headers = {"Authorization": f"Bearer {player['token']}"}
        opening = (await client.post(f"{root}/api/v1/rooms", json={"seats": 2}, headers=headers)).json()
        assert opening["url"] == f"http://fogline.test{root}/t/{opening['code']}"
        for path in ("/", f"/t/{opening['code']}", "/healthz", "/readyz", "/metrics", "/api/v1/openapi.json"):
            assert (await client.get(root + path)).status_code == 200
        page = (await client.get(f"{root}/t/{opening['code']}")).text
        assets = re.findall(r'(?:src|href)="(/[^"]*)"', page)
        assert all(asset.startswith(root + "/") for asset in assets)
        for asset in assets:
            assert (await client.get(asset)).status_code == 200, asset
        assert (await client.get("/healthz")).status_code == 404


async def test_the_url_to_invite_is_what_the_host_says(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path, public_url="https://play.example/")) as client:
        host = await new_caller(client)
        opening = (await client.post("/api/v1/rooms", json={"seats": 2}, headers=host.headers)).json()
        assert opening["url"] == f"https://play.example/t/{opening['code']}"


async def test_static_files_are_asked_for_again_and_not_sent_again(client: AsyncClient) -> None:
    first = await client.get("/static/css/board.css")
    again = await client.get("/static/css/board.css", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code) == (200, 304)
    assert (await client.get("/static/../pyproject.toml")).status_code == 404
    assert (await client.get("/static/%2e%2e/pyproject.toml")).status_code == 404


async def test_scripts_go_packed_to_those_who_can_unpack_and_without_remarks(client: AsyncClient) -> None:
    packed = await client.get("/static/js/table/table.js", headers={"Accept-Encoding": "gzip"})
    plain = await client.get("/static/js/table/table.js", headers={"Accept-Encoding": "identity"})
    assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert packed.headers["etag"] != plain.headers["etag"]
    assert packed.text == plain.text
    assert not [line for line in plain.text.splitlines() if line.strip().startswith(("//", "*", "/**"))]
    assert "/**" not in plain.text


def test_no_text_of_a_script_goes_over_several_lines() -> None:
    """Margins are taken away, and must not be part of a text."""
    lines = [line for path in (ROOT / "static" / "js").rglob("*.js") for line in path.read_text("utf-8").splitlines()]
    assert [line for line in lines if line.count("`") % 2 and not line.lstrip().startswith(("*", "//"))] == []


async def test_the_page_of_a_table_goes_packed_to_those_who_can_unpack(client: AsyncClient) -> None:
    code, _ = await seated(client, 2)
    packed = await client.get(f"/t/{code}", headers={"Accept-Encoding": "gzip"})
    plain = await client.get(f"/t/{code}", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == plain.text
    assert int(packed.headers["content-length"]) * 4 < int(plain.headers["content-length"])


async def test_signs_of_life(client: AsyncClient) -> None:
    await seated(client, 2)
    assert (await client.get("/healthz")).text.startswith("alive")
    assert (await client.get("/readyz")).text == "ready\n"
    assert "fogline_rooms 1.0" in (await client.get("/metrics")).text


async def test_a_site_whose_database_was_removed_is_not_ready_and_says_why(client: AsyncClient, tmp_path: Path) -> None:
    shutil.move(tmp_path / "fogline.db", tmp_path / "gone.db")
    answer = await client.get("/readyz")
    assert answer.status_code == 503
    assert "removed or replaced" in answer.json()["detail"]
    shutil.move(tmp_path / "gone.db", tmp_path / "fogline.db")
    assert (await client.get("/readyz")).text == "ready\n"


async def test_a_board_of_the_hosts_own(tmp_path: Path) -> None:
    """The game goes on with the board it was begun on, whatever becomes of the file."""
    boards = tmp_path / "boards"
    boards.mkdir()
    source = json.loads((BOARDS / "m0.json").read_text("utf-8"))
    file = boards / f"{source['id']}.json"
    file.write_text(json.dumps(source), "utf-8")
    async with open_client(settings_in(tmp_path, boards_dir=boards)) as client:
        caller = await new_caller(client)
        code = await caller.create(board=source["id"])
    file.write_text("{}", "utf-8")
    async with open_client(settings_in(tmp_path, boards_dir=boards)) as client:
        assert (await client.get(f"/api/v1/rooms/{code}")).json()["board"] == source["id"]
        assert (await client.get(f"/t/{code}")).status_code == 200
        wrong = await client.post("/api/v1/rooms", json={"seats": 2, "board": source["id"]}, headers=caller.headers)
        assert wrong.status_code == 400
        assert "can't be played" in wrong.json()["detail"]


async def test_a_board_file_that_is_no_text_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe{}")
    async with open_client(settings_in(tmp_path, boards_dir=tmp_path)) as client:
        headers = (await new_caller(client)).headers
        wish = {"seats": 2, "board": "odd"}
        answers = [
            await client.get("/api/v1/boards/odd"),
            await client.post("/api/v1/rooms", json=wish, headers=headers),
        ]
        assert [answer.status_code for answer in answers] == [400, 400]
        assert {"odd.json" in answer.json()["detail"] for answer in answers} == {True}
