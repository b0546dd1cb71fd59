"""Whole games by clicking, from the start page to the score, each player in a browser context of their own."""

import asyncio
from typing import Any

import pytest

from harness.browser import FoglineServer
from tests.browser.api_moves import play_to_the_last_turns
from tests.browser.clicker import Clicker
from tests.browser.visitor import Enter, Visitor

pytestmark = pytest.mark.slow

NAMES = ("Ana <b>María</b>", "ليلى", "Børge 🚋", "Çiğdem")

RESULTS = """() => [...document.querySelectorAll('.result')].map((result) => ({
    name: result.querySelector('bdi').textContent,
    lines: [...result.querySelectorAll('tbody td')].map((cell) => Number(cell.textContent.replace('−', '-'))),
    total: Number(result.querySelector('tfoot td').textContent.replace('−', '-')),
    rank: result.dataset.rank,
}))"""


SHOWN_EARLY = """() => document.querySelector('.turned') && ['[data-ticket]:not(.turned)', '.result tfoot']
    .map((part) => document.querySelector(part).checkVisibility({ visibilityProperty: true }))"""
"""While the first ticket is turned over: whether the others and the sum are to be seen."""


async def gather_round(come: Enter, count: int, **where: Any) -> list[Visitor]:
    host = await come(NAMES[0], **where)
    link = await host.open_table(count)
    guests = [await come(name, **where) for name in NAMES[1:count]]
    for guest in guests:
        await guest.sit_down(link)
    await guests[-1].page.reload()
    await host.page.wait_for_function(f"() => document.querySelectorAll('.seat[data-kind=human]').length === {count}")
    await host.page.click("#start")
    return [host, *guests]


async def check_results(people: list[Visitor]) -> None:
    """Everybody sees the same result, and its lines add up."""
    for person in people:
        await person.page.wait_for_selector(".result")
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
    watching = [asyncio.create_task(watch(come, people[0].page.url))] if count == 2 else []
    await asyncio.gather(*(player.play() for player in players))
    await check_results([*people, *[await late for late in watching]])
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
    await person.add_bots(1, 2, 3)
    await person.page.click("#start")
    await Clicker(person, 0).play()
    await check_results([person])


async def test_reload_in_every_phase_a_lost_network_and_a_killed_server(come: Enter, own_server: FoglineServer) -> None:
    people = await gather_round(come, 3, address=own_server.address)
    for person in people:
        person.network_may_fail = True
    one, other, third = (Clicker(person, 2 * seed) for seed, person in enumerate(people))
    met, met_too, _ = await asyncio.gather(
        play_and_reload(one), play_and_reload(other), play_through_failures(third, own_server)
    )
    assert met | met_too == {"lobby", "first_tickets", "tokens", "turn", "second_card", "keep_tickets", "over"}
    await check_results(people)


async def play_and_reload(player: Clicker) -> set[str]:
    """Reloads the page the first time in each phase, before acting in it. Gives the phases; not all place stacks."""
    met: set[str] = set()
    while await player.visitor.next_turn() != "over":
        phase = await player.visitor.phase()
        if phase not in met:
            met.add(phase)
            await player.page.reload()
            continue
        await player.act()
    await player.page.reload()
    await player.page.wait_for_selector(".result")
    return met | {"lobby", "over"}


async def play_through_failures(player: Clicker, server: FoglineServer) -> None:
    await play_some(player, 6)
    await lose_the_network(player)
    await play_some(player, 3)
    await act_while_the_server_is_dead(player, server)
    await player.play()


async def play_some(player: Clicker, moves: int) -> None:
    for _ in range(moves):
        assert await player.visitor.next_turn() == "act"
        await player.act()


async def lose_the_network(player: Clicker) -> None:
    """The page says that it is cut off, and reconnects by itself."""
    await player.page.context.set_offline(True)
    await player.page.wait_for_selector("#connection:visible")
    await player.page.context.set_offline(False)
    await player.page.wait_for_selector("#connection", state="hidden")


async def act_while_the_server_is_dead(player: Clicker, server: FoglineServer) -> None:
    """The move waits, and is played once when the server is back on the same port and data."""
    assert await player.visitor.next_turn() == "act"
    server.kill()
    move = asyncio.create_task(player.act())
    await player.page.wait_for_selector("[aria-busy=true]", state="attached")
    assert not move.done()
    await asyncio.to_thread(server.start)
    await move


async def test_after_the_end_tickets_are_turned_over_until_somebody_skips(come: Enter) -> None:
    first, second = await gather_round(come, 2, reduced_motion="no-preference")
    await play_to_the_last_turns([first, second])
    await asyncio.gather(Clicker(first, 1).play(), Clicker(second, 2).play())
    page = first.page
    shown = await page.wait_for_function(SHOWN_EARLY)
    assert await shown.json_value() == [False, False]
    await page.click("#reveal-skip")
    await check_results([first])
    assert await page.locator(".result tfoot").first.is_visible()
    await page.locator(".result").first.focus()
    await page.wait_for_selector(".route.dimmed")
    await page.reload()
    await page.wait_for_selector(".result tfoot:visible")
