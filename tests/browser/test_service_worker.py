"""Notices where no page may make one, as on phones: a service worker gives them."""

from playwright.async_api import Worker

from tests.browser.api_moves import begin_with_bot
from tests.browser.test_notifications import HIDE, play_until_it_is_ones_turn_again, switch
from tests.browser.visitor import Enter

LIKE_A_PHONE = """() => {
    window.given = [];
    window.Notification = class {
        static permission = 'granted';
        static requestPermission = async () => 'granted';
        constructor() { throw new TypeError('Illegal constructor.'); }
    };
    const worker = ServiceWorkerRegistration.prototype;
    worker.showNotification = async function (title, looks) {
        if (this.active?.state !== 'activated') throw new TypeError('no active worker');
        given.push({ title, ...looks, close() { given.splice(given.indexOf(this), 1); } });
    };
    worker.getNotifications = async () => [...given];
}"""
"""Chromium's shell is without notices: it does as its larger kin do, and keeps them where a test can see them."""

SHOW = """() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => false });
    document.dispatchEvent(new Event('visibilitychange'));
}"""

TAP = """async (data) => {
    const shown = [];
    const notice = { notification: { data, close: () => shown.push('closed') } };
    const answer = new Promise((done) => Object.assign(notice, { waitUntil: done }));
    WindowClient.prototype.focus = async function () { shown.push(this.url); };
    clients.openWindow = async (url) => shown.push(`new ${url}`);
    dispatchEvent(Object.assign(new Event('notificationclick'), notice));
    await answer;
    return shown;
}"""


async def test_where_no_page_may_show_a_notification_a_service_worker_does(come: Enter) -> None:
    person = await come("Ana")
    page = person.page
    await page.add_init_script(f"({LIKE_A_PHONE})()")
    await begin_with_bot(person)
    await switch(person)
    await page.wait_for_selector("#notices[title='Stop notifying me']")
    await page.keyboard.press("Escape")
    await page.evaluate(HIDE)
    assert page.context.service_workers == []
    await play_until_it_is_ones_turn_again(person)
    await page.wait_for_function("() => given.length")
    code = page.url.rpartition("/")[2]
    told = ["Your turn", f"Table {code} – Fogline", f"fogline-{code}", page.url]
    assert await page.evaluate("given.map(({ title, body, tag, data }) => [title, body, tag, data])") == [told]
    await page.evaluate(SHOW)
    await page.wait_for_function("() => given.length === 0")
    [worker] = page.context.service_workers
    await check_that_it_leads_to(worker, page.url)
    assert await page.evaluate("navigator.serviceWorker.controller") is None


async def check_that_it_leads_to(worker: Worker, table: str) -> None:
    """To the tab where there is one, and else to a new one."""
    assert await worker.evaluate(TAP, table) == ["closed", table]
    gone = table[:-8] + "00000000"
    assert await worker.evaluate(TAP, gone) == ["closed", f"new {gone}"]
