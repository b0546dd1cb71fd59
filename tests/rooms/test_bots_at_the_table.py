"""Bots act by themselves: to the end, after a restart, and when their mind fails."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.rooms import Mind, RefusedError, lobby
from app.rooms.upkeep import RETRY_UNREAD
from app.rules import Action, ClaimRoute, DrawCard, KeepTickets, Pass, RouteId, Seat, TicketId, View, legal_actions
from app.store import MoveRow, RoomRow, StoreUnavailableError, queries, visits
from app.wire import dump_action
from harness.live_rooms import House, Inline, Party, house_on, lobby_of, next_text, open_house
from harness.queries import replace_query


async def bots_of(house: House, bots: int = 2) -> Party:
    """A person who has begun a game with bots."""
    party = await lobby_of(house, 1, seats=bots + 1)
    for _ in range(bots):
        await party.room.change(lambda row: lobby.add_bot(row, party.people[0].id, "easy"))
    await house.rooms.start(party.room, party.people[0])
    return party


async def play_as_person(party: Party, until: int = 10_000) -> None:
    """Do the first thing that is legal whenever seat 0 is to act."""
    while party.room.row.status != "over" and party.room.version < until:
        if 0 in party.game.to_act:
            await party.act(0, legal_actions(party.game, Seat(0))[0])
        await asyncio.sleep(0)


@pytest.mark.parametrize("bots", [1, 3])
async def test_a_person_alone_plays_with_bots_to_the_end(house: House, bots: int) -> None:
    party = await bots_of(house, bots)
    await play_as_person(party)
    assert party.room.row.status == "over"
    by_bots = [move for move in await house.store.load_moves(party.room.code) if move.seat]
    assert {move.seat for move in by_bots} == set(range(1, bots + 1))


async def test_bots_go_on_by_themselves_after_a_restart(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        party = await bots_of(house)
        await play_as_person(party, until=12)
    async with open_house(tmp_path) as house:
        await house.upkeep.wake()
        assert house.rooms.figures()["rooms"] == 1
        again = Party(house, await house.rooms.find(party.room.code), party.people)
        assert again.room.version >= 12
        await play_as_person(again)
        assert again.room.row.status == "over"


async def test_a_game_that_can_not_be_read_keeps_no_other_asleep(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.bots.close()
    damaged, sound = [await bots_of(house), await bots_of(house)]
    await house.upkeep.put_off_due()
    other = house_on(house.store)

    async def read_or_fail(read: Callable[..., Awaitable[RoomRow]], code: str) -> RoomRow:
        if code == damaged.room.code:
            raise LookupError("nobody expects this")
        return await read(code)

    replace_query(monkeypatch, queries.find_room, read_or_fail)
    await other.upkeep.wake_at_start()
    assert [room.code for room in other.rooms._rooms.values()] == [sound.room.code]
    later = datetime.now(UTC) + RETRY_UNREAD - timedelta(minutes=1)
    assert await house.store.write(visits.take_due, later, later, 9) == [sound.room.code], "the other is not tried soon"
    await other.bots.close()
    await other.rooms.close()


class BrokenMind:
    """Has no thought."""

    async def choose(self, level: str, view: View, seed: int, known: object = ()) -> Action:
        """Fail."""
        raise RuntimeError("no thought")


class LawlessMind:
    """Wants what is never legal."""

    async def choose(self, level: str, view: View, seed: int, known: object = ()) -> Action:
        """Claim what is not there."""
        return ClaimRoute(RouteId("nowhere"), {})


@pytest.mark.parametrize("mind", [BrokenMind(), LawlessMind()], ids=["without a thought", "against the rules"])
async def test_BUG1601_a_bot_without_a_good_thought_does_what_is_legal(tmp_path: Path, mind: Mind) -> None:
    async with open_house(tmp_path, mind=mind) as house:
        party = await bots_of(house)
        await play_as_person(party)
        assert party.room.row.status == "over"


class OddMind:
    """Gives the same thing, whatever is asked."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    async def choose(self, level: str, view: View, seed: int, known: object = ()) -> Action:
        """Give it, or raise it."""
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer  # type: ignore[return-value]


ODD = [
    None,
    "pass",
    b"pass",
    17,
    [],
    {"type": "pass"},
    object(),
    Pass,
    Pass(),
    Pass(type="resign"),  # type: ignore[arg-type]
    DrawCard("first"),  # type: ignore[arg-type]
    DrawCard(10**30),
    KeepTickets(None),  # type: ignore[arg-type]
    KeepTickets((TicketId("nowhere"),)),
    ClaimRoute(None, None),  # type: ignore[arg-type]
    ClaimRoute(RouteId("\ud800"), {}),
    RecursionError(),
    MemoryError(),
]


@pytest.mark.parametrize("answer", ODD, ids=range(len(ODD)))
async def test_whatever_a_bot_gives_a_legal_action_follows(tmp_path: Path, answer: object) -> None:
    async with open_house(tmp_path, mind=OddMind(answer)) as house:
        party = await bots_of(house, 1)
        async with asyncio.timeout(60):
            await play_as_person(party, until=16)
        assert party.room.version >= 16


async def test_a_bot_that_was_stopped_by_what_nobody_expects_is_asked_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.rooms.bots.AGAIN", 0.0)
    party = await lobby_of(house, 1, seats=2)
    append, failures = house.store.append_move, iter(range(2))

    async def fail_at_first(*move: object) -> None:
        if next(failures, None) is not None:
            raise LookupError("nobody expects this")
        await append(*move)  # type: ignore[arg-type]

    monkeypatch.setattr(house.store, "append_move", fail_at_first)
    await party.room.change(lambda row: lobby.add_bot(row, party.people[0].id, "easy"))
    await house.rooms.start(party.room, party.people[0])
    async with asyncio.timeout(60):
        while 1 in party.game.to_act:  # noqa: ASYNC110  bots have no event to wait for
            await asyncio.sleep(0.01)


async def test_a_bot_tries_again_when_its_move_can_not_be_stored(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    party = await bots_of(house, 1)
    append, failures = house.store.append_move, iter(range(3))
    monkeypatch.setattr("app.rooms.bots.RETRY", 0.0)

    async def fail_at_first(*move: object) -> None:
        if next(failures, None) is not None:
            raise StoreUnavailableError("for a test")
        await append(*move)  # type: ignore[arg-type]

    monkeypatch.setattr(house.store, "append_move", fail_at_first)
    listener = party.room.connect(None)
    while 1 in party.game.to_act:
        await next_text(listener.outbox)
    assert party.game.version == 1


async def test_a_bots_room_is_kept_as_long_as_the_bot_is_to_act(house: House) -> None:
    party = await bots_of(house)
    house.upkeep.forget_idle(-1)
    assert await house.rooms.find(party.room.code) is party.room


class AskedMind(Inline):
    """Counts how often it is asked."""

    asked = 0

    async def choose(self, level: str, view: View, seed: int, known: object = ()) -> Action:
        """What the bot does."""
        self.asked += 1
        return await super().choose(level, view, seed)


async def test_bots_stop_when_their_room_is_removed(tmp_path: Path) -> None:
    mind = AskedMind()
    async with open_house(tmp_path, mind=mind) as house:
        party = await bots_of(house, 3)
        await house.store.write(queries.delete_room, party.room.code)
        async with asyncio.timeout(60):
            while house.bots.acting:  # noqa: ASYNC110  bots have no event to wait for
                await asyncio.sleep(0.01)
        assert mind.asked <= 6


class HeldMind(Inline):
    """Draws cards from the deck; the first thought waits until it is let go."""

    def __init__(self) -> None:
        self.thinks, self.may_go_on = asyncio.Event(), asyncio.Event()

    async def choose(self, level: str, view: View, seed: int, known: object = ()) -> Action:
        """A card from the deck."""
        if not view.own.legal.draw.deck:
            return await super().choose(level, view, seed)
        self.thinks.set()
        await self.may_go_on.wait()
        return DrawCard(None)


async def test_a_bot_goes_on_when_its_move_was_made_elsewhere_while_it_thought(tmp_path: Path) -> None:
    """Another process stores the first card that the seat draws, and is gone before the second."""
    mind = HeldMind()
    async with open_house(tmp_path, mind=mind) as house, asyncio.timeout(20):
        party = await bots_of(house, 1)
        while not mind.thinks.is_set():
            if 0 in party.game.to_act:
                await party.act(0, legal_actions(party.game, Seat(0))[0])
            await asyncio.sleep(0)
        number, version = party.room.replica.number, party.room.version
        elsewhere = MoveRow(number + 1, 1, dump_action(DrawCard(None)), f"bot-{number}", datetime.now(UTC))
        await house.store.append_move(party.room.code, elsewhere)
        await party.room.look_again()
        assert party.game.to_act == (1,)
        mind.may_go_on.set()
        while 1 in party.game.to_act:  # noqa: ASYNC110  bots have no event to wait for
            await asyncio.sleep(0.01)
        assert party.room.version == version + 2


async def test_bots_act_in_no_room_that_could_not_be_loaded(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise they would play on where nobody looks, and the table that is loaded next would wait for them."""
    party = await bots_of(house, 1)
    await play_as_person(party, until=12)
    await house.bots.close()
    while 0 in party.game.to_act:
        await party.act(0, legal_actions(party.game, Seat(0))[0])
    mind = HeldMind()
    other = house_on(house.store, mind=mind)

    async def away(*_: object) -> None:
        raise StoreUnavailableError("for a test")

    for name in ("load_moves", "read_list"):
        with monkeypatch.context() as patch:
            patch.setattr(house.store, name, away)
            with pytest.raises(RefusedError):
                await other.rooms.find(party.room.code)
    again = Party(other, await other.rooms.find(party.room.code), party.people)
    async with asyncio.timeout(20):
        mind.may_go_on.set()
        while 1 in again.game.to_act:  # noqa: ASYNC110  bots have no event to wait for
            await asyncio.sleep(0.01)
    await other.bots.close()
    await other.rooms.close()
