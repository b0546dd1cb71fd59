"""What waits to be sent to a listener, and the limits of it."""

import json

import pytest

from app.rooms import OutboxClosedError
from app.rooms.outbox import MOST_EVENTS, MOST_HELD, Outbox, Update
from harness.live_rooms import next_text


def update(version: int, *events: str) -> Update:
    """A state with events."""
    view = json.dumps({"version": version}).encode()
    return Update(b"{}", None, view, tuple(json.dumps(event).encode() for event in events))


async def test_the_latest_state_wins_and_carries_the_events_of_those_skipped() -> None:
    outbox = Outbox()
    for version in range(1, 4):
        outbox.show(update(version, f"first of {version}", f"second of {version}"))
    message = json.loads(await next_text(outbox))
    assert message["view"] == {"version": 3}
    assert message["events"] == [f"{place} of {version}" for version in range(1, 4) for place in ("first", "second")]


async def test_one_state_is_one_text_for_all_who_see_the_same() -> None:
    boxes, shared = [Outbox(), Outbox()], update(1, "event")
    for outbox in boxes:
        outbox.show(shared)
    first, second = [await next_text(outbox) for outbox in boxes]
    assert first is second


async def test_answers_come_first_and_all_of_them() -> None:
    outbox = Outbox()
    outbox.show(update(1))
    for number in range(3):
        outbox.answer(f"answer {number}".encode())
    outbox.show(update(2))
    *answers, state = outbox.take()
    assert answers == [b"answer 0", b"answer 1", b"answer 2"]
    assert json.loads(state)["view"] == {"version": 2}


async def test_the_oldest_events_go_when_there_are_too_many() -> None:
    outbox = Outbox()
    for version in range(2000):
        outbox.show(update(version, f"{version:04} " + "x" * 95))
    text = await next_text(outbox)
    events = json.loads(text)["events"]
    assert len(text) < MOST_EVENTS + 10_000
    assert events[-1].startswith("1999")
    assert [event[:4] for event in events] == [f"{number:04}" for number in range(2000 - len(events), 2000)]


async def test_who_asks_without_reading_is_sent_away() -> None:
    outbox, held = Outbox(), 0
    while held < MOST_HELD:
        outbox.answer(b"x" * 1000)
        held += 1000
    with pytest.raises(OutboxClosedError, match="too slow"):
        await next_text(outbox)
