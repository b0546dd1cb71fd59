"""Listeners: who is there, what they get on connecting, and that removing one leaves the others."""

import json
from typing import Any

import pytest

from app.rooms import Listener, OutboxClosedError, RefusedError, lobby
from app.rules import Phase
from harness.live_rooms import House, Party, game_of, lobby_of, new_player, next_text, waiting

NOTHING_LEGAL: dict[str, Any] = {
    "draw": {"deck": False, "slots": []},
    "draw_tickets": False,
    "keep": None,
    "place": None,
    "claims": {},
    "pass": False,
}


async def last(party: Party, *, spectator: bool = False) -> dict[str, Any]:
    """What a newcomer is told."""
    listener = party.room.connect(None if spectator else party.people[0].id)
    [text] = await waiting(listener)
    party.room.disconnect(listener)
    message: dict[str, Any] = json.loads(text)
    return message


def connected(party: Party) -> list[bool]:
    """Who is there, by seats."""
    return [seat.connected for seat in party.room.audience.describe().seats]


async def test_a_lobby_has_no_view(house: House) -> None:
    message = await last(await lobby_of(house, 2))
    assert (message["type"], message["view"], message["events"]) == ("room", None, [])
    assert message["room"]["status"] == "lobby"


async def test_BUG906_a_late_goodbye_removes_only_itself(house: House) -> None:
    party = await lobby_of(house, 2)
    old, new = (party.room.connect(party.people[0].id) for _ in range(2))
    assert connected(party) == [True, False]
    party.room.disconnect(old)
    assert connected(party) == [True, False]
    party.room.disconnect(old)
    party.room.disconnect(new)
    assert connected(party) == [False, False]


async def test_spectators_are_counted(house: House) -> None:
    party = await game_of(house, 2)
    for _ in range(3):
        watcher = party.room.connect(None)
    assert json.loads(party.room.audience.described)["spectators"] == 3
    party.room.disconnect(watcher)
    assert json.loads(party.room.audience.described)["spectators"] == 2


async def test_a_bot_is_always_there(house: House) -> None:
    party = await lobby_of(house, 1, seats=2)
    await party.room.change(lambda row: lobby.add_bot(row, party.people[0].id, "easy"))
    assert connected(party) == [False, True]


async def test_comings_and_goings_are_told_to_the_others_once(house: House) -> None:
    party = await lobby_of(house, 2)
    listener = party.room.connect(party.people[0].id)
    await waiting(listener)
    for _ in range(10):
        party.room.connect(party.people[1].id)
    message = json.loads(await next_text(listener.outbox))
    assert message["room"]["seats"][1]["connected"]
    assert await waiting(listener) == []


async def test_a_socket_follows_its_player_to_a_seat_and_from_it(house: House) -> None:
    party = await lobby_of(house, 1, seats=3)
    newcomer = await new_player(house, "Bob")
    listener = party.room.connect(newcomer.id)
    viewers = [listener.viewer]
    await house.rooms.join(party.room, newcomer, "")
    viewers.append(listener.viewer)
    await party.room.change(lambda row: lobby.leave(row, newcomer.id))
    assert [*viewers, listener.viewer] == [None, 1, None]


async def test_seats_that_close_up_take_their_sockets_along(house: House) -> None:
    party = await lobby_of(house, 3)
    listener = party.room.connect(party.people[2].id)
    await party.room.change(lambda row: lobby.leave(row, party.people[1].id))
    await house.rooms.start(party.room, party.people[0])
    assert json.loads((await waiting(listener))[-1])["view"]["seat"] == 1


async def own_seat(listener: Listener) -> int | None:
    """The seat that a listener was last told is its own."""
    seat: int | None = json.loads((await waiting(listener))[-1])["seat"]
    return seat


async def test_all_tabs_of_a_player_are_told_their_own_seat(house: House) -> None:
    party = await lobby_of(house, 1, seats=3)
    newcomer = await new_player(house, "Bob")
    tabs = [party.room.connect(newcomer.id) for _ in range(2)]
    others = [party.room.connect(None), party.room.connect(party.people[0].id)]
    assert [await own_seat(each) for each in (*tabs, *others)] == [None, None, None, 0]
    await house.rooms.join(party.room, newcomer, "")
    assert [await own_seat(each) for each in (*tabs, *others)] == [1, 1, None, 0]
    assert await own_seat(party.room.connect(newcomer.id)) == 1


async def test_a_seat_that_another_takes_is_not_ones_own(house: House) -> None:
    """Though the listener read nothing in between, and the seat was never seen free."""
    party = await lobby_of(house, 2)
    sent_away, host = (party.room.connect(party.people[seat].id) for seat in (1, 0))
    await party.room.change(lambda row: lobby.remove_seat(row, party.people[0].id, 1))
    heir = await new_player(house, "Cal")
    await house.rooms.join(party.room, heir, "")
    [text] = await waiting(sent_away)
    message = json.loads(text)
    assert (message["seat"], message["room"]["seats"][1]["name"]) == (None, "Cal")
    assert await own_seat(party.room.connect(heir.id)) == 1
    assert await own_seat(host) == 0


async def test_one_is_told_ones_seat_after_those_before_it_have_gone(house: House) -> None:
    party = await lobby_of(house, 3)
    tabs = [party.room.connect(party.people[2].id) for _ in range(2)]
    await party.room.change(lambda row: lobby.leave(row, party.people[1].id))
    assert [await own_seat(tab) for tab in tabs] == [2, 2]
    await house.rooms.start(party.room, party.people[0])
    for tab in tabs:
        message = json.loads((await waiting(tab))[-1])
        assert message["seat"] == message["view"]["seat"] == 1


async def test_a_reload_tells_the_whole_state_and_what_happened_lately(house: House) -> None:
    party = await game_of(house, 2)
    await party.play_until(lambda game: game.version > 12)
    message = await last(party)
    assert message["view"]["version"] == party.room.version
    versions = [event["version"] for event in message["events"]]
    assert versions == sorted(versions)
    assert versions[-1] == party.room.version


@pytest.mark.parametrize("goal", list(Phase)[:-1])
async def test_BUG917_every_phase_is_seen_with_and_without_a_seat(house: House, goal: Phase) -> None:
    party = await game_of(house, 3)
    await party.play_until(lambda game: game.phase is goal)
    assert (await last(party))["view"]["seat"] == 0
    spectator = (await last(party, spectator=True))["view"]
    assert (spectator["seat"], spectator["hand"], spectator["tickets"], spectator["offer"]) == (None, {}, [], [])
    assert spectator["legal"] == NOTHING_LEGAL


async def test_BUG811_only_who_is_to_act_has_something_to_do(house: House) -> None:
    party = await game_of(house, 3)
    await party.play_until(lambda game: game.phase is Phase.TURN)
    for seat in range(3):
        view = json.loads(await party.room.show_to(party.people[party.game.order[seat]].id))
        may_act = view["legal"]["draw"]["deck"] or view["legal"]["claims"]
        assert bool(may_act) == (view["seat"] in view["to_act"])


async def test_a_room_without_spectators_shows_nothing_to_them(house: House) -> None:
    party = await lobby_of(house, 2, spectators=False)
    watcher, player = party.room.connect(None), party.room.connect(party.people[1].id)
    await house.rooms.start(party.room, party.people[0])
    with pytest.raises(OutboxClosedError, match="no spectators"):
        await next_text(watcher.outbox)
    assert json.loads((await waiting(player))[-1])["view"]["seat"] == 1
    with pytest.raises(RefusedError, match="no spectators"):
        party.room.connect(None)
    with pytest.raises(RefusedError, match="no spectators"):
        await party.room.show_to(None)


async def test_a_listener_that_stops_reading_holds_little_and_delays_nobody(house: House) -> None:
    party = await game_of(house, 2)
    sleeper = party.room.connect(None)
    await party.play_until(lambda game: False)
    [text] = await waiting(sleeper)
    message = json.loads(text)
    assert message["view"]["phase"] == "over"
    assert message["events"][-1]["type"] == "game_ended"
