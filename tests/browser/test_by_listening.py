"""A whole game by a blind player, through the roles and names of the accessibility tree."""

import asyncio
import re

import pytest

from tests.browser.screen_reader import Node, ScreenReaderPlayer
from tests.browser.test_by_keys import on_board
from tests.browser.visitor import Enter, Visitor


async def open_table(person: Visitor, board: str) -> ScreenReaderPlayer:
    await on_board(person.page, board)
    await person.open_home()
    listener = await ScreenReaderPlayer.beside(person)
    await listener.type_into("Your name", person.name)
    await listener.press_called("radio", "2 seats")
    await listener.press_called("button", "Open the table")
    await listener.hear_of("button", "Add a bot")
    return listener


async def begin_with_bot(listener: ScreenReaderPlayer) -> None:
    await listener.press_called("button", "Add a bot")
    await listener.hear_of("button", "Free the seat of .*")
    await listener.press_called("button", "Start the game")
    await listener.hear_of("button", "Mark at least one")


async def test_routes_locations_and_stacks_tell_what_they_are(come: Enter) -> None:
    listener = await open_table(await come("Ana"), "san-francisco")
    await begin_with_bot(listener)
    nodes = await listener.hear()
    routes = [node.name for node in nodes if node.role == "button" and re.fullmatch(".* to .*, [1-5] .*", node.name)]
    assert len(routes) == 52
    assert "Sunset to Twin Peaks, 4 blue, free" in routes
    assert "Alcatraz to The Embarcadero, 4 of any one color, with 1 ferry, free" in routes
    images = {node.name for node in nodes if node.role == "image"}
    assert {"Sunset", "Lighthouse at Alcatraz: 2 left"} <= images


@pytest.mark.slow
async def test_a_whole_game_by_the_accessibility_tree_alone(come: Enter) -> None:
    listener = await open_table(await come("Ana"), "flood")
    await begin_with_bot(listener)
    await listener.play()
    assert {"mark", "keep", "draw", "route", "claim", "tickets", "confirm"} <= set(listener.done)
    check_scores(await listener.hear())


def check_scores(nodes: list[Node]) -> None:
    """The lines of each result add up to its total, as they are read out."""
    results = [node.name for node in nodes if node.role == "article"]
    assert len(results) == 2
    for result in results:
        cells = [node.name for node in nodes if "cell" in node.role and result in node.path]
        points = [int(cell.replace("\u2212", "-")) for cell in cells]
        assert len(points) >= 4
        assert sum(points[:-1]) == points[-1]


@pytest.mark.slow
async def test_who_is_last_places_stacks_by_the_accessibility_tree(come: Enter) -> None:
    host = await open_table(await come("Ana"), "flood")
    guest = await ScreenReaderPlayer.beside(await come("Bo"))
    await guest.visitor.page.goto(host.visitor.page.url)
    await guest.type_into("Your name", "Bo")
    await guest.press_called("button", "Take a seat")
    await host.hear_of("button", "Free the seat of Bo")
    await host.press_called("button", "Start the game")
    for listener in (host, guest):
        await listener.hear_of("button", "Mark at least one")
        for _ in ("mark", "mark", "keep"):
            await listener.act()
    last = await who_hears("Place a tourist token", host, guest)
    for _ in ("pick", "place", "place"):
        await last.act()
    assert last.done[-3:] == ["pick", "place", "place"]
    await who_hears("Your turn", host, guest)


async def who_hears(banner: str, *listeners: ScreenReaderPlayer) -> ScreenReaderPlayer:
    for _ in range(100):
        for listener in listeners:
            if any((node.role, node.name) == ("group", banner) for node in await listener.hear()):
                return listener
        await asyncio.sleep(0.05)
    raise AssertionError(f"nobody hears: {banner}")
