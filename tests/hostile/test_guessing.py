"""Guessing codes of rooms: many at once, with and without a name, and beside people who play."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path

import pytest
from httpx import AsyncClient, Response

from app.web.limits import WRONG_CODE
from harness.callers import PATIENCE, follow, new_caller, started
from harness.forked import ForkedSite

TRIES = 200
NONE = "ZZZZZZZZ"
"""A code of no room."""

Tell = Callable[[str], None]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ForkedSite]:
    """A server in a process of its own, with its limits on."""
    site = ForkedSite(tmp_path, rate_limits="on")
    yield site
    site.stop()


@pytest.fixture
async def client(site: ForkedSite) -> AsyncGenerator[AsyncClient]:
    async with AsyncClient(base_url=site.address, timeout=PATIENCE) as opened:
        yield opened


async def try_codes(
    site: ForkedSite, path: str = "/api/v1/rooms/{}", headers: dict[str, str] | None = None, last: str = NONE
) -> Counter[int]:
    """Many codes of no room and a last one, which the server finds waiting all at once; the statuses of its answers."""
    codes = [*(f"{number:08}" for number in range(TRIES - 1)), last]
    lines = await asyncio.gather(*(asyncio.open_connection("127.0.0.1", site.port) for _ in codes))
    told = "".join(f"{name}: {value}\r\n" for name, value in {"Host": "localhost", **(headers or {})}.items())
    with site.hanging():
        for code, (_, writer) in zip(codes, lines, strict=True):
            writer.write(f"GET {path.format(code)} HTTP/1.1\r\n{told}\r\n".encode())
            await writer.drain()
    found = Counter([int((await reader.readline()).split()[1]) for reader, _ in lines])
    for _, writer in lines:
        writer.close()
    return found


def shown(answer: Response, code: str) -> tuple[object, ...]:
    """All that a refusal tells, but for the time, the seconds left to wait, and what was asked for."""
    headers = {name: value for name, value in answer.headers.items() if name not in ("date", "retry-after")}
    return answer.status_code, headers, answer.text.replace(code, "CODE")


async def refusal(client: AsyncClient, path: str, headers: dict[str, str]) -> tuple[Response, float]:
    """What one hears whose address has used its tries up, and after how long. One comes back every five seconds."""
    loop = asyncio.get_running_loop()
    while True:
        while (await client.get("/api/v1/rooms/00000000")).status_code != 429:
            pass
        start = loop.time()
        answer = await client.get(path, headers=headers)
        if answer.status_code not in (200, 404):
            return answer, loop.time() - start


@pytest.mark.parametrize("path", ["/api/v1/rooms/{}", "/t/{}", "/api/v1/rooms/{}/view"])
async def test_of_many_codes_tried_at_once_few_are_looked_up(
    site: ForkedSite, client: AsyncClient, path: str, tell: Tell
) -> None:
    """The last one, for which nothing is left, is not found, though there is such a room."""
    code, _ = await started(client, 2)
    told = await try_codes(site, path, last=code)
    tell(f"{TRIES} codes at once, the last of a room, {path}: {dict(told)}")
    assert told.keys() == {404, 429}
    assert WRONG_CODE.burst <= told[404] <= WRONG_CODE.burst + 20, "the budget, and what has come back meanwhile"


async def test_who_plays_is_not_shut_out_by_one_who_tries_codes_at_the_same_address(
    site: ForkedSite, client: AsyncClient
) -> None:
    code, players = await started(client, 2)
    await try_codes(site)
    for player in players:
        assert (await player.get(f"{code}/view")).status_code == 200
        assert (await player.get(code)).status_code == 200
        page = await client.get(f"/t/{code}", headers=player.headers)
        assert page.status_code == 200
        act = {"id": "one", "version": 0, "action": {"type": "pass"}}
        assert (await player.post(f"{code}/act", act)).status_code in (409, 422)
        async with follow(client, code, player) as socket:
            assert await socket.recv()


async def test_a_seat_elsewhere_opens_no_other_room(site: ForkedSite, client: AsyncClient) -> None:
    code, _ = await started(client, 2)
    own, (attacker, _) = await started(client, 2)
    assert (await try_codes(site, headers=attacker.headers))[404] <= WRONG_CODE.burst + 20
    assert (await attacker.get(own)).status_code == 200
    assert (await attacker.get(code)).status_code == 429
    assert (await try_codes(site, headers=attacker.headers, last=code)).keys() <= {404, 429}


async def test_refusals_do_not_tell_whether_there_is_a_room(site: ForkedSite, client: AsyncClient) -> None:
    code, _ = await started(client, 2)
    stranger = await new_caller(client)
    await try_codes(site)
    for headers in ({}, stranger.headers, {"Authorization": "Bearer nobody's"}):
        for path in ("/api/v1/rooms/{}", "/api/v1/rooms/{}/view", "/api/v1/rooms/{}/record", "/t/{}"):
            answers = {each: await refusal(client, path.format(each), headers) for each in (code, NONE)}
            real, none = [shown(answer, each) for each, (answer, _) in answers.items()]
            assert real == none
            assert real[0] in (401, 429)


@pytest.mark.slow
async def test_refusals_take_as_long_with_a_room_as_without(site: ForkedSite, client: AsyncClient, tell: Tell) -> None:
    """Measured in turns, for a player with no seat there: the middle of each."""
    code, _ = await started(client, 2)
    stranger = await new_caller(client)
    await try_codes(site)
    times: dict[str, list[float]] = {code: [], NONE: []}
    for number in range(150):
        for each in (code, NONE) if number % 2 else (NONE, code):
            times[each].append((await refusal(client, f"/api/v1/rooms/{each}", stranger.headers))[1])
    real, none = [sorted(each)[len(each) // 2] for each in times.values()]
    tell(f"a refusal takes {real * 1e3:.2f} ms with a room and {none * 1e3:.2f} ms without")
    assert real == pytest.approx(none, rel=0.25)
