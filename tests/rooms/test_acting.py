"""Acting in a room: once for an id, at the current version, stored before it is told."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from app.rooms import Code, Listener, RefusedError, errors, lobby
from app.rooms.replica import State
from app.rules import ClaimRoute, DrawCard, KeepTickets, Pass, Phase, RouteId, Seat, legal_actions
from app.store import MoveRow, StoreUnavailableError, queries
from app.wire import Act
from harness.live_rooms import House, Party, game_of, lobby_of, new_player, waiting

BLIND = DrawCard(None)


def whose_turn(party: Party) -> Seat:
    """The seat to act."""
    return party.game.to_act[0]


async def in_turns(house: House, people: int = 2) -> Party:
    """A game in its first turn."""
    party = await game_of(house, people)
    await party.play_until(lambda game: game.phase is Phase.TURN)
    return party


def code_of(error: pytest.ExceptionInfo[RefusedError]) -> Code:
    """Why it was refused."""
    return error.value.code


async def test_BUG803_the_same_id_again_has_the_same_answer_and_no_second_effect(house: House) -> None:
    party = await in_turns(house)
    seat, act = whose_turn(party), Act("again", party.room.version, BLIND)
    first = await party.room.act(seat, act)
    after = party.game
    assert await party.room.act(seat, act) == first
    assert party.game is after
    assert len(await house.store.load_moves(party.room.code)) == first


async def test_BUG801_five_at_once_with_the_same_id_have_one_effect(house: House) -> None:
    party = await in_turns(house)
    seat, act = whose_turn(party), Act("five", party.room.version, BLIND)
    before = party.room.version
    answers = await asyncio.gather(*(party.room.act(seat, act) for _ in range(5)))
    assert answers == [before + 1] * 5
    assert party.room.version == before + 1


async def test_an_answer_is_remembered_by_the_record_itself(house: House) -> None:
    party = await in_turns(house)
    seat, act = whose_turn(party), Act("long-ago", party.room.version, BLIND)
    first = await party.room.act(seat, act)
    await party.play_until(lambda game: game.version >= first + 4)
    house.upkeep.forget_idle(-1)
    room = await house.rooms.find(party.room.code)
    assert room is not party.room
    assert await room.act(seat, act) == first


async def test_BUG802_a_second_confirm_of_the_same_version_is_stale(house: House) -> None:
    party = await in_turns(house)
    seat, version = whose_turn(party), party.room.version
    await party.room.act(seat, Act("one", version, BLIND))
    with pytest.raises(RefusedError) as error:
        await party.room.act(seat, Act("two", version, BLIND))
    assert code_of(error) is Code.STALE_VERSION
    assert party.room.version == version + 1


async def refused(party: Party, seat: Seat, act: Act) -> Code:
    """Why this is refused."""
    with pytest.raises(RefusedError) as error:
        await party.room.act(seat, act)
    return code_of(error)


async def test_a_refusal_stays_the_same_for_the_same_id(house: House) -> None:
    """The game goes on in between, so that the same action would now be refused for its old version."""
    party = await in_turns(house)
    seat, act = whose_turn(party), Act("no", party.room.version, Pass())
    assert await refused(party, seat, act) is Code.ILLEGAL_ACTION
    await party.play_moves(1, Random(1))
    assert await refused(party, seat, act) is Code.ILLEGAL_ACTION
    assert await refused(party, seat, replace(act, id="another")) is Code.STALE_VERSION


async def test_a_refusal_is_that_of_one_seat(house: House) -> None:
    """Another player may use the same id."""
    party = await in_turns(house)
    seat = whose_turn(party)
    act = Act("same", party.room.version, BLIND)
    assert await refused(party, Seat(1 - seat), act) is Code.NOT_YOUR_TURN
    assert await party.room.act(seat, act) == act.version + 1


async def test_the_oldest_refusals_are_forgotten(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "REMEMBERED", 3)
    party = await in_turns(house)
    seat = whose_turn(party)
    acts = [Act(f"no-{number}", party.room.version, Pass()) for number in range(5)]
    assert {await refused(party, seat, act) for act in acts} == {Code.ILLEGAL_ACTION}
    await party.play_moves(1, Random(1))
    newest_first = [await refused(party, seat, act) for act in reversed(acts)]
    assert newest_first == [*[Code.ILLEGAL_ACTION] * 3, *[Code.STALE_VERSION] * 2]


async def test_BUG804_all_first_choices_may_name_the_same_version(house: House) -> None:
    party = await game_of(house, 4)
    acts = [
        party.room.act(Seat(seat), Act(f"keep-{seat}", 0, KeepTickets(party.game.holdings[seat].offer)))
        for seat in range(4)
    ]
    assert sorted(await asyncio.gather(*acts)) == [1, 2, 3, 4]
    assert party.game.phase is Phase.TOKENS


async def test_nobody_acts_before_the_start(house: House) -> None:
    party = await lobby_of(house, 2)
    with pytest.raises(RefusedError) as error:
        await party.act(0, BLIND)
    assert code_of(error) is Code.NOT_STARTED


async def test_an_act_during_the_start_is_of_the_seat_its_player_gets(house: House) -> None:
    party = await lobby_of(house, 4)
    await party.room.change(lambda row: lobby.leave(row, party.people[1].id))
    start = asyncio.create_task(house.rooms.start(party.room, party.people[0]))
    await asyncio.sleep(0)
    act = asyncio.create_task(party.room.act(party.people[3].id, Act("early", 0, BLIND)))
    await start
    with pytest.raises(RefusedError) as refused:
        await act
    assert refused.value.code is Code.ILLEGAL_ACTION, "seat 2 has to choose tickets; there is no seat 3 any more"


async def test_a_refusal_is_not_inherited_with_a_seat(house: House) -> None:
    party = await lobby_of(house, 2)
    with pytest.raises(RefusedError):
        await party.room.act(party.people[1].id, Act("one", 0, BLIND))
    await party.room.change(lambda row: lobby.leave(row, party.people[1].id))
    newcomer = await new_player(house)
    await house.rooms.join(party.room, newcomer, "")
    await house.rooms.start(party.room, party.people[0])
    assert await party.room.act(newcomer.id, Act("one", 0, KeepTickets(party.game.holdings[1].offer))) == 1


async def test_one_without_a_seat_does_not_act(house: House) -> None:
    party = await game_of(house, 2)
    with pytest.raises(RefusedError) as refused:
        await party.room.act((await new_player(house)).id, Act("one", 0, BLIND))
    assert refused.value.code is Code.NOT_SEATED


async def test_nobody_acts_out_of_turn(house: House) -> None:
    party = await in_turns(house)
    with pytest.raises(RefusedError) as error:
        await party.act(1 - whose_turn(party), BLIND)
    assert code_of(error) is Code.NOT_YOUR_TURN


async def test_BUG1208_what_the_rules_refuse_is_refused_and_changes_nothing(house: House) -> None:
    party = await in_turns(house)
    before = party.game
    for action in (DrawCard(5), DrawCard(-1), DrawCard(10**30), ClaimRoute(RouteId("nowhere"), {}), KeepTickets(())):
        with pytest.raises(RefusedError) as error:
            await party.act(whose_turn(party), action)
        assert code_of(error) is Code.ILLEGAL_ACTION
    assert party.game is before


async def test_the_asker_has_the_answer_before_the_new_state(house: House) -> None:
    party = await in_turns(house)
    seat = whose_turn(party)
    listener = party.room.connect(party.people[seat].id)
    await waiting(listener)
    version = await party.act(seat, BLIND, "mine", listener)
    ack, room = map(json.loads, await waiting(listener))
    assert ack == {"type": "ack", "id": "mine", "version": version}
    assert (room["type"], room["view"]["version"]) == ("room", version)


async def test_BUG812_a_stale_act_is_answered_with_the_state_as_it_is(house: House) -> None:
    party = await in_turns(house)
    seat = whose_turn(party)
    listener = party.room.connect(party.people[seat].id)
    await party.room.act(seat, Act("one", party.room.version, BLIND))
    await waiting(listener)
    with pytest.raises(RefusedError):
        await party.room.act(seat, Act("two", party.room.version - 1, BLIND), listener)
    refused, room = map(json.loads, await waiting(listener))
    assert (refused["type"], refused["id"], refused["code"]) == ("refused", "two", "stale_version")
    assert refused["version"] == room["view"]["version"] == party.room.version


async def test_a_cancelled_request_is_carried_out_all_the_same(house: House) -> None:
    party = await in_turns(house)
    version = party.room.version
    request = asyncio.create_task(party.act(whose_turn(party), BLIND))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    request.cancel()
    await asyncio.gather(request, return_exceptions=True)
    await party.room.close()
    assert party.room.version == version + 1
    assert len(await house.store.load_moves(party.room.code)) == version + 1


Append = Callable[..., Awaitable[None]]


def failing(append: Append, *, after: bool) -> Append:
    """Says once that the database is away: before it has stored the move, or after."""
    failures = iter([True])

    async def fail_once(code: str, move: MoveRow, end: str | None) -> None:
        fails = next(failures, False)
        if after or not fails:
            await append(code, move, end)
        if fails:
            raise StoreUnavailableError("for a test")

    return fail_once


async def test_a_move_stored_in_spite_of_an_error_is_acknowledged(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await in_turns(house)
    version = party.room.version
    monkeypatch.setattr(house.store, "append_move", failing(house.store.append_move, after=True))
    assert await party.act(whose_turn(party), BLIND) == version + 1
    assert party.room.version == version + 1


async def test_a_move_that_was_not_stored_is_refused_and_may_come_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await in_turns(house)
    seat, act = whose_turn(party), Act("come-again", party.room.version, BLIND)
    monkeypatch.setattr(house.store, "append_move", failing(house.store.append_move, after=False))
    with pytest.raises(RefusedError) as error:
        await party.room.act(seat, act)
    assert code_of(error) is Code.UNAVAILABLE
    assert await party.room.act(seat, act) == act.version + 1


async def test_nothing_goes_on_from_an_unknown_outcome(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move was stored, the error came, and reading fails too: the next action has to read first."""
    party = await in_turns(house)
    seat, act = whose_turn(party), Act("unknown", party.room.version, BLIND)

    async def away(*_: Any) -> None:
        raise StoreUnavailableError("for a test")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append_move", failing(house.store.append_move, after=True))
        patch.setattr(house.store, "load_moves", away)
        with pytest.raises(RefusedError) as error:
            await party.room.act(seat, act)
        assert code_of(error) is Code.UNAVAILABLE
        assert party.room.replica.state > State.CURRENT
    assert await party.room.act(seat, act) == act.version + 1
    assert party.room.replica.state is State.CURRENT


async def test_a_move_stored_after_it_was_given_up_is_found_by_the_next_look(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database was too slow: the move was not there when it was looked for, and was committed a moment later."""
    party = await in_turns(house)
    version, append, begun = party.room.version, house.store.append_move, list[tuple[str, MoveRow, str | None]]()

    async def slow(*move: Any) -> None:
        begun.append(move)
        raise StoreUnavailableError("for a test")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append_move", slow)
        with pytest.raises(RefusedError) as error:
            await party.act(whose_turn(party), BLIND)
    assert code_of(error) is Code.UNAVAILABLE
    await append(*begun[0])
    house.rooms.heal()
    await party.room.close()
    assert party.room.version == version + 1
    assert party.room.replica.state is State.CURRENT


async def test_a_move_stored_in_spite_of_what_nobody_expects_is_found_by_the_next_look(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await in_turns(house)
    version, append = party.room.version, house.store.append_move

    async def broken(code: str, move: MoveRow, end: str | None) -> None:
        await append(code, move, end)
        raise LookupError("nobody expects this")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append_move", broken)
        with pytest.raises(LookupError):
            await party.act(whose_turn(party), BLIND)
    assert party.room.version == version
    house.rooms.heal()
    await party.room.close()
    assert party.room.version == version + 1


async def test_what_nobody_expects_is_answered_as_an_outage_is_and_played_when_it_is_sent_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await in_turns(house)
    seat, act = whose_turn(party), Act("broken", party.room.version, BLIND)
    listener = party.room.connect(party.people[seat].id)
    await waiting(listener)

    async def broken(*_: Any) -> None:
        raise LookupError("for a test")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append_move", broken)
        with pytest.raises(LookupError):
            await party.room.act(seat, act, listener)
    [answer] = map(json.loads, await waiting(listener))
    assert (answer["type"], answer["id"], answer["code"]) == ("refused", act.id, "unavailable")
    assert await party.room.act(seat, act) == act.version + 1


async def test_a_game_is_played_to_its_end_and_then_nobody_acts(house: House) -> None:
    party = await in_turns(house, 3)
    await party.play_until(lambda game: False)
    assert party.room.row.status == "over"
    assert party.room.row.ended_at is not None
    with pytest.raises(RefusedError, match="over"):
        await party.act(0, BLIND)
    stored = await house.store.read(queries.find_room, party.room.code)
    assert stored == party.room.row


async def test_an_own_move_and_that_of_another_tab_are_seen_in_both(house: House) -> None:
    """BUG912: two tabs of a player both live."""
    party = await in_turns(house)
    seat = whose_turn(party)
    tabs: list[Listener] = [party.room.connect(party.people[seat].id) for _ in range(2)]
    for number in range(2):
        actor = whose_turn(party)
        await party.act(actor, legal_actions(party.game, actor)[0], listener=tabs[number])
        for tab in tabs:
            assert json.loads((await waiting(tab))[-1])["view"]["version"] == party.room.version
