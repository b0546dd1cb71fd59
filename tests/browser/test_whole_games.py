"""Whole games by clicking, from the start page to the score, each player in a browser context of their own."""

import asyncio
from typing import Any

import pytest

from tests.browser.clicker import Clicker
from tests.browser.server import FoglineServer
from tests.browser.visitor import Enter, Visitor

pytestmark = pytest.mark.slow

NAMES = ("Ana <b>María</b>", "ليلى", "Børge 🚋", "Çiğdem")

RESULTS = """() => [...document.querySelectorAll('.result')].map((result) => ({
    name: result.querySelector('bdi').textContent,
    lines: [...result.querySelectorAll('tbody td')].map((cell) => Number(cell.textContent.replace('−', '-'))),
    total: Number(result.querySelector('tfoot td').textContent.replace('−', '-')),
    rank: result.dataset.rank,
}))"""


async def gather_round(come: Enter, count: int, **where: Any) -> list[Visitor]:
    host = await come(NAMES[0], **where)
    link = await host.open_table(count)
    guests = [await come(name, **where) for name in NAMES[1:count]]
    for guest in guests:
        await guest.sit_down(link)
    await host.page.wait_for_function(f"document.querySelectorAll('.seat[data-kind=human]').length === {count}")
    await host.page.click("#start")
    return [host, *guests]


async def check_results(people: list[Visitor]) -> None:
    """Everybody sees the same result, and its lines add up."""
    shown = [await person.page.evaluate(RESULTS) for person in people]
    assert all(results == shown[0] for results in shown)
    assert len(shown[0]) >= 2
    for result in shown[0]:
        assert sum(result["lines"]) == result["total"]
    best = max(result["total"] for result in shown[0])
    assert all(result["total"] == best for result in shown[0] if result["rank"] == "1")


@pytest.mark.parametrize("count", [2, 3, 4])
async def test_people_play_a_whole_game_by_clicking(come: Enter, count: int) -> None:
    people = await gather_round(come, count)
    players = [Clicker(person, seed) for seed, person in enumerate(people)]
    late = asyncio.create_task(watch(come, people[0].page.url))
    await asyncio.gather(*(player.play() for player in players))
    await check_results([*people, await late])
    played = {kind for player in players for kind in player.done}
    assert played >= {"keep", "place", "draw", "claim", "tickets"}


async def watch(come: Enter, link: str) -> Visitor:
    """A latecomer, who has no seat and is offered no move."""
    watcher = await come("Late")
    await watcher.page.goto(link)
    await watcher.page.wait_for_selector("body[data-state=playing]")
    while await watcher.page.evaluate("document.body.dataset.state") != "over":
        assert await watcher.page.locator(".claimable, .card:not([aria-disabled]), #ask:visible").count() == 0
        await asyncio.sleep(0.25)
    return watcher


async def test_one_person_plays_alone_against_three_bots(come: Enter) -> None:
    person = await come("Solo")
    await person.open_table(4)
    for seat in (1, 2, 3):
        await person.page.click(f".seat[data-seat='{seat}'] .seat-bot")
        await person.page.wait_for_selector(f".seat[data-seat='{seat}'][data-kind=bot]")
    await person.page.click("#start")
    await Clicker(person, 0).play()
    await check_results([person])


async def test_reload_in_every_phase_a_lost_network_and_a_killed_server(come: Enter, own_server: FoglineServer) -> None:
    people = await gather_round(come, 3, address=own_server.address)
    reloading, offline, steady = people
    for person in people:
        person.network_may_fail = True
    players = [Clicker(person, seed) for seed, person in enumerate(people)]
    await asyncio.gather(
        play_and_reload(players[0]),
        play_with_a_lost_network(players[1]),
        play_through_a_crash(players[2], own_server),
    )
    await check_results([reloading, offline, steady])


async def play_and_reload(player: Clicker) -> None:
    """Reloads the page the first time in each phase, before acting in it."""
    met: set[str] = set()
    while await player.visitor.next_turn() != "over":
        phase = await player.visitor.phase()
        if phase not in met:
            met.add(phase)
            await player.page.reload()
            continue
        await player.act()
    await player.page.reload()
    await player.visitor.next_turn()
    assert met >= {"first_tickets", "tokens", "turn", "second_card", "keep_tickets"}


async def play_with_a_lost_network(player: Clicker) -> None:
    """Is cut off after some moves; the page says so, and heals by itself."""
    for _ in range(6):
        await player.visitor.next_turn()
        await player.act()
    await player.page.context.set_offline(True)
    await player.page.wait_for_selector("#connection:visible")
    await asyncio.sleep(1)
    await player.page.context.set_offline(False)
    await player.page.wait_for_selector("#connection", state="hidden")
    await player.play()


async def play_through_a_crash(player: Clicker, server: FoglineServer) -> None:
    """Acts while the server is dead: the move waits, and is played once when the server is back."""
    for _ in range(9):
        await player.visitor.next_turn()
        await player.act()
    await player.visitor.next_turn()
    server.kill()
    move = asyncio.create_task(player.act())
    await asyncio.sleep(1)
    assert not move.done()
    await asyncio.to_thread(server.start_again)
    await move
    await player.play()
