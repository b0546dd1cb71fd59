"""The chat: stored, sent once, separate for players and spectators, and never delaying a move."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from app.rooms import Listener, Room, lobby
from app.rooms.chat import RECENT
from app.rooms.outbox import MOST_HELD, MOST_TALK
from app.rules import Phase
from app.store import PlayerRow, StoreUnavailableError, queries, talk
from app.wire import Say
from harness.live_rooms import House, game_of, lobby_of, new_player, open_house, waiting
from harness.queries import replace_query

Json = dict[str, Any]

_numbers = count(1)


def follow(room: Room, player: PlayerRow) -> Listener:
    """Follow a room as this player."""
    return room.connect(player.id, player.name)


async def say(room: Room, speaker: Listener, text: str, message_id: str = "") -> None:
    """Say something, and wait until nothing is under way."""
    room.chat.say(speaker, Say(message_id or f"message-{next(_numbers)}", text))
    await room.close()


async def heard(listener: Listener, kind: str) -> list[Json]:
    """The messages of a kind that wait for a listener; the others are passed over."""
    return [message for message in map(json.loads, await waiting(listener)) if message["type"] == kind]


async def texts(listener: Listener) -> list[str]:
    """The words that a listener hears."""
    return [line["text"] for line in await heard(listener, "said")]


async def test_what_a_player_says_everybody_hears_and_the_speaker_has_an_answer(house: House) -> None:
    party = await game_of(house, 2)
    ann, ben = follow(party.room, party.people[0]), follow(party.room, party.people[1])
    watcher = party.room.connect(None)
    await waiting(ann)
    await say(party.room, ann, "Good evening", "m1")
    answer, said = map(json.loads, await waiting(ann))
    assert answer == {"id": "m1", "talk": "players", "number": 1, "type": "spoken"}
    assert {**said, "at": None} == {
        "number": 1,
        "at": None,
        "talk": "players",
        "seat": 0,
        "player": party.people[0].id,
        "name": "Player 0",
        "phrase": None,
        "text": "Good evening",
        "type": "said",
    }
    assert await texts(ben) == await texts(watcher) == ["Good evening"]


async def test_spectators_talk_apart(house: House) -> None:
    party = await game_of(house, 2)
    cal = await new_player(house, "Cal")
    player, spectator = follow(party.room, party.people[0]), follow(party.room, cal)
    await say(party.room, spectator, "Which way?")
    await say(party.room, player, "This way")
    lines = await heard(player, "said")
    assert [(line["talk"], line["number"], line["seat"], line["name"]) for line in lines] == [
        ("spectators", 1, None, "Cal"),
        ("players", 1, 0, "Player 0"),
    ]


async def test_a_phrase_is_told_by_its_id(house: House) -> None:
    party = await game_of(house, 2)
    ann = follow(party.room, party.people[0])
    party.room.chat.say(ann, Say("m1", phrase="hello"))
    await party.room.close()
    [line] = await heard(ann, "said")
    assert (line["phrase"], line["text"]) == ("hello", None)


async def test_the_same_message_again_has_the_same_answer_and_is_said_once(house: House) -> None:
    party = await game_of(house, 2)
    ann, ben = follow(party.room, party.people[0]), follow(party.room, party.people[1])
    for _ in range(2):
        party.room.chat.say(ann, Say("m1", "Hello"))
    await party.room.close()
    await say(party.room, ann, "Something else", "m1")
    assert [answer["number"] for answer in await heard(ann, "spoken")] == [1, 1, 1]
    assert await texts(ben) == ["Hello"]


async def test_two_may_use_the_same_id(house: House) -> None:
    party = await game_of(house, 2)
    ann, ben = follow(party.room, party.people[0]), follow(party.room, party.people[1])
    await say(party.room, ann, "One", "m1")
    await say(party.room, ben, "Two", "m1")
    assert await texts(ann) == ["One", "Two"]


async def test_who_comes_is_told_the_recent_lines_after_the_room(house: House) -> None:
    party = await game_of(house, 2)
    ann = follow(party.room, party.people[0])
    for number in range(RECENT + 3):
        await say(party.room, ann, f"Line {number}")
    room, talk = map(json.loads, await waiting(party.room.connect(None)))
    assert (room["type"], talk["type"]) == ("room", "talk")
    assert [line["text"] for line in talk["said"]] == [f"Line {number}" for number in range(3, RECENT + 3)]


async def test_long_lines_are_left_out_of_what_is_told_together(house: House) -> None:
    party = await game_of(house, 2)
    ann = follow(party.room, party.people[0])
    for number in range(RECENT):
        await say(party.room, ann, f"{number:03}" + "\u00e9" * 1200)
    _, talk = await waiting(party.room.connect(None))
    assert len(talk) < MOST_TALK
    assert json.loads(talk)["said"][-1]["text"].startswith(f"{RECENT - 1:03}")


async def test_lines_outlive_the_process_and_their_speaker_is_still_known(house: House, tmp_path: Path) -> None:
    party = await game_of(house, 2)
    await say(party.room, follow(party.room, party.people[1]), "Still here", "m1")
    async with open_house(tmp_path) as again:
        room = await again.rooms.find(party.room.code)
        [line] = (await heard(room.connect(None), "talk"))[0]["said"]
        assert (line["text"], line["seat"]) == ("Still here", 1)
        ben = follow(room, party.people[1])
        await waiting(ben)
        await say(room, ben, "Still here", "m1")
        assert (await heard(ben, "spoken"))[0]["number"] == 1


async def test_the_start_moves_what_was_said_to_the_new_seats(house: House) -> None:
    party = await lobby_of(house, 3)
    cal = follow(party.room, party.people[2])
    await say(party.room, cal, "I am third")
    await party.room.change(lambda row: lobby.leave(row, party.people[1].id))
    await waiting(cal)
    await house.rooms.start(party.room, party.people[0])
    [talk] = await heard(cal, "talk")
    assert [line["seat"] for line in talk["said"]] == [1]


async def test_what_is_said_at_one_process_is_heard_at_the_other(houses: list[House]) -> None:
    party = await game_of(houses[0], 2)
    there = await houses[1].rooms.find(party.room.code)
    ann, ben = follow(party.room, party.people[0]), follow(there, party.people[1])
    await say(party.room, ann, "Here")
    await there.close()
    await say(there, ben, "There")
    await party.room.close()
    assert await texts(ann) == await texts(ben) == ["Here", "There"]


async def test_both_processes_at_once_number_their_lines_and_nobody_misses_one(houses: list[House]) -> None:
    party = await game_of(houses[0], 2)
    there = await houses[1].rooms.find(party.room.code)
    ann, ben = follow(party.room, party.people[0]), follow(there, party.people[1])
    for number in range(5):
        party.room.chat.say(ann, Say(f"a{number}", f"Ann {number}"))
        there.chat.say(ben, Say(f"b{number}", f"Ben {number}"))
    await asyncio.gather(party.room.close(), there.close())
    for _ in range(2):
        party.room.read_again()
        there.read_again()
        await asyncio.gather(party.room.close(), there.close())
    told = [await heard(listener, "said") for listener in (ann, ben)]
    assert [line["number"] for line in told[0]] == list(range(1, 11))
    assert told[0] == told[1]


async def test_talk_is_in_no_record_and_no_move(house: House) -> None:
    party = await game_of(house, 2)
    ann = follow(party.room, party.people[0])
    await say(party.room, ann, "a-word-of-mine")
    await party.play_until(lambda game: False)
    record = await house.rooms.record(party.room)
    assert "a-word-of-mine" not in repr(record)
    assert all("a-word-of-mine" not in repr(move) for move in await house.store.load_moves(party.room.code))


async def test_a_move_is_played_while_the_talk_waits_for_the_database(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await game_of(house, 2)
    await party.play_until(lambda game: game.phase is Phase.TURN)
    ann, go_on = follow(party.room, party.people[0]), asyncio.Event()

    async def tarry(store: Callable[..., Awaitable[Any]], *line: Any) -> Any:
        await go_on.wait()
        return await store(*line)

    replace_query(monkeypatch, talk.say, tarry)
    party.room.chat.say(ann, Say("m1", "Slowly"))
    before = party.room.version
    await party.play_until(lambda game: game.version > before)
    assert await texts(ann) == []
    go_on.set()
    await party.room.close()
    assert await texts(ann) == ["Slowly"]


async def test_a_line_that_could_not_be_stored_is_refused_and_can_be_said_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await game_of(house, 2)
    ann = follow(party.room, party.people[0])

    async def fail(*_arguments: Any) -> Any:
        raise StoreUnavailableError("away")

    with monkeypatch.context() as patch:
        replace_query(patch, talk.say, fail)
        await say(party.room, ann, "Hello", "m1")
    [refusal] = await heard(ann, "refused")
    assert (refusal["id"], refusal["code"]) == ("m1", "unavailable")
    await say(party.room, ann, "Hello", "m1")
    assert await texts(ann) == ["Hello"]


async def test_a_listener_that_stops_reading_holds_little_talk_and_keeps_its_answers(house: House) -> None:
    party = await game_of(house, 2)
    ann, sleeper = follow(party.room, party.people[0]), party.room.connect(None)
    for number in range(60):
        await say(party.room, ann, f"{number:03}" + "\u20ac" * 1000)
        await waiting(ann)
    assert sleeper.outbox.held <= MOST_TALK < MOST_HELD
    lines = await texts(sleeper)
    assert lines[-1].startswith("059")


async def test_the_talk_of_a_removed_room_goes_with_it(house: House) -> None:
    party = await game_of(house, 2)
    ann = follow(party.room, party.people[0])
    await say(party.room, ann, "Hello")
    await house.store.write(queries.delete_room, party.room.code)
    assert await house.store.read_list(talk.load_messages, party.room.code, "players", 0, 10) == []
    await say(party.room, ann, "Anybody?")
    assert [refusal["code"] for refusal in await heard(ann, "refused")] == ["unknown_room"]
