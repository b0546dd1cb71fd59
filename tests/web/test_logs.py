"""Log lines that strangers cause are limited."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.web import log_limits
from app.web.log_limits import OneAMinute, network
from harness.callers import PATIENCE
from harness.forked import ForkedSite
from tests.web.test_limits import Clock


@pytest.fixture(autouse=True)
def nobody() -> Iterator[None]:
    """No caller is noted before or after."""
    before = network.set(None)
    yield
    network.reset(before)


def line(event: str, name: str = "app.web.problems") -> logging.LogRecord:
    """A line as structlog hands it on."""
    return logging.LogRecord(name, logging.WARNING, "", 0, {"event": event}, None, None)


def test_one_line_a_minute_of_a_kind_and_network_with_the_number_left_out() -> None:
    clock = Clock()
    sparing = OneAMinute(clock)
    network.set("203.0.113.7")
    assert [bool(sparing.filter(line("store_unavailable"))) for _ in range(5)] == [True, *[False] * 4]
    assert sparing.filter(line("room_made")), "another kind"
    network.set("203.0.113.8")
    assert sparing.filter(line("store_unavailable")), "another network"
    network.set("203.0.113.7")
    clock.now += log_limits.PAUSE
    later = line("store_unavailable")
    assert sparing.filter(later)
    assert later.msg == {"event": "store_unavailable", "left_out": 4}


def test_what_nobody_outside_causes_is_always_logged() -> None:
    sparing = OneAMinute(Clock())
    assert all(sparing.filter(line("rooms_removed", "app.rooms.upkeep")) for _ in range(100))


def test_everything_that_is_damaged_is_logged_whoever_comes_upon_it() -> None:
    """A report of damage is made once only: what was left out here would never be told."""
    sparing = OneAMinute(Clock())
    network.set("203.0.113.7")
    assert all(sparing.filter(line("data_damaged", "app.store.damage")) for _ in range(5))
    assert sparing.filter(line("database_damaged", "app.store.store"))


def test_lines_that_messages_on_the_bus_cause_are_limited() -> None:
    sparing = OneAMinute(Clock())
    assert [bool(sparing.filter(line("news_not_understood", "app.bus"))) for _ in range(5)] == [True, *[False] * 4]


def test_lines_of_the_server_itself_are_limited_without_a_network() -> None:
    sparing = OneAMinute(Clock())
    lines = [logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, "Invalid", None, None) for _ in range(5)]
    assert [bool(sparing.filter(each)) for each in lines] == [True, *[False] * 4]


def test_many_networks_fill_neither_memory_nor_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_limits, "MOST_KINDS", 100)
    sparing = OneAMinute(Clock())
    told = 0
    for number in range(10_000):
        network.set(f"10.0.{number >> 8}.{number & 255}")
        told += bool(sparing.filter(line("store_unavailable")))
    assert told <= 101
    assert len(sparing._kept) <= 101


NONSENSE = b"\x00nonsense\r\n\r\n"
OTHER_PROTOCOLS = b"".join(
    b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: %b\r\nUpgrade: %b\r\n\r\n" % each
    for each in ((b"Upgrade", b"h2c"), (b"Upgrade, HTTP2-Settings", b"TLS/1.0, x"), (b"Upgrade, close", b"x"))
)


@pytest.mark.parametrize(("sent", "statuses"), [(NONSENSE, [400]), (OTHER_PROTOCOLS, [200, 200, 200])])
async def test_a_stranger_who_sends_nonsense_fills_no_log(tmp_path: Path, sent: bytes, statuses: list[int]) -> None:
    site = ForkedSite(tmp_path, rate_limits="on")
    try:
        before = site.log
        for _ in range(100):
            reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
            writer.write(sent)
            async with asyncio.timeout(PATIENCE):
                answers = await reader.read()
            writer.close()
            assert [int(each[:3]) for each in answers.split(b"HTTP/1.1 ")[1:]] == statuses
        assert site.log == before
    finally:
        site.stop()
