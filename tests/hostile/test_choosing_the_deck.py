"""A dishonest host draws the server's part of the seed until seat 0 gets two ferries."""

from pathlib import Path
from random import Random

import pytest
from httpx import AsyncClient

from app.boards import load_board
from app.rooms import lobby
from app.rules import deal
from app.rules.shuffle import all_nonces, commitment, mix_seed
from app.wire import NewRoom
from harness.callers import open_client, seated, settings_in
from harness.live_rooms import House, new_player, open_house

TABLES = 30
BOARD = load_board("san-francisco")


def is_rigged(seed: bytes) -> bool:
    return deal(BOARD, 2, seed).hands[0][-1] == 2


async def dealt_by_a_dishonest_server(house: House, number: int, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The seed of a game of one player and a bot, whose server chose its part by all that it had been told by then."""
    chance, told, later = Random(number), f"told {number}", f"given later {number}"

    def choose(size: int) -> bytes:
        expected = ([told, ""], all_nonces(["", None], 2), all_nonces([told, None], 2))[number % 3]
        while not is_rigged(mix_seed(part := chance.randbytes(size), expected)):
            pass
        return part

    monkeypatch.setattr("app.rooms.rooms.secrets.token_bytes", choose)
    host = await new_player(house)
    row = await house.rooms.create(host, NewRoom(2, nonce=told))
    room = await house.rooms.find(row.code)
    await house.rooms.join(room, host, later)
    await room.change(lambda row: lobby.add_bot(row, host.id, "easy"))
    await house.rooms.start(room, host)
    assert room.row.seed is not None
    return room.row.seed


async def test_a_server_that_draws_again_and_again_gets_no_other_decks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two ferries come to seat 0 in 3 of 100 games. A server that expects the right nonces has them in each."""
    async with open_house(tmp_path) as house:
        seeds = [await dealt_by_a_dishonest_server(house, number, monkeypatch) for number in range(TABLES)]
    assert sum(map(is_rigged, seeds)) < TABLES / 4


async def test_the_part_of_the_server_is_fixed_and_told_before_any_nonce(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path)) as client:
        code, (host, guest) = await seated(client, 2, seats=4, nonce="too early")
        promised = await commitment_of(client, code)
        for caller, seat in ((host, 0), (guest, 1)):
            assert (await caller.post(f"{code}/join")).json() == {"seat": seat, "nonce": ""}
            await caller.post(f"{code}/join", {"nonce": f"of seat {seat}"})
        await host.post(f"{code}/bots", {"level": "easy"})
        await guest.post(f"{code}/leave")
        await guest.post(f"{code}/join", {"nonce": "once more"})
        await host.post(f"{code}/bots", {"level": "easy"})
        await host.delete(f"{code}/seats/2")
        assert await commitment_of(client, code) == promised
        await host.post(f"{code}/start")
        assert await commitment_of(client, code) == promised
    async with open_house(tmp_path) as house:
        row = (await house.rooms.find(code)).row
    nonces = all_nonces(["of seat 0", "once more", None], 2)
    assert [seat.nonce for seat in row.seats] == nonces
    assert commitment(row.server_seed) == promised
    assert row.seed == mix_seed(row.server_seed, nonces)


async def commitment_of(client: AsyncClient, code: str) -> str:
    told: str = (await client.get(f"/api/v1/rooms/{code}")).json()["commitment"]
    return told
