"""The page gives its part of the shuffle after the server's commitment, and compares the record with what it kept."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import Request, Route

from app.boards import load_board
from app.rules import deal
from app.rules.shuffle import all_nonces, commitment, mix_seed
from harness.callers import Json
from tests.browser.api_moves import play_to_the_end
from tests.browser.visitor import Enter, Visitor

KEPT = "code => new Map(JSON.parse(localStorage.getItem('fogline-nonces'))).get(code)"
COMPARE = """async ([record, kept, place]) => {
    const { compare } = await import('/static/js/end/fairness.js');
    return compare(record, kept, place);
}"""
GIVEN = "code => new Map(JSON.parse(localStorage.getItem('fogline-nonces') ?? '[]')).get(code)?.counts"


def noted_calls(person: Visitor) -> list[tuple[str, Any]]:
    """What the page will have asked of the server: method and path, and the body."""
    asked: list[tuple[str, Any]] = []

    def note(request: Request) -> None:
        if "/api/v1/rooms" in request.url:
            path = request.url.partition("/api/v1/")[2]
            asked.append((f"{request.method} {path}", json.loads(request.post_data or "{}")))

    person.page.on("request", note)
    return asked


async def kept_by(person: Visitor, code: str) -> Json:
    await person.page.wait_for_function(GIVEN, arg=code)
    kept: Json = await person.page.evaluate(KEPT, code)
    return kept


async def test_every_nonce_is_given_after_the_commitment_and_kept_with_it(come: Enter) -> None:
    ana, bo, cy = await come("Ana"), await come("Bo"), await come("Cy")
    calls = {person: noted_calls(person) for person in (ana, bo, cy)}
    link = await ana.open_table(4)
    code = link.rpartition("/")[2]
    await bo.sit_down(link)
    await cy.open_home()
    await cy.page.fill("#name", "Cy")
    await cy.page.fill("#code", code)
    await cy.page.click("#join-go")
    await cy.page.wait_for_selector("#leave:visible")
    room = await (await ana.page.request.get(f"{ana.address}/api/v1/rooms/{code}")).json()
    nonces = set()
    for person, asked in calls.items():
        kept = await kept_by(person, code)
        assert kept["commitment"] == room["commitment"]
        paths = [path for path, _ in asked]
        joins = [body for path, body in asked if path == f"POST rooms/{code}/join"]
        assert paths.index(f"GET rooms/{code}") < paths.index(f"POST rooms/{code}/join")
        assert {body["nonce"] for body in joins} == {kept["nonce"]}
        assert all("nonce" not in body for path, body in asked if not path.endswith("/join"))
        nonces.add(kept["nonce"])
    assert len(nonces) == 3
    await ana.page.reload()
    await ana.page.wait_for_selector("#start:visible")
    assert (await kept_by(ana, code))["nonce"] in nonces


@pytest.mark.slow
async def test_the_page_says_whether_the_record_matches_what_was_promised(come: Enter) -> None:
    ana, bo = await come("Ana"), await come("Bo")
    link = await ana.open_table(2)
    code = link.rpartition("/")[2]
    await bo.sit_down(link)
    for person in (ana, bo):
        await kept_by(person, code)

    async def forge(route: Route) -> None:
        record = await (await route.fetch()).json()
        part = bytes(32)
        seed = mix_seed(part, record["seed"]["nonces"])
        record["seed"] |= {"server_part": part.hex(), "commitment": commitment(part), "seed": seed.hex()}
        await route.fulfill(json=record)

    await bo.page.route("**/record", forge)
    await ana.page.click("#start")
    await ana.page.wait_for_selector("#ask:visible")
    await bo.page.wait_for_selector("#ask:visible")
    await play_to_the_end([ana, bo])
    await ana.page.wait_for_selector("#shuffle-news:has-text('The shuffle matches what was promised before the game.')")
    await bo.page.wait_for_selector("#shuffle-news[data-verdict='wrong.commitment']:has-text('does not match')")
    assert (await kept_by(ana, code))["deal"]["offer"]
    await bo.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    await bo.page.reload()
    await bo.page.wait_for_selector("#shuffle-news[data-verdict=plain]:has-text('without https')")
    await ana.page.evaluate("localStorage.clear()")
    await ana.page.reload()
    await ana.page.wait_for_selector("#shuffle-news[data-verdict=elsewhere]:has-text('this browser did not add')")


CHANGES: dict[str, Callable[[Json, Json], object]] = {
    "right": lambda _record, _kept: None,
    "wrong.commitment": lambda _record, kept: kept.update(commitment=commitment(b"other")),
    "wrong.nonce": lambda record, _kept: record["seed"]["nonces"].__setitem__(1, "other"),
    "wrong.seed": lambda record, _kept: record["seed"].update(seed="00" * 32),
    "wrong.deal": lambda _record, kept: kept["deal"].update(hand={"ferry": 2}),
}


async def test_each_thing_that_differs_is_found(come: Enter) -> None:
    person = await come("Ana")
    await person.open_home()
    board = await (await person.page.request.get(f"{person.address}/api/v1/boards/san-francisco")).json()
    for derivation in (1, 2):
        for verdict, change in CHANGES.items():
            record, kept = finished(derivation)
            change(record, kept)
            place = {"seat": 1, "bots": [True, False, True], "board": board}
            assert await person.page.evaluate(COMPARE, [record, kept, place]) == verdict
    record, kept = finished(2)
    record["seed"]["nonces"][0] = "chosen by the server"
    record["seed"]["seed"] = mix_seed(bytes(32), record["seed"]["nonces"]).hex()
    assert await person.page.evaluate(COMPARE, [record, kept, place]) == "wrong.seed"


def finished(derivation: int) -> tuple[Json, Json]:
    """What of its record counts, and what the page of seat 1 kept, of a game with a bot on either side."""
    nonces = all_nonces([None, "mine", None], derivation)
    seed = mix_seed(bytes(32), nonces)
    board = load_board("san-francisco")
    game = deal(board, 3, seed)
    hand = {card: number for card, number in zip(board.cards, game.hands[1], strict=True) if number}
    told = {"seed": seed.hex(), "server_part": bytes(32).hex(), "nonces": nonces, "derivation": derivation}
    kept = {"commitment": commitment(bytes(32)), "nonce": "mine", "counts": True}
    return {"seed": told, "resumed": None}, {**kept, "deal": {"hand": hand, "offer": list(game.holdings[1].offer)}}
