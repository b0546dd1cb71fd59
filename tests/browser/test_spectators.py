"""Spectators in browsers: listed, offered a seat, and sent away where the host wants none."""

import pytest

from tests.browser.visitor import PHONE, Enter, Visitor


async def name_oneself(person: Visitor) -> None:
    """Become known to the server by the name, without a seat."""
    await person.page.goto(person.address)
    answer = await person.page.request.post(
        f"{person.address}/api/v1/players", data={"name": person.name}, headers={"Origin": person.address}
    )
    assert answer.status == 201


@pytest.mark.slow
async def test_the_host_offers_a_seat_and_one_tap_takes_it(come: Enter) -> None:
    host, cal = await come("Ana"), await come("Cal", viewport=PHONE)
    link = await host.open_table(2)
    await name_oneself(cal)
    await cal.page.goto(link)
    await host.page.click(".watcher:has-text('Cal') .watcher-ask")
    await host.page.wait_for_selector(".watcher:has-text('was offered a seat')")
    await cal.page.wait_for_selector("#asked-by:has-text('Ana offers you a seat')")
    await cal.page.reload()
    await cal.page.wait_for_selector("#asked-sit:visible")
    assert not await cal.page.is_visible("#sit")
    await cal.page.click("#asked-sit")
    await host.page.wait_for_selector(".seat[data-seat='1'] bdi:text-is('Cal')")
    await host.page.wait_for_selector("#lobby-watchers", state="hidden")
    await cal.page.wait_for_selector("#leave:visible")
    assert await cal.page.locator("#asked").is_hidden()


@pytest.mark.slow
async def test_spectators_are_named_beside_the_players(come: Enter) -> None:
    host, cal, stranger = await come("Ana"), await come("Cal"), await come("Stranger")
    link = await host.open_table(2)
    await host.page.click(".seat[data-seat='1'] .seat-bot")
    await name_oneself(cal)
    for person in (cal, stranger):
        await person.page.goto(link)
    await host.page.wait_for_selector(".seat[data-kind=bot]")
    await host.page.click("#start")
    await host.page.wait_for_selector("#watchers:has-text('2 people are watching: Cal')")
    await cal.page.wait_for_selector("#market .card[data-color]")
    assert [await cal.page.is_visible(f".{panel}-panel") for panel in ("market", "hand", "tickets")] == [
        True,
        False,
        False,
    ]


@pytest.mark.slow
async def test_a_table_without_spectators_says_so_and_players_come_back(come: Enter) -> None:
    host, cal, late = await come("Ana"), await come("Cal"), await come("Late")
    await host.open_home()
    await host.page.uncheck("#spectators")
    link = await host.open_table(2, keep=True)
    await cal.page.goto(link)
    await cal.page.wait_for_selector("#sit:visible")
    await host.page.click(".seat[data-seat='1'] .seat-bot")
    await host.page.wait_for_selector(".seat[data-kind=bot]")
    for person in (cal, late):
        person.network_may_fail = True
    await host.page.click("#start")
    await cal.page.wait_for_selector("h1:has-text('plays without an audience')")
    answer = await late.page.goto(link)
    assert answer is not None
    assert answer.status == 403
    assert "wants no spectators" in await late.page.inner_text("main")
    await host.page.reload()
    await host.page.wait_for_selector("body[data-state=playing]")
    for person in (cal, late):
        person.errors = [error for error in person.errors if "403" not in error]


@pytest.mark.slow
async def test_who_was_cut_off_when_the_game_began_is_told_in_the_end(come: Enter) -> None:
    host, cal = await come("Ana"), await come("Cal")
    await host.open_home()
    await host.page.uncheck("#spectators")
    link = await host.open_table(2, keep=True)
    await cal.page.goto(link)
    await cal.page.wait_for_selector("#sit:visible")
    cal.network_may_fail = True
    await cal.page.context.set_offline(True)
    await cal.page.wait_for_selector("#connection:visible")
    await host.page.click(".seat[data-seat='1'] .seat-bot")
    await host.page.wait_for_selector(".seat[data-kind=bot]")
    await host.page.click("#start")
    await host.page.wait_for_selector("body[data-state=playing]")
    await cal.page.context.set_offline(False)
    await cal.page.wait_for_selector("h1:has-text('plays without an audience')")
    cal.errors = [error for error in cal.errors if "403" not in error]
