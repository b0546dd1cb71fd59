"""Several processes think at the same time, and one that is stuck holds up nobody else."""

import asyncio
import os
import signal
from random import Random

import pytest

from app.bots import choose
from app.bots.clock import SECONDS, Clock
from app.bots.pool import ThinkerPool, seconds_each
from app.bots.thinker import Thinker, ThinkerError
from app.rules import Action, deal, legal_actions, view
from harness.positions import P1, SAN_FRANCISCO, position
from tests.bots.test_thinker import PATIENCE, runs

GAME = deal(SAN_FRANCISCO, 2, bytes(32))
SEAT = GAME.to_act[0]


async def think(pool: ThinkerPool, seed: int = 1) -> Action:
    return await pool.choose("easy", view(GAME, SEAT), seed)


async def test_only_as_many_processes_are_started_as_think_at_once() -> None:
    async with ThinkerPool(3, PATIENCE) as pool:
        assert pool.pids == []
        for _ in range(3):
            assert await think(pool) in legal_actions(GAME, SEAT)
        [first] = pool.pids
        await asyncio.gather(think(pool), think(pool))
        assert len(pool.pids) == 2
        assert first in pool.pids


async def test_never_more_processes_are_started_than_allowed() -> None:
    async with ThinkerPool(2, PATIENCE) as pool:
        answers = await asyncio.gather(*(think(pool, seed) for seed in range(8)))
        assert len(pool.pids) == 2
        assert answers == [await think(pool, seed) for seed in range(8)]


async def test_a_process_that_is_stuck_holds_up_one_thought_only() -> None:
    async with ThinkerPool(2, PATIENCE) as pool:
        await asyncio.gather(think(pool), think(pool))
        os.kill(pool.pids[0], signal.SIGSTOP)
        thoughts = {asyncio.create_task(think(pool)) for _ in range(5)}
        stuck = thoughts
        async with asyncio.timeout(PATIENCE):
            while len(stuck) > 1:
                _, stuck = await asyncio.wait(stuck, return_when=asyncio.FIRST_COMPLETED)
        [last] = stuck
        assert not last.done()
        os.kill(pool.pids[0], signal.SIGCONT)
        assert await last in legal_actions(GAME, SEAT)


async def test_closing_ends_every_process_and_thought() -> None:
    pool = ThinkerPool(2, PATIENCE)
    await asyncio.gather(think(pool), think(pool))
    pids = pool.pids
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    thoughts = [asyncio.create_task(think(pool)) for _ in range(3)]
    await asyncio.sleep(0)
    await pool.close()
    for thought in thoughts:
        with pytest.raises(ThinkerError):
            await thought
    assert not any(map(runs, pids))


def test_the_more_ask_the_less_each_thinks() -> None:
    """So that the last of 25 tables waits no longer than one alone would think, with one process or several."""
    assert seconds_each(1, 1) == seconds_each(3, 2) == SECONDS
    for processes in (1, 2, 4):
        assert 25 * seconds_each(processes, 25) / processes == pytest.approx(SECONDS)


async def test_a_bot_knows_how_long_it_may_think() -> None:
    """With no time it says what it has found at once."""
    game = position("R2 U2", board=SAN_FRANCISCO, tickets=["golden-gate-bridge--sunset"])
    seen = view(game, P1)
    async with Thinker(PATIENCE) as thinker:
        answer = await thinker.choose("hard", seen, 1, seconds=0)
    assert answer == choose("hard", seen, Random(1), Clock(seconds=0))
