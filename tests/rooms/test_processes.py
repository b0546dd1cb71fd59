"""Two processes with the same rooms: the database decides, the bus only says that there is something to read."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from app.bus import EVERY_ROOM
from app.news import News
from app.rooms import Code, RefusedError, Room, lobby, peers
from app.rules import DrawCard, KeepTickets, Phase, Seat, legal_actions
from app.store import RoomRow, StoreUnavailableError, queries, talk
from app.wire import Act
from harness.live_rooms import DeafBus, House, Party, game_of, lobby_of, new_player, waiting
from harness.queries import replace_query

BLIND = DrawCard(None)


def connected(room: Room) -> list[bool]:
    """Who is there, by seats, as this process says."""
    return [seat.connected for seat in room.audience.describe().seats]


async def told(room: Room, seats: list[bool], spectators: int = 0) -> None:
    """Wait until the room says that these are there."""
    async with asyncio.timeout(60):
        while (connected(room), room.audience.describe().spectators) != (seats, spectators):  # noqa: ASYNC110 - nobody says so
            await asyncio.sleep(0.01)


async def seen_by_other(party: Party, houses: list[House]) -> Room:
    """The party's room in the second process."""
    return await houses[1].rooms.find(party.room.code)


async def settled(*rooms: Room) -> None:
    """Nothing is under way in these rooms."""
    for room in rooms:
        await room.close()


async def in_turns(house: House, people: int = 2) -> Party:
    """A game in its first turn."""
    party = await game_of(house, people)
    await party.play_until(lambda game: game.phase is Phase.TURN)
    return party


async def test_a_move_shows_in_the_other_process(houses: list[House]) -> None:
    party = await in_turns(houses[0])
    room = await seen_by_other(party, houses)
    watcher = room.connect(None)
    await waiting(watcher)
    version = await party.act(party.game.to_act[0], BLIND)
    await settled(room)
    message = json.loads((await waiting(watcher))[-1])
    assert message["view"]["version"] == version
    assert message["events"][0]["type"] == "deck_card_drawn"


async def test_a_lobby_and_its_start_show_in_the_other_process(houses: list[House]) -> None:
    party = await lobby_of(houses[0], 1, seats=2)
    room = await seen_by_other(party, houses)
    newcomer = await new_player(houses[0], "Bob")
    watcher = room.connect(newcomer.id)
    await houses[0].rooms.join(party.room, newcomer, "")
    await settled(room)
    assert json.loads((await waiting(watcher))[-1])["room"]["seats"][1]["name"] == "Bob"
    await houses[0].rooms.start(party.room, party.people[0])
    await settled(room)
    assert json.loads((await waiting(watcher))[-1])["view"]["seat"] == 1
    assert room.game == party.room.game


async def test_BUG808_of_two_at_the_same_version_one_wins_with_a_bus(houses: list[House]) -> None:
    await race(houses)


async def test_BUG808_of_two_at_the_same_version_one_wins_without(deaf_houses: list[House]) -> None:
    await race(deaf_houses)


async def race(houses: list[House]) -> None:
    """The same seat acts in both at the same version."""
    party = await in_turns(houses[0])
    room = await seen_by_other(party, houses)
    seat, version = party.game.to_act[0], party.room.version
    asked = party.room.act(seat, Act("here", version, BLIND)), room.act(seat, Act("there", version, BLIND))
    answers = await asyncio.gather(*asked, return_exceptions=True)
    [loser] = [answer for answer in answers if isinstance(answer, RefusedError)]
    assert loser.code is Code.STALE_VERSION
    assert version + 1 in answers
    await settled(party.room, room)
    assert [move.number for move in await houses[0].store.load_moves(room.code)] == list(range(1, version + 2))
    assert {party.room.version, room.version} <= {version, version + 1}


async def test_the_same_action_sent_to_both_is_played_once(deaf_houses: list[House]) -> None:
    party = await in_turns(deaf_houses[0])
    room = await seen_by_other(party, deaf_houses)
    seat, act = party.game.to_act[0], Act("same", party.room.version, BLIND)
    answers = await asyncio.gather(*(each.act(seat, act) for each in (party.room, room)))
    assert answers == [act.version + 1] * 2
    assert len(await deaf_houses[0].store.load_moves(room.code)) == act.version + 1


async def test_BUG804_first_choices_in_two_processes_do_not_conflict(deaf_houses: list[House]) -> None:
    party = await game_of(deaf_houses[0], 4)
    rooms = [party.room, await seen_by_other(party, deaf_houses)]
    answers = await asyncio.gather(
        *(
            rooms[seat % 2].act(Seat(seat), Act(f"keep-{seat}", 0, KeepTickets(party.game.holdings[seat].offer)))
            for seat in range(4)
        )
    )
    assert sorted(answers) == [1, 2, 3, 4]
    for room in rooms:
        await room.catch_up()
        assert room.game is not None
        assert room.game.phase is Phase.TOKENS


async def test_BUG705_of_two_starts_one_deals(deaf_houses: list[House]) -> None:
    party = await lobby_of(deaf_houses[0], 3)
    rooms = [party.room, await seen_by_other(party, deaf_houses)]
    starts = [house.rooms.start(room, party.people[0]) for house, room in zip(deaf_houses, rooms, strict=True)]
    answers = await asyncio.gather(*starts, return_exceptions=True)
    [second] = [answer for answer in answers if isinstance(answer, RefusedError)]
    assert second.code is Code.ALREADY_STARTED
    assert rooms[0].game == rooms[1].game is not None


async def test_an_act_is_of_the_seat_that_a_start_elsewhere_gave_its_player(deaf_houses: list[House]) -> None:
    party = await lobby_of(deaf_houses[0], 4)
    await party.room.change(lambda row: lobby.leave(row, party.people[1].id))
    room = await seen_by_other(party, deaf_houses)
    await deaf_houses[0].rooms.start(party.room, party.people[0])
    mine, neighbours = (party.game.holdings[seat].offer for seat in (1, 2))
    with pytest.raises(RefusedError) as refused:
        await room.act(party.people[2].id, Act("not-mine", 0, KeepTickets(neighbours)))
    assert refused.value.code is Code.ILLEGAL_ACTION
    await room.act(party.people[2].id, Act("mine", 0, KeepTickets(mine)))
    assert [move.seat for move in await deaf_houses[0].store.load_moves(room.code)] == [1]


async def test_a_client_that_knows_more_than_the_process_makes_it_read(deaf_houses: list[House]) -> None:
    party = await in_turns(deaf_houses[0])
    room = await seen_by_other(party, deaf_houses)
    await party.act(party.game.to_act[0], BLIND)
    seat = party.game.to_act[0]
    action = legal_actions(party.game, seat)[0]
    assert await room.act(seat, Act("ahead", party.room.version, action)) == party.room.version + 1


async def test_a_lost_message_is_healed_by_the_sweep(deaf_houses: list[House]) -> None:
    party = await in_turns(deaf_houses[0])
    room = await seen_by_other(party, deaf_houses)
    watcher = room.connect(None)
    version = await party.act(party.game.to_act[0], BLIND)
    assert room.version == version - 1
    deaf_houses[1].rooms.heal()
    await settled(room)
    assert json.loads((await waiting(watcher))[-1])["view"]["version"] == version


async def test_without_a_bus_the_moves_of_others_are_read_with_every_beat(
    deaf_houses: list[House], monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await in_turns(deaf_houses[0])
    room = await seen_by_other(party, deaf_houses)
    room.connect(None)
    await settled(room)
    version = await party.act(party.game.to_act[0], BLIND)
    deaf_houses[1].rooms.beat()
    await settled(room)
    assert room.version == version - 1
    monkeypatch.setattr(DeafBus, "is_away", True)
    deaf_houses[1].rooms.beat()
    await settled(room)
    assert room.version == version


async def test_a_whole_game_in_two_processes_is_one_game(houses: list[House]) -> None:
    """Each move goes to either process, and each is often behind."""
    party, rng = await game_of(houses[0], 3), Random(4)
    rooms = [party.room, await seen_by_other(party, houses)]
    while party.room.row.status != "over":
        room = rng.choice(rooms)
        assert room.game is not None
        if not room.game.to_act:
            await settled(*rooms)
            continue
        seat = room.game.to_act[0]
        with suppress(RefusedError):
            action = rng.choice(legal_actions(room.game, seat))
            await room.act(seat, Act(f"a{rng.getrandbits(40)}", room.version, action))
    await settled(*rooms)
    assert rooms[0].game == rooms[1].game
    moves = await houses[0].store.load_moves(party.room.code)
    assert [move.number for move in moves] == list(range(1, party.room.version + 1))


async def test_bots_of_two_processes_make_each_move_once(houses: list[House]) -> None:
    party = await lobby_of(houses[0], 1, seats=3)
    for _ in range(2):
        await party.room.change(lambda row: lobby.add_bot(row, party.people[0].id, "easy"))
    room = await seen_by_other(party, houses)
    room.connect(None)
    await houses[0].rooms.start(party.room, party.people[0])
    while party.room.row.status != "over":
        if 0 in party.game.to_act:
            await party.act(0, legal_actions(party.game, Seat(0))[0])
        await asyncio.sleep(0)
    await settled(party.room, room)
    assert room.game == party.room.game


async def test_who_is_there_is_known_in_both_processes(houses: list[House]) -> None:
    party = await game_of(houses[0], 3)
    listener = party.room.connect(party.people[1].id)
    party.room.connect(None)
    room = await seen_by_other(party, houses)
    await told(room, [False, True, False], spectators=1)
    watcher = room.connect(party.people[2].id)
    await told(party.room, [False, True, True], spectators=1)
    assert json.loads((await waiting(watcher))[-1])["room"]["spectators"] == 1
    party.room.disconnect(listener)
    await told(room, [False, False, True], spectators=1)


async def test_a_seat_taken_elsewhere_is_that_of_one_who_was_there_already(houses: list[House]) -> None:
    party = await lobby_of(houses[0], 1, seats=2)
    room = await seen_by_other(party, houses)
    newcomer = await new_player(houses[0], "Bob")
    room.connect(newcomer.id)
    await told(party.room, [False, False], spectators=1)
    await houses[0].rooms.join(party.room, newcomer, "")
    await told(party.room, [False, True])


async def test_those_who_followed_at_a_process_that_is_gone_are_gone(
    houses: list[House], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is only slow is there again with all its followers when it speaks."""
    party = await game_of(houses[0], 2)
    room = await seen_by_other(party, houses)
    room.connect(party.people[1].id)
    houses[1].rooms.beat()
    await told(party.room, [False, True])
    with monkeypatch.context() as patch:
        patch.setattr(peers, "SILENCE", -1.0)
        houses[0].rooms.beat()
    await told(party.room, [False, False])
    houses[1].rooms.beat()
    await told(party.room, [False, True])
    await houses[1].rooms.close()
    await told(party.room, [False, False])


async def test_what_changes_while_a_row_is_read_is_read_too(
    houses: list[House], monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await in_turns(houses[0])
    room = await seen_by_other(party, houses)
    nexts = iter(("SECOND00",))

    async def read_slowly(read: Callable[..., Awaitable[RoomRow]], code: str) -> RoomRow:
        row = await read(code)
        for follower in nexts:
            await party.room.change(lambda row: replace(row, next=follower))  # noqa: B023 - called at once
        return row

    replace_query(monkeypatch, queries.find_room, read_slowly, only=houses[1].store)
    await party.room.change(lambda row: replace(row, next="FIRST000"))
    await settled(room, room)  # the second reading begins in the middle of the first
    assert room.row.next == "SECOND00"


async def test_a_change_that_could_not_be_read_is_read_by_the_next_look(
    houses: list[House], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the end, too, when nothing else makes anybody read again."""
    party = await game_of(houses[0], 2)
    room = await seen_by_other(party, houses)
    await party.play_until(lambda _: False)
    await settled(room)
    outages = iter((StoreUnavailableError("away"),))

    async def read_in_the_end(read: Callable[..., Awaitable[RoomRow]], code: str) -> RoomRow:
        for outage in outages:
            raise outage
        return await read(code)

    replace_query(monkeypatch, queries.find_room, read_in_the_end, only=houses[1].store)
    await party.room.change(lambda row: replace(row, next="FIRST000"))
    await settled(room)
    assert room.row.next is None
    houses[1].rooms.heal()
    await settled(room)
    assert room.row.next == "FIRST000"


STRANGER = "0123456789abcdef"


async def test_however_often_news_comes_a_room_is_read_once_at_a_time(
    houses: list[House], monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await in_turns(houses[0])
    await settled(party.room)
    reads = {"moves": 0, "lines": 0}
    load_moves = party.house.store.load_moves

    async def count_moves(*asked: Any) -> Any:
        reads["moves"] += 1
        return await load_moves(*asked)

    async def count_messages(load_messages: Callable[..., Awaitable[Any]], *asked: Any) -> Any:
        reads["lines"] += 1
        return await load_messages(*asked)

    monkeypatch.setattr(party.house.store, "load_moves", count_moves)
    replace_query(monkeypatch, talk.load_messages, count_messages)
    for _ in range(1000):
        party.room.hear(News.MOVED, "9999999999")
        party.room.hear(News.CHANGED, STRANGER)
        party.room.hear(News.SAID, STRANGER)
    await settled(party.room)
    assert 1 <= reads["moves"] <= 2
    assert 2 <= reads["lines"] <= 4, "two talks"


async def test_what_is_told_while_a_room_is_being_read_makes_it_read_again(houses: list[House]) -> None:
    party = await in_turns(houses[0])
    room = await seen_by_other(party, houses)
    room.hear(News.MOVED, "9999999999")
    await asyncio.sleep(0)
    version = await party.act(party.game.to_act[0], BLIND)
    await settled(room)
    assert room.version == version


async def test_processes_that_a_stranger_invents_are_kept_in_bounds(houses: list[House]) -> None:
    party = await lobby_of(houses[0], 1, seats=2)
    for number in range(10 * peers.MOST):
        process = f"{number:016x}"
        houses[0].rooms._hear(EVERY_ROOM, News.ALIVE, process)
        houses[0].rooms._hear(party.room.code, News.HERE, f"{process} [[],1,[]]")
    assert len(houses[0].rooms._peers._heard) == peers.MOST
    assert party.room.audience.describe().spectators <= peers.MOST
