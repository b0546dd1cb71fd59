"""Forgotten and loaded again, a room is what it was: in every phase, to the card."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from random import Random
from typing import TypeVar

import pytest

from app.rooms import Code, RefusedError
from app.rules import Game, KeepTickets, Phase
from app.store import MoveRow, StoreUnavailableError, open_store, queries
from harness.live_rooms import House, Party, all_views, game_of, house_on, lobby_of
from harness.queries import replace_query

T = TypeVar("T")


async def loaded_again(party: Party) -> Party:
    """The party in its room as a new process would find it."""
    party.house.upkeep.forget_idle(-1)
    room = await party.house.rooms.find(party.room.code)
    assert room is not party.room
    return Party(party.house, room, party.people)


def seen(party: Party) -> list[bytes]:
    """What everybody sees."""
    return [party.room.audience.described, *all_views(party)]


async def check_restored(party: Party) -> Party:
    """The same room, the same game (deck, hands, offers and all), the same views."""
    again = await loaded_again(party)
    assert again.room.row == party.room.row
    assert again.room.game == party.room.game
    assert seen(again) == seen(party)
    return again


@pytest.mark.parametrize("people", [1, 2, 4])
async def test_BUG1001_a_lobby(house: House, people: int) -> None:
    await check_restored(await lobby_of(house, people, seats=4))


@pytest.mark.parametrize("chosen", range(5))
async def test_BUG1001_the_first_tickets_with_some_having_chosen(house: House, chosen: int) -> None:
    party = await game_of(house, 4)
    for seat in range(chosen):
        await party.act(seat, KeepTickets(party.game.holdings[seat].offer[: 1 + seat % 2]))
    again = await check_restored(party)
    assert again.game.phase is (Phase.TOKENS if chosen == 4 else Phase.FIRST_TICKETS)


GOALS: dict[str, Callable[[Game], bool]] = {
    "tokens, one placed": lambda game: (
        game.phase is Phase.TOKENS and [s.location for s in game.tokens.stacks].count(None) == 1
    ),
    "turn": lambda game: game.phase is Phase.TURN,
    "second card": lambda game: game.phase is Phase.SECOND_CARD,
    "offer open": lambda game: game.phase is Phase.KEEP_TICKETS,
    "reshuffled": lambda game: game.reshuffles > 0,
    "last turns": lambda game: game.last_turns is not None,
    "over": lambda game: game.phase is Phase.OVER,
}


async def game_at(house: House, people: int, goal: Callable[[Game], bool]) -> Party:
    """A game that has come to this; not every game does."""
    while True:
        party = await game_of(house, people)
        await party.play_until(goal, Random(1))
        if goal(party.game):
            return party


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("people", [2, 4])
async def test_BUG1001_every_later_phase_and_the_game_goes_on(house: House, goal: str, people: int) -> None:
    party = await game_at(house, people, GOALS[goal])
    again = await check_restored(party)
    await again.play_until(lambda game: False)
    assert again.room.row.status == "over"


async def test_a_room_that_is_needed_is_not_forgotten(house: House) -> None:
    party = await game_of(house, 2)
    listener = party.room.connect(None)
    house.upkeep.forget_idle(-1)
    assert await house.rooms.find(party.room.code) is party.room
    party.room.disconnect(listener)
    house.upkeep.forget_idle(60)
    assert await house.rooms.find(party.room.code) is party.room


async def test_many_who_come_at_once_find_one_room(house: House) -> None:
    party = await game_of(house, 2)
    house.upkeep.forget_idle(-1)
    found = await asyncio.gather(*(house.rooms.find(party.room.code) for _ in range(20)))
    assert len(set(map(id, found))) == 1


async def test_one_who_leaves_does_not_spoil_the_load_for_others(house: House) -> None:
    party = await game_of(house, 2)
    house.upkeep.forget_idle(-1)
    first = asyncio.create_task(house.rooms.find(party.room.code))
    second = asyncio.create_task(house.rooms.find(party.room.code))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).game == party.game


async def test_a_room_that_can_not_be_read_now_is_found_later(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    party = await game_of(house, 2)
    house.upkeep.forget_idle(-1)

    async def away(*_: object) -> None:
        raise StoreUnavailableError("for a test")

    with monkeypatch.context() as patch:
        replace_query(patch, queries.find_room, away)
        with pytest.raises(RefusedError) as error:
            await house.rooms.find(party.room.code)
        assert error.value.code is Code.UNAVAILABLE
    assert (await house.rooms.find(party.room.code)).game == party.game


@pytest.mark.parametrize("code", ["", "XXXXXXXX", "0123", "ÄÖÜß1234", "0" * 500, "../../..", "UUUUUUUU"])
async def test_a_code_of_no_room(house: House, code: str) -> None:
    with pytest.raises(RefusedError) as error:
        await house.rooms.find(code)
    assert error.value.code is Code.UNKNOWN_ROOM


@pytest.mark.parametrize("action", ['{"type":"draw_card","slot":null}', '{"type":"sing"}'])
async def test_a_record_that_can_not_be_played_again_stops_its_own_room_only(house: House, action: str) -> None:
    party, other = await game_of(house, 2), await game_of(house, 2)
    foreign = MoveRow(1, 0, action, "x", party.room.row.created_at)
    await house.store.append_move(party.room.code, foreign)
    with pytest.raises(RefusedError) as here:
        await party.room.catch_up()
    house.upkeep.forget_idle(-1)
    with pytest.raises(RefusedError) as loaded:
        await house.rooms.find(party.room.code)
    assert here.value.code is loaded.value.code is Code.UNAVAILABLE
    await house.upkeep.wake()
    assert (await house.rooms.find(other.room.code)).game == other.game


STATES = 500
"""On each database."""

AT_ONCE = 4
"""Games that are played side by side, so that they share commits."""


async def patiently(ask: Callable[[], Awaitable[T]]) -> T:
    """Ask until the database answers in time: how busy the machine is, is not what is tested.

    What it answered too late may have been done, so that the game has moved on.
    """
    while True:
        try:
            return await ask()
        except StoreUnavailableError:
            continue
        except RefusedError as error:
            if error.code not in (Code.UNAVAILABLE, Code.STALE_VERSION):
                raise


def told_to_newcomers(party: Party) -> list[bytes]:
    """What a spectator and each of the table is told on coming: the room, the view, and what happened lately."""
    texts = []
    for player in (None, *(person.id for person in party.people)):
        listener = party.room.connect(player)
        texts += listener.outbox.take()
        party.room.disconnect(listener)
    return texts


async def play_and_restore(party: Party, rng: Random, states: Iterator[int]) -> None:
    """Random games, which after a few moves each time go on in a process that has read them anew."""
    for _ in states:
        await patiently(partial(party.play_moves, rng.randint(1, 4), rng))
        before = told_to_newcomers(party)
        restarted = house_on(party.house.store)
        again = Party(restarted, await patiently(partial(restarted.rooms.find, party.room.code)), party.people)
        assert (again.room.row, again.game) == (party.room.row, party.game)
        assert told_to_newcomers(again) == before
        party = again if again.game.to_act else await patiently(partial(game_of, restarted, rng.randint(2, 4)))


@pytest.mark.slow
async def test_BUG1017_a_thousand_random_moments(address: str) -> None:
    states = iter(range(STATES))
    async with open_store(address) as store:
        parties = [await patiently(partial(game_of, house_on(store), 2 + number % 3)) for number in range(AT_ONCE)]
        async with asyncio.TaskGroup() as tables:
            for number, party in enumerate(parties):
                tables.create_task(play_and_restore(party, Random(number), states))
    assert next(states, None) is None
