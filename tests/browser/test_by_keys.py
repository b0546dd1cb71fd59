"""Whole games by the keyboard alone, from the start page to the score."""

import json

import pytest
from playwright.async_api import Page, Route

from tests.browser.typist import WATCH, Typist
from tests.browser.visitor import Enter

pytestmark = pytest.mark.slow


async def on_board(page: Page, board: str) -> None:
    """Tables that this page opens are on another board than the usual one."""

    async def ask_for_it(call: Route) -> None:
        await call.continue_(post_data=json.dumps({**json.loads(call.request.post_data or ""), "board": board}))

    await page.route("**/api/v1/rooms", ask_for_it)


async def open_table_by_keys(typist: Typist, board: str) -> None:
    page = typist.page
    await on_board(page, board)
    await page.add_init_script(f"({WATCH})()")
    await typist.visitor.open_home()
    await typist.reach("#name")
    await page.keyboard.type(typist.visitor.name)
    await typist.reach("input[name=seats]:checked")
    while await page.evaluate("document.activeElement.value") != "2":
        await page.keyboard.press("ArrowLeft")
    await typist.press("#create-go")
    await page.wait_for_selector("#start:visible")
    await typist.press(".seat[data-seat='1'] .seat-bot")
    await page.wait_for_selector(".seat[data-seat='1'][data-kind=bot]")
    await typist.press("#start")


@pytest.mark.parametrize("board", ["san-francisco", "drought"])
async def test_a_whole_game_by_the_keyboard_alone(come: Enter, board: str) -> None:
    typist = Typist(await come("Ana"))
    await open_table_by_keys(typist, board)
    await typist.play()
    assert {"keep", "draw", "tickets", "claim" if board == "san-francisco" else "pass"} <= set(typist.done)
    assert await typist.noted("lost") == []
    await check_announcements(typist)


async def check_announcements(typist: Typist) -> None:
    """All that stands in the log was read out, and each move stands in the log."""
    logged, announced = await typist.noted("logged"), await typist.noted("announced")
    assert len(logged) >= int(await typist.visitor.version())
    assert len(announced) == len(logged)
    for said in announced:
        assert any(all(piece in said for piece in line) for line in logged), said
    for line in logged:
        assert any(all(piece in said for piece in line) for said in announced), line
