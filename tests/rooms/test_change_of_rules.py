"""A server with other rules: games that were begun by the old ones go on from the position these have left."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import NoReturn

import pytest

from app.cli import records
from app.cli.records import DisagreesError, findings
from app.rooms import Code, RefusedError, replica
from app.rooms import positions as positions_kept
from app.rules import RULES_VERSION, Game, Phase, Seat, deal, legal_actions, play, resumed, snapshot
from app.store import SnapshotRow, Store, StoreUnavailableError, open_store, snapshots
from app.wire import dump, dump_snapshot, parse_record, parse_snapshot
from harness.live_rooms import House, Party, all_views, game_of, house_on, lobby_of
from harness.positions import SAN_FRANCISCO
from harness.queries import replace_query

NEW = RULES_VERSION + 1
AT_ONCE = timedelta(seconds=-1)


@pytest.fixture
async def store(address: str) -> AsyncGenerator[Store]:
    async with open_store(address) as store:
        yield store


@pytest.fixture
def other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules by which no old game could be dealt again."""

    def deal_otherwise(*_: object) -> NoReturn:
        raise AssertionError("the old deal means nothing here")

    monkeypatch.setattr(replica, "deal_with_events", deal_otherwise)
    monkeypatch.setattr(records, "RULES_VERSION", NEW)


async def upgraded(parties: Sequence[Party], store: Store) -> House:
    """A server with the new rules, after the old one has stopped in good order."""
    await parties[0].house.rooms.close()
    return house_on(store, rules=NEW)


async def found_in(house: House, party: Party) -> Party:
    return Party(house, await house.rooms.find(party.room.code), party.people)


def is_in(phase: Phase, game: Game) -> bool:
    return game.phase is phase


def positions(rng: Random) -> list[Game]:
    """Every position of a game."""
    game = deal(SAN_FRANCISCO, rng.randint(2, 4), rng.randbytes(32))
    found = [game]
    while game.to_act:
        seat = game.to_act[-1]
        game, _ = play(game, seat, rng.choice(legal_actions(game, seat)))
        found.append(game)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_snapshot_holds_all_of_a_position(seed: int) -> None:
    for game in positions(Random(seed)):
        again = resumed(SAN_FRANCISCO, game.seed, parse_snapshot(dump_snapshot(snapshot(game))))
        assert again == game
        for seat in map(Seat, range(game.seats)):
            assert list(legal_actions(again, seat)) == list(legal_actions(game, seat))


async def test_BUG1012_games_in_every_phase_go_on_to_a_record_that_is_true(
    store: Store, request: pytest.FixtureRequest
) -> None:
    old = house_on(store)
    parties = [await game_of(old, 2 + number % 3) for number, _ in enumerate(Phase)]
    for party, phase in zip(parties, Phase, strict=True):
        await party.play_until(partial(is_in, phase))
    house = await upgraded(parties, store)
    request.getfixturevalue("other_rules")
    for before in parties:
        party = await found_in(house, before)
        assert party.game == before.game
        assert all_views(party) == all_views(before)
        await party.play_until(lambda _: False)
        record = parse_record(dump(await house.rooms.record(party.room)))
        assert record.rules_version == NEW
        assert record.resumed is not None
        assert record.resumed.rules_version == RULES_VERSION
        assert len(record.moves) == party.game.version
        assert list(findings(record))


async def test_what_was_answered_before_the_change_is_answered_after_it(store: Store) -> None:
    party = await game_of(house_on(store), 2)
    seat = party.game.to_act[0]
    action = legal_actions(party.game, seat)[0]
    assert await party.act(seat, action, "asked-twice") == 1
    party = await found_in(await upgraded([party], store), party)
    assert await party.act(seat, action, "asked-twice") == 1
    assert party.game.version == 1


async def test_a_game_outlives_two_changes(store: Store) -> None:
    party = await game_of(house_on(store), 2)
    for rules in (NEW, NEW + 1):
        await party.play_moves(10, Random(rules))
        await party.house.rooms.close()
        party = await found_in(house_on(store, rules=rules), party)
    await party.play_until(lambda _: False)
    assert party.room.row.status == "over"
    assert party.room.row.rules_version == RULES_VERSION


async def test_a_table_that_waits_is_dealt_by_the_new_rules(store: Store) -> None:
    party = await lobby_of(house_on(store), 2)
    party = await found_in(await upgraded([party], store), party)
    await party.house.rooms.start(party.room, party.people[0])
    assert party.room.row.rules_version == NEW
    assert party.room.replica.base is None


async def test_positions_are_kept_when_games_come_to_rest(store: Store) -> None:
    """So that they are there though the server was killed, and for games that nobody has asked for since its start."""
    party = await game_of(house_on(store), 2)
    await party.play_until(lambda game: game.version == 7)
    later = house_on(store)
    await later.upkeep.keep_positions(timedelta(hours=1))
    assert await kept_at(store, party) == 0
    await later.upkeep.keep_positions(AT_ONCE)
    assert await kept_at(store, party) == 7
    assert await to_keep(store, party) == []
    assert (await found_in(house_on(store, rules=NEW), party)).game == party.game


async def test_a_position_is_kept_each_time_its_game_comes_to_rest(store: Store) -> None:
    party = await game_of(house_on(store), 2)
    for moves in (7, 9):
        await party.play_moves(moves - party.room.version, Random(1))
        for _ in range(2):
            await party.house.upkeep.keep_positions(AT_ONCE)
        assert await kept_at(store, party) == moves


async def to_keep(store: Store, party: Party, rules: int = RULES_VERSION, ended: timedelta = timedelta()) -> list[str]:
    """The games that are looked at an hour after it was made; of the finished ones those that ended since then."""
    made = party.room.row.created_at
    return await store.read(snapshots.rooms_to_keep, rules, made + timedelta(hours=1), made + ended, 10)


async def test_of_games_that_ended_long_ago_those_are_looked_at_that_were_never_kept(store: Store) -> None:
    party = await game_of(house_on(store), 2)
    await party.play_until(lambda _: False)
    made = party.room.row.created_at
    assert await to_keep(store, party) == [party.room.code]
    assert await to_keep(store, party, ended=timedelta(days=1)) == []
    assert await store.read(snapshots.rooms_never_kept, RULES_VERSION, made + timedelta(hours=1), 10) == []
    assert await store.read(snapshots.rooms_never_kept, NEW, made + timedelta(hours=1), 10) == [party.room.code]
    assert await store.read(snapshots.rooms_never_kept, NEW, made - timedelta(hours=1), 10) == []


async def test_all_rooms_are_looked_at_until_none_is_left_that_was_never_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that goes on meanwhile, or begins, is one of the latest."""
    party = await game_of(house_on(store), 2)
    await party.play_until(lambda _: False)
    looks: list[int] = []

    async def noted(never_kept: Callable[..., Awaitable[list[str]]], rules: int, *others: object) -> list[str]:
        looks.append(rules)
        return await never_kept(rules, *others)

    replace_query(monkeypatch, snapshots.rooms_never_kept, noted)
    monkeypatch.setattr(positions_kept, "LATELY", timedelta(days=-1))
    later = house_on(store, rules=NEW)
    for _ in range(4):
        await later.upkeep.keep_positions(AT_ONCE)
    assert looks == [NEW, NEW]
    assert await store.read(snapshots.rooms_never_kept, NEW, datetime.now(UTC), 10) == []


async def kept_at(store: Store, party: Party) -> int:
    """The version of the position that the rules of now have kept for others."""
    kept = await store.read(snapshots.find_snapshot, party.room.code, NEW)
    assert kept is not None
    assert kept.rules_version == RULES_VERSION
    return kept.number


async def test_a_game_killed_in_its_first_minute_goes_on(store: Store, request: pytest.FixtureRequest) -> None:
    """From its first position: the moves since are played by the new rules."""
    party = await game_of(house_on(store), 3)
    await party.play_moves(4, Random(1))
    request.getfixturevalue("other_rules")
    again = await found_in(house_on(store, rules=NEW), party)
    assert again.game == party.game
    await again.play_until(lambda _: False)


async def test_an_older_snapshot_does_not_take_the_place_of_a_newer(store: Store) -> None:
    party = await game_of(house_on(store), 2)
    ahead = await found_in(house_on(store), party)
    await ahead.play_until(lambda game: game.version == 5)
    await ahead.house.rooms.close()
    await party.house.rooms.close()
    assert await kept_at(store, party) == 5


async def test_older_rules_refuse_a_game_of_newer_ones(store: Store) -> None:
    party = await game_of(house_on(store), 2)
    await party.house.rooms.close()
    await check_refused(house_on(store, rules=RULES_VERSION - 1), party)


async def test_a_game_of_which_no_position_was_kept_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was killed while it began, or is older than positions are kept."""

    async def fail(*_: object) -> NoReturn:
        raise StoreUnavailableError("killed")

    replace_query(monkeypatch, snapshots.keep_snapshots, fail)
    await check_refused(house_on(store, rules=NEW), await game_of(house_on(store), 2))


async def check_refused(house: House, party: Party) -> None:
    with pytest.raises(RefusedError) as refused:
        await house.rooms.find(party.room.code)
    assert refused.value.code is Code.UNAVAILABLE


async def test_a_position_that_can_not_be_read_is_refused_and_not_quoted(store: Store) -> None:
    party = await game_of(house_on(store), 2)
    await store.write(
        snapshots.keep_snapshots, [SnapshotRow(party.room.code, RULES_VERSION, 1, '{"deck": ["secret"]}')]
    )
    with pytest.raises(RefusedError) as refused:
        await house_on(store, rules=NEW).rooms.find(party.room.code)
    assert refused.value.code is Code.UNAVAILABLE
    assert "secret" not in f"{refused.value} {refused.value.__cause__}"


async def test_a_record_that_went_on_from_elsewhere_differs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves after the change are played again from the position that is told."""
    monkeypatch.setattr(records, "RULES_VERSION", NEW)
    party = await game_of(house_on(store), 2)
    await party.play_until(lambda game: game.version == 9)
    party = await found_in(await upgraded([party], store), party)
    await party.play_until(lambda _: False)
    record = parse_record(dump(await party.house.rooms.record(party.room)))
    assert list(findings(record))
    assert record.resumed is not None
    other = replace(record.resumed.position, deck=record.resumed.position.deck[::-1])
    with pytest.raises(DisagreesError):
        list(findings(replace(record, resumed=replace(record.resumed, position=other))))
