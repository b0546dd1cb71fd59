"""Several people on one device: at which tables, who may act for whom, and what each of them is shown."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from httpx import AsyncClient, Response
from websockets.exceptions import InvalidStatus

from app.rooms import Room
from app.rules import Seat
from harness.callers import (
    Caller,
    Json,
    closed,
    first_legal,
    follow,
    hear,
    new_caller,
    open_client,
    say,
    seated,
    serving,
    settings_in,
)
from harness.hidden_swaps import Learned, swap_hidden
from tests.web.test_calls import refused

REFUSED = (403, "not_seated")


async def add_guest(guardian: Caller, code: str, name: str = "Ben") -> int:
    """The seat of a new guest."""
    answer = await guardian.post(f"{code}/guests", {"name": name})
    assert answer.status_code == 201, answer.text
    seat: int = answer.json()["seat"]
    return seat


async def sharing(client: AsyncClient, people: int = 2, **wish: object) -> tuple[str, list[Caller]]:
    """A table for four with players of their own devices, of whom the first has a guest on the next seat."""
    code, callers = await seated(client, people, **{"seats": 4, "pass_and_play": True, **wish})
    assert await add_guest(callers[0], code) == people
    return code, callers


async def start(code: str, host: Caller) -> None:
    assert (await host.post(f"{code}/start")).status_code == 200


async def seats_of(code: str, caller: Caller) -> list[tuple[str, int | None]]:
    """Who sits where, and on whose device."""
    room = (await caller.get(code)).json()
    return [(seat["name"], seat["guardian"]) for seat in room["seats"]]


def choice(view: Json, action_id: str) -> Json:
    return {"id": action_id, "version": view["version"], "action": first_legal(view)}


async def test_a_guest_sits_beside_and_all_see_on_whose_device(client: AsyncClient) -> None:
    code, (ann, cal) = await sharing(client)
    for caller in (ann, cal):
        assert await seats_of(code, caller) == [("Player 0", None), ("Player 1", None), ("Ben", 0), ("", None)]


@pytest.mark.parametrize("name", ["", "admin", "a" * 25, "\u202e"])
async def test_a_guest_has_a_name_like_everybody(client: AsyncClient, name: str) -> None:
    code, (ann, *_) = await sharing(client)
    assert refused(await ann.post(f"{code}/guests", {"name": name})) == (400, "bad_request")


async def test_who_may_have_guests_and_where(client: AsyncClient) -> None:
    code, (ann, cal) = await seated(client, 2, seats=4)
    answer = await ann.post(f"{code}/guests", {"name": "Ben"})
    assert (refused(answer), answer.json()["reason"]) == ((400, "bad_request"), "no_guests")
    code, (ann, cal) = await sharing(client)
    stranger = await new_caller(client, "Eve")
    assert refused(await stranger.post(f"{code}/guests", {"name": "Ben"})) == REFUSED
    assert await add_guest(cal, code, "Dan") == 3
    assert refused(await ann.post(f"{code}/guests", {"name": "Eve"})) == (409, "room_full")
    await start(code, ann)
    assert refused(await ann.post(f"{code}/guests", {"name": "Eve"})) == (409, "already_started")


async def test_only_the_guardian_acts_for_a_guest(client: AsyncClient) -> None:
    code, (ann, cal) = await sharing(client)
    await add_guest(cal, code, "Dan")
    await start(code, ann)
    stranger, nobody = await new_caller(client, "Eve"), Caller(client, "", "")
    own = (await ann.get(f"{code}/view?seat=2")).json()
    assert own["seat"] == 2
    assert own["hand"]
    for caller, seat in [(cal, 2), (cal, 0), (ann, 1), (ann, 3), (stranger, 2), (stranger, 0)]:
        assert refused(await caller.get(f"{code}/view?seat={seat}")) == REFUSED
        assert refused(await caller.post(f"{code}/act?seat={seat}", choice(own, "a"))) == REFUSED
        for call in ("join", "leave"):
            assert refused(await caller.post(f"{code}/{call}?seat={seat}")) == REFUSED
    assert refused(await client.get(f"/api/v1/rooms/{code}/view?seat=2")) == REFUSED
    assert refused(await nobody.get(f"{code}/view?seat=2")) in (REFUSED, (401, "bad_request"))
    for no_seat in ("4", "-1", "x", "", "1.5"):
        assert refused(await ann.get(f"{code}/view?seat={no_seat}"))[0] in (400, 422)
    played = await ann.post(f"{code}/act?seat=2", choice(own, "a"))
    assert played.json() == {"version": 1}
    assert (await ann.post(f"{code}/act?seat=2", choice(own, "a"))).json() == {"version": 1}, "once for an id"
    assert refused(await ann.post(f"{code}/act?seat=2", choice(own, "b"))) == (409, "not_your_turn")
    for caller, seat in [(ann, 0), (cal, 1)]:
        assert (await caller.get(f"{code}/view?seat={seat}")).json() == (await caller.get(f"{code}/view")).json()


async def test_at_other_tables_nobody_acts_for_anybody(client: AsyncClient) -> None:
    code, (ann, _) = await seated(client, 2)
    await start(code, ann)
    assert refused(await ann.get(f"{code}/view?seat=1")) == REFUSED
    assert (await ann.get(f"{code}/view?seat=0")).json()["seat"] == 0


async def test_a_table_that_was_made_before_the_option_has_no_guests(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path)) as client:
        code, (ann, _) = await seated(client, 2, seats=4)
        room = await room_of(client, code)
        old = {name: value for name, value in room.row.options.items() if name != "pass_and_play"}
        room.row.options.clear()
        room.row.options.update(old)
        assert (await ann.post(f"{code}/guests", {"name": "Ben"})).json()["reason"] == "no_guests"


async def test_the_start_renumbers_the_seats_of_guests_too(client: AsyncClient) -> None:
    code, (ann, cal) = await sharing(client)
    await cal.post(f"{code}/leave")
    assert await seats_of(code, ann) == [("Player 0", None), ("", None), ("Ben", 0), ("", None)]
    await start(code, ann)
    assert await seats_of(code, ann) == [("Player 0", None), ("Ben", 0)]
    assert (await ann.get(f"{code}/view?seat=1")).json()["seat"] == 1
    assert refused(await ann.get(f"{code}/view?seat=2")) == REFUSED


async def test_guests_go_with_their_guardian_and_host_is_who_has_a_device(client: AsyncClient) -> None:
    code, (ann, cal) = await sharing(client)
    await add_guest(cal, code, "Dan")
    await ann.post(f"{code}/leave")
    assert await seats_of(code, cal) == [("", None), ("Player 1", None), ("", None), ("Dan", 1)]
    assert (await cal.get(code)).json()["host"] == 1
    assert refused(await ann.post(f"{code}/join?seat=2")) == REFUSED
    await cal.delete(f"{code}/seats/1")
    assert await seats_of(code, cal) == [("", None)] * 4
    assert (await cal.get(code)).json()["host"] is None


async def test_a_guest_is_sent_away_by_the_guardian_and_by_the_host(client: AsyncClient) -> None:
    code, (ann, cal) = await sharing(client)
    seat = await add_guest(cal, code, "Dan")
    assert (await cal.post(f"{code}/leave?seat={seat}")).status_code == 200
    assert refused(await cal.post(f"{code}/join?seat={seat}")) == REFUSED
    await add_guest(cal, code, "Dan")
    assert (await ann.delete(f"{code}/seats/{seat}")).status_code == 200
    assert await seats_of(code, ann) == [("Player 0", None), ("Player 1", None), ("Ben", 0), ("", None)]


async def test_a_guest_is_not_barred_but_goes_with_one_who_is(client: AsyncClient) -> None:
    code, (ann, cal) = await sharing(client)
    await add_guest(cal, code, "Dan")
    assert (await ann.post(f"{code}/bars", {"seat": 3})).json()["reason"] == "bar_guest"
    await ann.post(f"{code}/bars", {"seat": 1})
    assert await seats_of(code, ann) == [("Player 0", None), ("", None), ("Ben", 0), ("", None)]
    for path in ("join?seat=3", "leave?seat=3", "guests"):
        assert refused(await cal.post(f"{code}/{path}", {"name": "Dan"} if path == "guests" else None)) in (
            (403, "barred"),
            (400, "bad_request"),
        )


async def test_each_seat_of_a_device_has_a_nonce_of_its_own(client: AsyncClient) -> None:
    code, (ann, cal) = await sharing(client)
    assert (await ann.post(f"{code}/join", {"nonce": "anna's"})).json() == {"seat": 0, "nonce": "anna's"}
    assert (await ann.post(f"{code}/join?seat=2", {"nonce": "ben's"})).json() == {"seat": 2, "nonce": "ben's"}
    assert (await ann.post(f"{code}/join?seat=2", {"nonce": "later"})).json() == {"seat": 2, "nonce": "ben's"}
    assert refused(await cal.post(f"{code}/join?seat=2", {"nonce": "cal's"})) == REFUSED
    room = await room_of(client, code)
    assert [seat.nonce for seat in room.row.seats] == ["anna's", "", "ben's", ""]


async def test_guests_come_along_to_the_next_game(client: AsyncClient) -> None:
    code, (ann, cal) = await sharing(client)
    await add_guest(cal, code, "Dan")
    await ann.post(f"{code}/join?seat=2", {"nonce": "ben's"})
    await start(code, ann)
    await play_to_the_end(code, ann, cal)
    following = (await cal.post(f"{code}/rematch")).json()["code"]
    assert await seats_of(following, cal) == [("", None), ("Player 1", None), ("", None), ("Dan", 1)]
    assert (await ann.post(f"{code}/rematch")).json()["code"] == following
    assert await seats_of(following, ann) == [("Player 0", None), ("Player 1", None), ("Ben", 0), ("Dan", 1)]
    room = await room_of(client, following)
    assert {seat.nonce for seat in room.row.seats} == {""}
    assert room.row.options["pass_and_play"]
    await start(following, cal)
    assert (await ann.get(f"{following}/view?seat=2")).json()["seat"] == 2


async def play_to_the_end(code: str, ann: Caller, cal: Caller) -> None:
    """For four seats on two devices."""
    devices = [ann, cal, ann, cal]
    while (view := (await ann.get(f"{code}/view")).json())["to_act"]:
        seat = view["to_act"][0]
        view = (await devices[seat].get(f"{code}/view?seat={seat}")).json()
        answer = await devices[seat].post(f"{code}/act?seat={seat}", choice(view, f"a{view['version']}"))
        assert answer.status_code == 200, answer.text


async def test_my_tables_say_that_it_is_the_turn_of_somebody_on_my_device(client: AsyncClient) -> None:
    code, (ann, cal) = await sharing(client)
    await start(code, ann)
    await ann.post(f"{code}/act", choice((await ann.get(f"{code}/view")).json(), "a"))
    await cal.post(f"{code}/act", choice((await cal.get(f"{code}/view")).json(), "a"))
    for caller, mine in [(ann, True), (cal, False)]:
        page = (await client.get("/", headers=caller.headers)).text
        assert ("Your turn" in page) is mine, page


@pytest.fixture
def sights(client: AsyncClient) -> Iterator[list[Response]]:
    """All that the guardian was answered about the guest's seat."""
    heard: list[Response] = []
    yield heard
    assert len(heard) > 20


async def test_a_guest_s_view_tells_nothing_of_the_guardian_s_cards(
    client: AsyncClient, sights: list[Response]
) -> None:
    """Swap what the guest may not know: the bytes for the guest stay the same."""
    code, (ann, cal) = await sharing(client, pass_and_play=True)
    await start(code, ann)
    room, rng, changed = await room_of(client, code), Random(7), 0
    for move in range(40):
        for caller, seat in [(ann, 0), (ann, 2), (cal, 1)]:
            changed += await look_at_both(room, caller, Seat(seat), rng, sights)
        assert room.game is not None
        seat = room.game.to_act[0]
        caller = cal if seat == 1 else ann
        view = (await caller.get(f"{code}/view?seat={seat}")).json()
        assert (await caller.post(f"{code}/act?seat={seat}", choice(view, f"m{move}"))).status_code == 200
    assert changed > 60


async def look_at_both(room: Room, caller: Caller, seat: Seat, rng: Random, sights: list[Response]) -> bool:
    """Whether there was something to swap."""
    path, game = f"{room.code}/view?seat={seat}", room.game
    assert game is not None
    before = await caller.get(path)
    other = room.replica.game = swap_hidden(game, seat, rng, Learned())
    after = await caller.get(path)
    room.replica.game = game
    sights.append(before)
    assert before.content == after.content
    return game.hands != other.hands


async def room_of(client: AsyncClient, code: str) -> Room:
    """The room in the process of this client."""
    app = client._transport.app  # type: ignore[attr-defined]
    room: Room = await app.state.site.rooms.find(code)
    return room


async def test_a_socket_for_a_guest_is_the_guest(server: AsyncClient) -> None:
    code, (ann, cal) = await sharing(server)
    await start(code, ann)
    async with follow(server, f"{code}?seat=2", ann) as socket, follow(server, code, cal) as other:
        told = await hear(socket)
        assert (told["seat"], told["view"]["seat"]) == (2, 2)
        room = (await hear(other))["room"]
        while not all(seat["connected"] for seat in room["seats"]):
            room = (await hear(other))["room"]
        assert room["spectators"] == 0
        await say(socket, type="act", id="a1", version=0, action=first_legal(told["view"]))
        assert (await hear(socket, "ack"))["version"] == 1
        while not (heard := await hear(other))["events"]:
            pass
        assert heard["events"][0]["seat"] == 2
        assert "tickets" not in heard["events"][0]
        await say(socket, type="say", id="c1", phrase="hello")
        said = await hear(other, "said")
        assert (said["seat"], said["name"]) == (2, "Ben")


async def test_without_a_socket_a_guest_is_the_guest_too(client: AsyncClient) -> None:
    code, (ann, cal) = await sharing(client)
    await start(code, ann)
    told = (await ann.get(f"{code}/messages?seat=2")).json()
    assert [message["seat"] for message in told["messages"] if message["type"] == "room"] == [2]
    assert (await ann.post(f"{code}/talk?seat=2", {"id": "c1", "phrase": "hello"})).status_code == 200
    further = (await ann.get(f"{code}/messages?seat=2&session={told['session']}&after={told['after']}")).json()
    said = next(message for message in further["messages"] if message["type"] == "said")
    assert (said["seat"], said["name"]) == (2, "Ben")
    for query in ("", f"&session={told['session']}&after={told['after']}"):
        assert refused(await cal.get(f"{code}/messages?seat=2{query}")) == REFUSED
    assert refused(await cal.post(f"{code}/talk?seat=2", {"id": "c2", "phrase": "hello"})) == REFUSED


async def test_a_socket_for_a_seat_of_somebody_else_is_refused(server: AsyncClient) -> None:
    code, (ann, cal) = await sharing(server)
    await start(code, ann)
    stranger = await new_caller(server, "Eve")
    for caller, seat in [(cal, 2), (cal, 0), (ann, 1), (stranger, 2), (None, 2), (ann, 3), (ann, 9), (ann, "x")]:
        with pytest.raises(InvalidStatus) as refusal:
            async with follow(server, f"{code}?seat={seat}", caller):
                pass
        assert refusal.value.response.status_code in (400, 403, 422)


async def test_the_socket_of_a_guest_who_loses_the_seat_is_closed(server: AsyncClient) -> None:
    code, (ann, cal) = await sharing(server)
    seat = await add_guest(cal, code, "Dan")
    async with follow(server, f"{code}?seat={seat}", cal) as socket:
        await hear(socket)
        await ann.post(f"{code}/bars", {"seat": 1})
        assert await closed(socket) == 1008


async def test_guests_are_there_after_a_restart(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path)) as client:
        code, (ann, cal) = await sharing(client)
        await start(code, ann)
        before = (await ann.get(f"{code}/view?seat=2")).content
    async with serving(settings_in(tmp_path)) as client:
        ann, cal = Caller(client, ann.id, ann.token), Caller(client, cal.id, cal.token)
        assert (await ann.get(f"{code}/view?seat=2")).content == before
        assert refused(await cal.get(f"{code}/view?seat=2")) == REFUSED


async def test_the_page_of_a_shared_table_is_the_same_before_the_deal_and_after_it(client: AsyncClient) -> None:
    code, (ann, _) = await sharing(client)
    before = await client.get(f"/t/{code}", headers=ann.headers)
    await start(code, ann)
    after = await client.get(f"/t/{code}", headers=ann.headers)
    assert before.content == after.content
    assert b"data-shared" in after.content
    plain = await seated(client, 2)
    assert b"data-shared" not in (await client.get(f"/t/{plain[0]}", headers=ann.headers)).content


async def test_a_guest_who_is_sent_away_is_forgotten(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path)) as client:
        code, (ann, *_) = await sharing(client)
        assert (await ann.delete(f"{code}/seats/2")).status_code == 200
        assert names_of_players(tmp_path) == {"Player 0", "Player 1"}


def names_of_players(folder: Path) -> set[str]:
    with closing(sqlite3.connect(folder / "fogline.db")) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM players")}
