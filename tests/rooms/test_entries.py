"""Entries of a record that are no moves, or that another than the seat's owner has made."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from app.cli.records import DisagreesError, findings
from app.rooms import Code, RefusedError, lobby
from app.rules import Game, KeepTickets, Phase, Seat, legal_actions
from app.store import MoveRow, RoomRow
from app.store.rows import EntryKind
from app.wire import Act, dump, parse_record
from harness.live_rooms import House, Party, all_views, game_of, lobby_of, waiting


async def add(party: Party, seat: int, kind: EntryKind) -> MoveRow:
    """An entry that another process has stored."""
    number = party.room.replica.number + 1
    entry = MoveRow(number, seat, "null", f"x{number}", party.house.context.now(), kind)
    await party.house.store.append_move(party.room.code, entry)
    return entry


async def in_turn(house: House) -> Party:
    party = await game_of(house, 2)
    await party.play_until(lambda game: game.phase is Phase.TURN)
    return party


async def move(party: Party) -> Seat:
    seat = party.game.to_act[0]
    await party.act(seat, legal_actions(party.game, seat)[0])
    return seat


async def in_place(party: Party) -> Game:
    """The room that is in memory reads what is new."""
    await party.room.catch_up()
    return party.game


async def from_the_start(party: Party) -> Game:
    """The room is loaded anew."""
    party.house.upkeep.forget_idle(-1)
    game = (await party.house.rooms.find(party.room.code)).game
    assert game is not None
    return game


@pytest.mark.parametrize("read", [in_place, from_the_start])
async def test_a_move_that_was_taken_back_leaves_the_very_position(
    house: House, read: Callable[[Party], Awaitable[Game]]
) -> None:
    party = await in_turn(house)
    before, views = party.game, all_views(party)
    seat = await move(party)
    assert party.game != before
    await add(party, seat, "take_back")
    assert await read(party) == before
    assert all_views(party) == views or read is from_the_start


async def test_the_number_of_an_entry_is_not_the_version_of_the_game(house: House) -> None:
    party = await in_turn(house)
    version, number = party.room.version, party.room.replica.number
    seat = await move(party)
    await add(party, seat, "take_back")
    await add_pause(party)
    assert (party.room.version, party.room.replica.number) == (version, number + 3)
    act = Act("again", version, legal_actions(party.game, seat)[0])
    assert await party.room.act(party.people[seat].id, act) == version + 1
    assert await party.room.act(party.people[seat].id, act) == version + 1, "the same id has the same answer"
    assert party.room.replica.number == number + 4


async def add_pause(party: Party) -> None:
    await party.room.catch_up()
    await add(party, 0, "pause")
    await party.room.catch_up()


async def test_what_was_told_is_not_told_again_after_a_take_back(house: House) -> None:
    party = await in_turn(house)
    seat = await move(party)
    listener = party.room.connect(None)
    await waiting(listener)
    history = party.room.replica.history
    await add(party, seat, "take_back")
    await party.room.catch_up()
    assert len(party.room.replica.history) == len(history) + 1
    told = b"".join(await waiting(listener))
    assert b'"events":[]' in told


async def test_the_others_learn_of_a_take_back(houses: list[House]) -> None:
    party = await in_turn(houses[0])
    there = await houses[1].rooms.find(party.room.code)
    before = party.game
    seat = await move(party)
    await there.catch_up()
    assert there.game == party.game
    await add(party, seat, "take_back")
    await there.catch_up()
    assert there.game == before


@pytest.mark.parametrize("kind", ["take_back", "dance"])
async def test_an_entry_that_can_t_have_been_made_stops_the_room(house: House, kind: EntryKind) -> None:
    party = await in_turn(house)
    seat = await move(party)
    await add(party, 1 - seat, kind)
    with pytest.raises(RefusedError) as error:
        await party.room.catch_up()
    assert error.value.code is Code.UNAVAILABLE


async def test_the_record_holds_all_entries_and_is_true(house: House) -> None:
    party = await in_turn(house)
    seat = await move(party)
    await add(party, seat, "take_back")
    await add_pause(party)
    await party.play_until(lambda _: False)
    record = await house.rooms.record(party.room)
    assert len(record.moves) == party.room.version + 3
    assert [entry.kind for entry in record.moves if entry.action is None] == ["take_back", "pause"]
    assert list(findings(parse_record(dump(record))))
    taken_back = next(entry for entry in record.moves if entry.kind == "take_back")
    moves = tuple(replace(entry, seat=1 - seat) if entry is taken_back else entry for entry in record.moves)
    with pytest.raises(DisagreesError, match="no move to take back"):
        list(findings(replace(record, moves=moves)))


def with_stand_in(row: RoomRow) -> RoomRow:
    """A bot decides for the second player."""
    return replace(row, seats=(row.seats[0], replace(row.seats[1], driver="easy"), *row.seats[2:]))


async def test_a_stand_in_decides_for_a_player_who_stays_the_owner(house: House) -> None:
    party = await lobby_of(house, 2, seats=3)
    await party.room.change(lambda row: lobby.add_bot(row, party.people[0].id, "easy"))
    await party.room.change(with_stand_in)
    await house.rooms.start(party.room, party.people[0])
    assert [seat.kind for seat in party.room.audience.describe().seats] == ["human", "human", "bot"]
    assert lobby.seat_of(party.room.row, party.people[1].id) == 1
    mine = party.game.holdings[0].offer
    await party.room.act(party.people[0].id, Act("mine", 0, KeepTickets(mine)))
    listener = party.room.connect(None)
    while party.game.phase is Phase.FIRST_TICKETS:
        await listener.outbox.wait()
        listener.outbox.take()
    made_by = {entry.seat: entry.made_by for entry in await house.store.load_moves(party.room.code)}
    assert made_by == {0: "owner", 1: "stand_in", 2: "owner"}


async def test_a_bot_moves_again_when_its_move_was_taken_back(house: House) -> None:
    """Its new move comes at the same version, and is another entry."""
    party = await lobby_of(house, 1, seats=2)
    await party.room.change(lambda row: lobby.add_bot(row, party.people[0].id, "easy"))
    await house.rooms.start(party.room, party.people[0])
    listener = party.room.connect(None)

    async def until(goal: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not goal():
                await listener.outbox.wait()
                listener.outbox.take()

    await until(lambda: party.game.to_act == (0,))
    number, version = party.room.replica.number, party.room.version
    await add(party, 1, "take_back")
    await party.room.catch_up()
    await until(lambda: party.game.to_act == (0,))
    assert (party.room.replica.number, party.room.version) == (number + 2, version)


async def test_a_rematch_is_begun_by_owners(house: House) -> None:
    party = await in_turn(house)
    await party.play_until(lambda _: False)
    await party.room.change(with_stand_in)
    row = await house.rooms.rematch(party.room, party.people[1])
    assert [seat.driver for seat in row.seats] == [None, None]
    ann, ben = party.room.row.seats
    with_guest = replace(party.room.row, seats=(ann, replace(ben, guardian=ann.player)))
    assert [seat.driver for seat in lobby.seats_again(with_guest, party.people[0])] == [None, None]
