"""The pure modules of the client, called in Chromium, and the types they are checked by."""

import json
from typing import Any

import pytest
from httpx import AsyncClient

from app.rooms import parse_code
from app.wire import Views
from harness.positions import P1, P2, SAN_FRANCISCO, position
from tests.browser.visitor import Enter
from tests.rooms.test_codes import PASTED
from tools.typings import TARGET, typings

LOAD = "async ([module, name, args]) => (await import(`/static/js/${module}.js`))[name](...args)"


@pytest.fixture
async def call(come: Enter, server: Any) -> Any:
    visitor = await come("Tester")
    await visitor.page.goto(server.address)

    async def call_function(module: str, name: str, *args: object) -> Any:
        return await visitor.page.evaluate(LOAD, [module, name, list(args)])

    return call_function


def test_the_types_of_the_wire_are_those_of_the_dataclasses() -> None:
    assert TARGET.read_text("utf-8") == typings(), "run: python -m tools.typings"


async def test_codes_are_read_as_the_server_reads_them(call: Any) -> None:
    pasted = [text for texts in PASTED.values() for text in texts]
    assert {text: await call("pages/table-code", "parseCode", text) for text in pasted} == {
        text: parse_code(text) for text in pasted
    }


async def test_words_take_their_plural_and_isolate_names(call: Any) -> None:
    assert await call("lib/text", "t", "count.cars", {"n": 1}) == "1 cable car left"
    assert await call("lib/text", "t", "count.cars", {"n": 2}) == "2 cable cars left"
    named = await call("lib/text", "t", "log.passed", {"name": {"kind": "name", "name": "{n} ליה"}})
    assert named == "\u2068{n} ליה\u2069 passed."
    cards = {"kind": "cards", "cards": {"blue": 2, "ferry": 1}}
    assert await call("lib/text", "plain", cards) == "2 blue and 1 ferry"
    assert await call("lib/text", "signed", -5) == "\u22125"
    assert await call("lib/text", "t", "points", {"n": -5}) == "\u22125 points"
    assert await call("lib/text", "cardName", "sea-green") == "sea green"


async def test_waiting_for_a_reconnect_grows_and_never_ends(call: Any) -> None:
    waits = [await call("table/connection", "delay", attempt, 1) for attempt in (0, 1, 2, 3, 20, 5000)]
    assert waits == [250, 500, 1000, 2000, 8000, 8000]
    assert await call("table/connection", "delay", 0, 0) == 125


async def test_older_news_is_no_news(call: Any) -> None:
    def told(version: int | None) -> dict[str, Any]:
        return {"type": "room", "view": None if version is None else {"version": version}}

    assert await call("table/table", "isNews", None, told(None))
    assert await call("table/table", "isNews", told(None), told(0))
    assert await call("table/table", "isNews", told(4), told(4))
    assert not await call("table/table", "isNews", told(4), told(3))
    assert not await call("table/table", "isNews", told(4), told(None))


async def test_what_a_hand_lacks_for_a_route(call: Any) -> None:
    red = {"length": 4, "color": "red", "ferries": 0}
    gray = {**red, "color": None}
    ferry = {**gray, "ferries": 2}
    assert await call("board/touch", "missing", {"red": 1, "ferry": 1, "blue": 4}, red) == {"ferries": 0, "cards": 2}
    assert await call("board/touch", "missing", {"red": 1, "blue": 4}, gray) == {"ferries": 0, "cards": 0}
    assert await call("board/touch", "missing", {"blue": 1, "ferry": 1}, ferry) == {"ferries": 1, "cards": 1}


async def test_zooming_holds_the_point_under_the_finger_and_no_edge_comes_inside(call: Any) -> None:
    zoomed = await call("board/pan-zoom", "zoomed", {"x": 0, "y": 0, "scale": 1}, 2, {"x": 100, "y": 50})
    assert zoomed == {"scale": 2, "x": -100, "y": -50}
    assert (await call("board/pan-zoom", "zoomed", zoomed, 0.1, {"x": 7, "y": 7}))["scale"] == 1
    kept = await call("board/pan-zoom", "kept", {"x": 40, "y": -900, "scale": 2}, {"width": 360, "height": 270})
    assert kept == {"scale": 2, "x": 0, "y": -270}


def view(**fields: object) -> dict[str, Any]:
    legal = {"claims": {}, "place": None, "keep": None, "draw_tickets": False, **dict(fields.pop("legal", {}))}  # type: ignore[call-overload]
    return {"hand": {}, "legal": legal, **fields}


NOTHING: dict[str, Any] = {"route": None, "payment": None, "token": None, "card": None, "keep": [], "tickets": False}


async def test_a_chooser_opens_on_the_payment_with_the_picked_color(call: Any) -> None:
    claims = {"r": {"payments": [{"blue": 2}, {"red": 2}, {"red": 1, "ferry": 1}], "tokens": ["crab", "bridge"]}}
    seen = view(hand={"red": 2}, legal={"claims": claims})
    picked = await call("table/selection", "pickRoute", seen, {**NOTHING, "card": "red"}, "r")
    assert (picked["payment"], picked["token"]) == (1, None)
    assert await call("table/selection", "claimAction", seen, picked) is None
    chosen = {**picked, "token": "crab"}
    action = {"type": "claim_route", "route": "r", "payment": {"red": 2}, "token": "crab"}
    assert await call("table/selection", "claimAction", seen, chosen) == action
    assert (await call("table/selection", "putBack", chosen)) == {**NOTHING, "card": "red"}


async def test_of_a_selection_only_what_is_still_legal_stays(call: Any) -> None:
    claims = {"r": {"payments": [{"blue": 2}], "tokens": []}}
    held = {**NOTHING, "route": "r", "payment": 3, "card": "blue", "tickets": True}
    kept = await call("table/selection", "reconcile", view(hand={"blue": 2}, legal={"claims": claims}), held)
    assert kept == {**NOTHING, "route": "r", "payment": 0, "card": "blue"}
    assert await call("table/selection", "reconcile", view(), held) == NOTHING


def town(*routes: tuple[str, str, int]) -> dict[str, Any]:
    """A board of routes between locations named by a letter."""
    return {
        "routes": [
            {"id": f"{start}{end}{length}", "between": [start, end], "length": length} for start, end, length in routes
        ]
    }


async def test_the_cheapest_path_goes_free_over_own_routes_and_never_over_those_of_others(call: Any) -> None:
    board = town(("a", "b", 3), ("b", "c", 2), ("a", "c", 6), ("c", "d", 1))

    async def path(owners: dict[str, int], *, own: bool = False) -> Any:
        return await call(
            "board/ticket-paths", "cheapestPath", board, {"owners": owners, "unavailable": []}, 0, ["a", "d"], own
        )

    assert await path({}) == {"routes": ["ab3", "bc2", "cd1"], "cars": 6}
    assert await path({"ac6": 0}) == {"routes": ["ac6", "cd1"], "cars": 1}
    assert await path({"bc2": 1}) == {"routes": ["ac6", "cd1"], "cars": 7}
    assert await path({"cd1": 1}) is None
    assert await path({"ac6": 0}, own=True) is None
    assert await path({"ac6": 0, "cd1": 0}, own=True) == {"routes": ["ac6", "cd1"], "cars": 0}


async def test_the_cheapest_path_leaves_out_what_is_not_available(call: Any) -> None:
    board = town(("a", "b", 1), ("b", "a", 2), ("b", "c", 1), ("c", "b", 2))
    seen = {"owners": {}, "unavailable": ["ab1", "bc1"]}
    path = await call("board/ticket-paths", "cheapestPath", board, seen, 0, ["a", "c"])
    assert path == {"routes": ["ba2", "cb2"], "cars": 4}


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_R6_the_other_half_of_an_own_double_route_is_closed_to_its_owner(
    call: Any, server: Any, seats: int
) -> None:
    """Told of the board as the page gets it, which names no twins."""
    async with AsyncClient(base_url=server.address) as client:
        board = (await client.get("/api/v1/boards/san-francisco")).json()
    halves = [route for route in board["routes"] if route["id"].startswith("civic-center--mission-")]
    own, other = halves
    game = position(*["F2"] * seats, board=SAN_FRANCISCO, seats=seats, owners={own["id"]: P1})
    seen = [json.loads(Views(game).of(viewer)) for viewer in (P1, P2, None)]
    assert [(await call("board/touch", "whyNot", each, other, None))["key"] for each in seen] == (
        ["why.closed"] * 3 if seats == 2 else ["why.twin", "why.turn", "why.watching"]
    )
    words = [(await call("board/route-words", "routeWords", board, other, each, None)).split(", ")[-1] for each in seen]
    assert words == (["closed"] * 3 if seats == 2 else ["closed", "free", "free"])
    paths = [
        await call("board/ticket-paths", "cheapestPath", board, each, each["seat"], own["between"]) for each in seen[:2]
    ]
    assert paths[0] == {"routes": [own["id"]], "cars": 0}
    assert (paths[1]["routes"] == [other["id"]]) == (seats > 2)


async def test_cards_of_others_fly_face_down_to_their_counter_and_own_ones_to_the_hand(call: Any) -> None:
    drawn = {"type": "deck_card_drawn", "seat": 1, "card": None}
    [hidden] = await call("table/animations", "flightsOf", drawn, 0)
    counter = '.player[data-seat="1"] .count-cards'
    assert hidden == {"face": "deck", "icon": "ui-fogline", "from": "#deck", "to": counter}
    taken = {"type": "market_card_taken", "seat": 0, "slot": 3, "card": "red"}
    [own] = await call("table/animations", "flightsOf", taken, 0)
    assert (own["face"], own["from"], own["to"]) == ("red", "#slot-3", '#hand [data-color="red"]')
    assert await call("table/animations", "flightsOf", {"type": "passed", "seat": 0}, 0) == []


BEGINS, WAITS = True, False


async def test_only_what_has_just_happened_is_shown_and_heard(call: Any) -> None:
    def told(version: int, *versions: int) -> dict[str, Any]:
        return {"type": "room", "view": {"version": version}, "events": [{"version": each} for each in versions]}

    assert await call("table/table", "since", None, told(9, 7, 8, 9)) == []
    assert await call("table/table", "since", told(7), told(9, 7, 8, 9)) == [{"version": 8}, {"version": 9}]
    claimed = [{"type": "deck_card_drawn"}, {"type": "deck_card_drawn"}, {"type": "route_claimed"}]
    assert await call("table/sound", "noisesOf", claimed, BEGINS) == ["bell", "card", "claim"]
    assert await call("table/sound", "noisesOf", [{"type": "passed"}], WAITS) == []


async def test_tickets_are_turned_over_in_the_order_of_the_seats(call: Any) -> None:
    def score(seat: int, *tickets: str) -> dict[str, Any]:
        return {"seat": seat, "tickets": [{"id": ticket, "points": 5, "done": True} for ticket in tickets]}

    turned = await call("end/scores", "turnedOver", [score(1, "c"), score(0, "a", "b")])
    assert [(each["seat"], each["ticket"]) for each in turned] == [(0, "a"), (0, "b"), (1, "c")]


async def test_what_is_in_a_hurry_is_drawn_at_once_and_again_with_the_frame(come: Enter, server: Any) -> None:
    page = (await come("Drawer")).page
    await page.goto(server.address)
    drawn = await page.evaluate(
        """async () => {
            const { oncePerFrame } = await import('/static/js/lib/dom.js');
            let drawn = 0;
            const told = [];
            const redraw = oncePerFrame(() => { drawn += 1; });
            const frame = () => new Promise(requestAnimationFrame);
            await frame();
            for (const step of [redraw.hurry, redraw.ask, redraw.ask, redraw.hurry, redraw.ask, redraw.hurry]) {
                step();
                told.push(drawn);
            }
            for (let passed = 0; passed < 2; passed += 1) { await frame(); told.push(drawn); }
            return told;
        }"""
    )
    assert drawn == [0, 0, 0, 1, 1, 1, 2, 2]


async def test_what_can_wait_comes_after_the_frame_and_at_once_in_a_hidden_page(come: Enter, server: Any) -> None:
    page = (await come("Drawer")).page
    await page.goto(server.address)
    done = await page.evaluate(
        """async () => {
            const { afterFrame } = await import('/static/js/lib/dom.js');
            const done = [];
            const hide = (hidden) => {
                Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
                document.dispatchEvent(new Event('visibilitychange'));
            };
            await new Promise(requestAnimationFrame);
            for (const work of ['first', 'second']) afterFrame(() => done.push(work));
            requestAnimationFrame(() => done.push('frame'));
            await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))));
            afterFrame(() => done.push('third'));
            hide(true);
            afterFrame(() => done.push('hidden'));
            await new Promise((resolve) => setTimeout(resolve));
            return done;
        }"""
    )
    assert done == ["frame", "first", "second", "hidden", "third"]
