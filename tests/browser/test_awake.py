"""The screen stays on during an own game, for those who switched it on, while the page is in sight."""

import pytest

from tests.browser.api_moves import begin_with_bot
from tests.browser.measures import advance
from tests.browser.visitor import READY, Enter, Visitor

COUNT = """() => {
    self.locks = [];
    class Lock extends EventTarget {
        released = false;
        async release() { this.released = true; }
    }
    const request = async () => {
        const lock = new Lock();
        self.locks.push(lock);
        return lock;
    };
    Object.defineProperty(Navigator.prototype, 'wakeLock', { configurable: true, get: () => ({ request }) });
}"""
"""What a browser without a screen has no use for. It releases the locks of a hidden page, as `SIGHT` does."""

HELD = "() => self.locks.filter((lock) => !lock.released).length === {n}"
SIGHT = """hidden => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    if (hidden) for (const lock of self.locks) lock.released = true;
    document.dispatchEvent(new Event('visibilitychange'));
}"""


async def wait_for_locks(person: Visitor, n: int) -> None:
    await person.drawn()
    await person.page.wait_for_function(HELD.replace("{n}", str(n)))


async def switch(person: Visitor) -> None:
    """With the switch of the menu."""
    await person.page.click("#menu summary")
    await person.page.wait_for_selector(READY)
    await person.page.click("#awake")
    await person.page.keyboard.press("Escape")


async def test_the_screen_stays_on_while_an_own_game_is_in_sight(come: Enter) -> None:
    person = await come("Ana")
    page = person.page
    await page.add_init_script(f"({COUNT})()")
    await begin_with_bot(person)
    await wait_for_locks(person, 0)
    await switch(person)
    await wait_for_locks(person, 1)
    await page.evaluate(SIGHT, arg=True)
    await wait_for_locks(person, 0)
    await page.evaluate(SIGHT, arg=False)
    await wait_for_locks(person, 1)
    await page.reload()
    await wait_for_locks(person, 1)
    await switch(person)
    await wait_for_locks(person, 0)
    await page.reload()
    await person.next_turn()
    assert await page.evaluate("self.locks.length") == 0


@pytest.mark.slow
async def test_who_watches_or_has_finished_may_let_the_screen_turn_off(come: Enter) -> None:
    player, spectator = await come("Ana"), await come("Bo")
    for person in (player, spectator):
        await person.page.add_init_script(f"({COUNT})(); localStorage.setItem('fogline-awake', 'on')")
    await begin_with_bot(player)
    await wait_for_locks(player, 1)
    await spectator.page.goto(player.page.url)
    await spectator.page.wait_for_selector("body[data-state=playing][data-watching]")
    await wait_for_locks(spectator, 0)
    await advance(player, -1)
    await player.page.wait_for_selector(".result")
    await wait_for_locks(player, 0)


async def test_where_the_screen_can_not_be_kept_on_there_is_no_switch(come: Enter) -> None:
    person = await come("Ana")
    await person.page.add_init_script("delete Navigator.prototype.wakeLock")
    await begin_with_bot(person)
    await person.page.click("#menu summary")
    await person.page.wait_for_selector(READY)
    assert not await person.page.locator("#awake").is_visible()
    assert await person.page.locator("#sound").is_visible()
