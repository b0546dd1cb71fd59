"""What is wrong with the places and sizes of things, measured in the page; and a way to get far into a game at once."""

from tests.browser.visitor import Visitor

FAULTS = """() => {
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const found = [];
    const name = (element) => element.id || element.getAttribute('aria-label') || element.className || element.tagName;
    const main = '.main-action, .action, .card, .tab, .round, .ask .ticket, .souvenir, .choice input';
    const wrong = (element, what) => found.push(`${name(element)} ${what}`);
    const at = (x, y) => document.elementFromPoint(x, y);
    const middle = (element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    };
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) =>
        element.checkVisibility({ visibilityProperty: true }) && !element.closest('.unseen'));

    for (const box of [document.documentElement, ...shown('.side, .log, .chooser, .ask')])
        if (box.scrollWidth > box.clientWidth) wrong(box, `scrolls sideways, ${box.scrollWidth} in ${box.clientWidth}`);

    for (const side of document.querySelectorAll('.side')) side.scrollTop = 0;
    const talks = document.querySelector('.side-tab[data-side=log][aria-selected=false]') !== null;
    const { state } = document.body.dataset;
    const upright = height > width ? '#map, #market, #hand, #players, #banner' : '';
    const together = width >= 1280 ? '#map, #market, #hand, #tickets, #players, #banner, #ask' : upright;
    const areas = width >= 700 && together && state === 'playing' && !talks ? shown(together) : [];
    for (const area of areas) {
        const { top, bottom, right } = area.getBoundingClientRect();
        if (top < 0 || bottom > height || right > width) wrong(area, `is not all in view, ${top} to ${bottom}`);
    }
    const covered = document.querySelector('#menu[open], .phrases:not([hidden])');
    const wanted = '#start, #sit-down, #ask-confirm, #again, #chooser-claim, .route.selected .space';
    for (const control of covered ? [] : shown(wanted))
        if (!at(...middle(control))?.closest(`#${control.closest('[id]').id}`)) wrong(control, 'is out of sight');
    const panels = { playing: ['hand', 'tickets', 'players', 'log'], over: ['scores', 'log'] }[state] ?? [];
    for (const panel of panels)
        if (!shown(`.tab[data-tab=${panel}], .panel[data-panel=${panel}]`).length) found.push(`no ${panel}`);
    const open = shown('#chooser, #menu[open], .phrases')[0] ?? document.body;
    for (const control of shown('button, a, input, select, summary').filter((control) => open.contains(control))) {
        const target = control.closest('label') ?? control;
        target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const hit = at(...middle(target));
        const reached = hit && (control.contains(hit) || hit.closest('label, .language-switch')?.contains(control));
        if (!reached) wrong(control, `is covered by ${hit ? name(hit) : 'nothing'} at ${middle(target)}`);
        const box = target.getBoundingClientRect();
        const [across, down] = [box.left >= -1 && box.right <= width + 1, box.top >= -1 && box.bottom <= height + 1];
        if (!across || !down) wrong(control, 'is not all in view');
        const least = control.matches('p a, li a') ? 0 : control.matches(main) ? 43.5 : 24;
        if (box.width < least || box.height < least) wrong(control, `is small, ${box.width} x ${box.height}`);
        const cut = control.matches('button:not(.card), .action') && control.scrollWidth > control.clientWidth + 1;
        if (cut) wrong(control, `cuts its text: ${control.textContent}`);
    }

    for (const part of shown('.player *')) {
        const [inner, box] = [part, part.closest('.player')].map((each) => each.getBoundingClientRect());
        if (inner.right > box.right + 0.5 || inner.bottom > box.bottom + 0.5) wrong(part, 'leaves its panel');
    }

    for (const text of shown('body:not([data-state=lobby]):not(:has(#menu[open])) .banner-title')) {
        if (!at(...middle(text))?.closest('#banner')) wrong(text, 'is covered');
        const cut = text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 2;
        const [words, bar] = [text.parentElement, text.closest('#banner')].map((each) => each.getBoundingClientRect());
        if (cut || words.height > bar.height + 1) wrong(text, `is cut: ${text.textContent}`);
    }
    return found;
}"""
"""Controls that are lost, covered or small, and what scrolls sideways or is cut off."""

BOARD_FAULTS = """() => {
    const { left, top, right, bottom } = document.getElementById('map').getBoundingClientRect();
    const found = [];
    for (const space of document.querySelectorAll('.space')) {
        const box = space.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const route = space.closest('.route');
        const hit = document.elementFromPoint(x, y);
        if (x < left || x > right || y < top || y > bottom) found.push(`${route.id} is out of view`);
        else if (hit?.closest('.route') !== route) found.push(`${route.id} is covered by ${hit?.outerHTML}`);
    }
    return [...new Set(found)];
}"""
"""Routes of the whole board that can't be touched."""

ADVANCE = """async ([path, last]) => {
    const call = async (method, way, body) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`${path}/${way}`, { method, headers, body: body && JSON.stringify(body) });
        return answer.json();
    };
    const wish = ({ legal, offer, tickets, players, seat }, late) => {
        const { symbols: [symbol] = [], locations: [location] = [] } = legal.place ?? {};
        if (legal.keep) return { type: 'keep_tickets', tickets: offer };
        if (legal.place) return { type: 'place_token', symbol, location };
        if (legal.draw_tickets && tickets.length < 7 && players[seat].cars < 16) return { type: 'draw_tickets' };
        if (legal.draw.deck && late) return { type: 'draw_card', slot: null };
        const claims = Object.entries(legal.claims);
        const [route, claim] = claims[claims.length - 1] ?? [];
        if (route) return { type: 'claim_route', route, payment: claim.payments[0], token: claim.tokens[0] ?? null };
        if (legal.draw.deck) return { type: 'draw_card', slot: null };
        return legal.draw.slots.length ? { type: 'draw_card', slot: legal.draw.slots[0] } : { type: 'pass' };
    };
    for (;;) {
        const view = await call('GET', 'view');
        const mine = view.to_act.includes(view.seat);
        const late = Math.min(...view.players.map(({ cars }) => cars)) <= last;
        const choice = view.phase === 'turn' && view.legal.draw_tickets && Object.keys(view.legal.claims).length > 0;
        if (view.phase === 'over' || (mine && late && choice)) return [view.version, view.phase];
        if (!mine) await new Promise((resolve) => setTimeout(resolve, 20));
        else await call('POST', 'act', { id: crypto.randomUUID(), version: view.version, action: wish(view, late) });
    }
}"""


async def advance(person: Visitor, cars: int) -> None:
    """Plays on without the page, up to an own turn after somebody has no more cars than this; -1 for the end.

    Of 500 games none ended before such a turn with 9 cars, in which one may claim and draw tickets. With 6 some do.
    Meanwhile another page is open, which has less to do.
    """
    link = person.page.url
    await person.page.goto(f"{person.address}/rules")
    room = f"/api/v1/rooms/{link.rsplit('/', 1)[-1]}"
    version, phase = await person.page.evaluate(ADVANCE, [room, cars])
    assert phase == ("over" if cars < 0 else "turn")
    await person.page.goto(link)
    await person.page.wait_for_function("version => Number(document.body.dataset.version) >= version", arg=version)
