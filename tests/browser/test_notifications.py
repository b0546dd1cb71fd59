"""Notices of the system: asked for by a tap only, and given when it is one's turn and nobody looks."""

from typing import Any

from tests.browser.api_moves import begin_with_bot
from tests.browser.visitor import Enter, Visitor

RECORD = """(permission) => {
    window.asked = 0;
    window.noticed = [];
    window.Notification = class {
        static permission = 'default';
        static async requestPermission() {
            window.asked += 1;
            return (Notification.permission = permission);
        }
        constructor(title, looks) {
            if (title) window.noticed.push({ title, ...looks, notice: this });
        }
        close() { this.closed = true; }
    };
}"""

HIDE = """() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""

NOTICED = "window.noticed.map(({ title, body, tag, notice }) => [title, body, tag, Boolean(notice.closed)])"


async def begin(come: Enter, permission: str) -> Visitor:
    person = await come("Ana")
    await person.page.add_init_script(f"({RECORD})({permission!r})")
    await begin_with_bot(person)
    return person


async def switch(person: Visitor) -> Any:
    """Uses the switch in the menu. Gives what it offers then."""
    if not await person.page.locator("#notices").is_visible():
        await person.page.click("#menu summary")
    await person.page.click("#notices")
    return person.page.locator("#notices")


async def play_until_it_is_ones_turn_again(person: Visitor) -> None:
    """Two cards, then the bot's turn."""
    await person.settle(person.page.click("#deck"))
    await person.settle(person.page.click("#deck"))
    await person.next_turn()


async def test_a_notice_says_that_it_is_ones_turn_and_nothing_else(come: Enter) -> None:
    person = await begin(come, "granted")
    page = person.page
    assert await page.evaluate("window.asked") == 0
    button = await switch(person)
    await page.wait_for_selector("#notices[title='Stop notifying me']")
    assert await button.get_attribute("aria-label") == "Stop notifying me"
    await page.keyboard.press("Escape")
    await play_until_it_is_ones_turn_again(person)
    assert await page.evaluate(NOTICED) == []
    await page.evaluate(HIDE)
    await play_until_it_is_ones_turn_again(person)
    await page.wait_for_function("() => window.noticed.length")
    code = page.url.rpartition("/")[2]
    told = ["Your turn", f"Table {code} – Fogline", f"fogline-{code}"]
    assert await page.evaluate(NOTICED) == [[*told, False]]
    await page.evaluate("window.noticed[0].notice.onclick()")
    assert await page.evaluate(NOTICED) == [[*told, True]]


async def test_notifications_stay_off_where_the_browser_refuses_them_and_it_is_said(come: Enter) -> None:
    person = await begin(come, "denied")
    await switch(person)
    await person.page.wait_for_selector("#notices-refused:has-text('settings')")
    assert await person.page.get_attribute("#notices", "title") == "Notify me of my turn"
    await person.page.evaluate(HIDE)
    await person.page.keyboard.press("Escape")
    await play_until_it_is_ones_turn_again(person)
    assert await person.page.evaluate(NOTICED) == []


async def test_the_switch_is_remembered_and_nobody_is_asked_again(come: Enter) -> None:
    person = await begin(come, "granted")
    await switch(person)
    await person.page.wait_for_selector("#notices[title='Stop notifying me']")
    await person.page.reload()
    await person.page.evaluate("Notification.permission = 'granted'")
    await person.page.click("#menu summary")
    await person.page.wait_for_selector("#notices[title='Stop notifying me']")
    assert await person.page.evaluate("window.asked") == 0


async def test_the_edge_of_the_browser_takes_the_color_of_the_chosen_theme(come: Enter) -> None:
    person = await come("Ana", color_scheme="light")
    await person.open_home()
    edge = "[...document.querySelectorAll('meta[name=theme-color]')].find((m) => matchMedia(m.media).matches).content"
    assert await person.page.evaluate(edge) == "#fffaf0"
    await person.page.click("#theme")
    assert await person.page.evaluate(edge) == "#1e2d37"
    await person.page.reload()
    assert await person.page.evaluate(edge) == "#1e2d37"
