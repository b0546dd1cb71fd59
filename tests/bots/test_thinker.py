"""Thinking in a process of its own: it answers as the bot does, is replaced when it fails, outlives nobody."""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from subprocess import PIPE
from time import monotonic, sleep

import pytest

from app.bots import choose
from app.bots.pipe import dump_question, load_question
from app.bots.thinker import Thinker, ThinkerError
from app.rules import deal, view
from harness.positions import P1, SAN_FRANCISCO, position

PATIENCE = 60.0
LEAST_PRIORITY = 19  # there is no lower one
ROOT = Path(__file__).parents[2]
VIEW = view(position("R2 U2", board=SAN_FRANCISCO, tickets=["golden-gate-bridge--sunset"]), P1)
OPENING = view(deal(SAN_FRANCISCO, 2, bytes(32)), P1)

linux = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")

SERVER = """
import asyncio
from app.bots.thinker import Thinker
from tests.bots.test_thinker import VIEW

async def main():
    async with Thinker(60) as thinker:
        await thinker.choose("easy", VIEW, 1)
        print(thinker.pid, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""

ENDLESS = """
import app.bots
from app.bots import worker

def think(level, view, rng, *others):
    print("thinking", flush=True)
    while True:
        pass

worker.choose = think
worker.main()
"""


def runs(pid: int) -> bool:
    """Whether there is such a process that is not a zombie."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def patient() -> Thinker:
    """A thinker that waits long: its process gives way to whatever the machine has to do."""
    return Thinker(PATIENCE)


def ends_soon(pid: int) -> bool:
    deadline = monotonic() + PATIENCE
    while runs(pid) and monotonic() < deadline:
        sleep(0.02)
    return not runs(pid)


async def test_answers_as_the_bot_does() -> None:
    async with patient() as thinker:
        for seed in range(5):
            assert await thinker.choose("easy", VIEW, seed) == choose("easy", VIEW, Random(seed))


async def test_no_process_is_started_before_a_bot_is_asked() -> None:
    async with patient() as thinker:
        assert thinker.pid is None
        await thinker.choose("easy", VIEW, 1)
        assert thinker.pid is not None


async def test_one_process_answers_all_that_ask_at_once() -> None:
    async with patient() as thinker:
        await thinker.choose("easy", VIEW, 1)
        pid = thinker.pid
        answers = await asyncio.gather(*(thinker.choose("easy", VIEW, seed) for seed in range(20)))
        assert answers == [choose("easy", VIEW, Random(seed)) for seed in range(20)]
        assert thinker.pid == pid


@linux
async def test_the_process_gives_way_to_the_server() -> None:
    async with patient() as thinker:
        await thinker.choose("easy", VIEW, 1)
        assert thinker.pid is not None
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, thinker.pid) == min(own + 10, LEAST_PRIORITY)


async def test_the_process_is_out_of_reach_of_an_interrupt_from_the_terminal() -> None:
    async with patient() as thinker:
        await thinker.choose("easy", VIEW, 1)
        assert thinker.pid is not None
        assert os.getpgid(thinker.pid) != os.getpgid(0)


async def test_the_loop_goes_on_while_a_bot_thinks() -> None:
    async with patient() as thinker:
        await thinker.choose("easy", VIEW, 1)
        assert thinker.pid is not None
        os.kill(thinker.pid, signal.SIGSTOP)
        thought = asyncio.create_task(thinker.choose("easy", VIEW, 2))
        await asyncio.sleep(0.05)
        assert not thought.done()
        os.kill(thinker.pid, signal.SIGCONT)
        assert await thought == choose("easy", VIEW, Random(2))


async def test_a_process_that_died_is_replaced() -> None:
    async with patient() as thinker:
        await thinker.choose("easy", VIEW, 1)
        dead = thinker.pid
        assert dead is not None
        os.kill(dead, signal.SIGKILL)
        assert await thinker.choose("easy", VIEW, 2) == choose("easy", VIEW, Random(2))
        assert thinker.pid != dead


async def test_a_process_that_dies_of_a_thought_is_asked_once_more() -> None:
    async with patient() as thinker:
        await thinker.choose("easy", VIEW, 1)
        assert thinker.pid is not None
        os.kill(thinker.pid, signal.SIGSTOP)
        thought = asyncio.create_task(thinker.choose("easy", VIEW, 2))
        await asyncio.sleep(0.05)
        os.kill(thinker.pid, signal.SIGKILL)
        assert await thought == choose("easy", VIEW, Random(2))


async def test_a_bot_that_raises_an_error_is_one_and_its_process_answers_the_next(
    capfd: pytest.CaptureFixture[str],
) -> None:
    nobody = view(position(board=SAN_FRANCISCO), None)
    async with patient() as thinker:
        with pytest.raises(ThinkerError, match="failed: ValueError"):
            await thinker.choose("easy", nobody, 1)
        pid = thinker.pid
        assert capfd.readouterr().err.count("ValueError: This view") == 1
        assert await thinker.choose("easy", VIEW, 1) == choose("easy", VIEW, Random(1))
        assert thinker.pid == pid


async def test_a_thought_that_takes_too_long_is_an_error_and_its_process_is_replaced() -> None:
    async with patient() as thinker:
        await thinker.choose("easy", VIEW, 1)
        stuck = thinker.pid
        assert stuck is not None
        os.kill(stuck, signal.SIGSTOP)
        thinker.limit = 0.2
        with pytest.raises(ThinkerError, match=r"no answer within 0\.2 seconds"):
            await thinker.choose("easy", VIEW, 2)
        thinker.limit = PATIENCE
        assert await thinker.choose("easy", VIEW, 3) == choose("easy", VIEW, Random(3))
        assert ends_soon(stuck)


async def test_the_answer_to_a_dropped_question_is_not_taken_for_the_next() -> None:
    async with patient() as thinker:
        await thinker.choose("easy", VIEW, 1)
        dropped = asyncio.create_task(thinker.choose("easy", OPENING, 1))
        await asyncio.sleep(0)
        dropped.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dropped
        assert await thinker.choose("easy", VIEW, 2) == choose("easy", VIEW, Random(2))


async def test_closing_is_prompt_in_the_middle_of_a_thought() -> None:
    """It does not wait for the thought, which has no end here and may take a day."""
    thinker = Thinker(86_400)
    await thinker.choose("easy", VIEW, 1)
    pid = thinker.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    thought = asyncio.create_task(thinker.choose("easy", VIEW, 2))
    await asyncio.sleep(0.05)
    async with asyncio.timeout(PATIENCE):
        await thinker.close()
    assert not runs(pid)
    with pytest.raises(ThinkerError, match="closed"):
        await thought


async def test_closing_while_the_process_starts_leaves_none() -> None:
    thinker = patient()
    thought = asyncio.create_task(thinker.choose("easy", VIEW, 1))
    await asyncio.sleep(0)
    await thinker.close()
    with pytest.raises(ThinkerError, match="closed"):
        await thought
    assert thinker.pid is None


async def test_nothing_is_answered_after_closing() -> None:
    async with patient() as thinker:
        await thinker.choose("easy", VIEW, 1)
    with pytest.raises(ThinkerError, match="closed"):
        await thinker.choose("easy", VIEW, 1)
    assert thinker.pid is None


@linux
def test_the_process_ends_when_the_server_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, stdout=PIPE, text=True) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        assert runs(pid)
        server.kill()
    assert ends_soon(pid)


def test_the_process_ends_in_the_middle_of_a_thought() -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS], cwd=ROOT, stdin=PIPE, stderr=PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(dump_question(("easy", VIEW, 1, (), 1.0)))
        process.stdin.flush()
        assert process.stderr.readline() == b"thinking\n"
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_the_process_knows_the_rules_and_the_bots_only() -> None:
    """It must not start a second server, nor hold the memory of one."""
    asks = "import sys, app.bots.worker; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", asks], cwd=ROOT, stdout=PIPE, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"asyncio", "fastapi", "pydantic", "sqlalchemy", "uvicorn"}
    ours = {name for name in loaded if name.startswith("app.")}
    assert ours == {name for name in ours if name.startswith(("app.rules", "app.bots"))}


def test_the_server_may_run_on_uvloop() -> None:
    pytest.importorskip("uvloop")
    program = SERVER.replace("sleep(600)", "sleep(0)").replace("asyncio.run(", "__import__('uvloop').run(")
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=ROOT, stdout=PIPE, check=True)
    assert not runs(int(done.stdout))


def test_a_question_arrives_as_it_was_asked_and_its_board_once() -> None:
    first, second = (load_question(dump_question(("easy", VIEW, seed, (), 1.0))[4:]) for seed in (1, 2))
    assert first == ("easy", VIEW, 1, (), 1.0)
    assert first[1].board is second[1].board


BROKEN = """
import os, signal, sys
from app.bots import worker

honest = worker.choose

def think(level, view, rng, *others):
    if level == "easy":
        return honest(level, view, rng)
    exec(level)
    return answer

worker.choose = think
worker.main()
"""

FAULTS = [
    "raise ValueError('no thought')",
    "sys.exit(3)",
    "raise KeyboardInterrupt",
    "answer = lambda: None",
    "answer = bytes(10_000_000)",
    "os._exit(1)",
    "os.kill(os.getpid(), signal.SIGKILL)",
    "os.close(3); os.closerange(3, 20)",
    "os.write(3, b'\\xff' * 100_000); os._exit(0)",
    "answer = None; exec('def f(): f()'); locals()['f']()",
]


@pytest.mark.parametrize("fault", FAULTS, ids=range(len(FAULTS)))
async def test_a_bot_that_fails_in_any_way_is_told_of_and_the_next_is_answered(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def start() -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", BROKEN),
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        )

    monkeypatch.setattr("app.bots.thinker._start", start)
    async with patient() as thinker:
        with pytest.raises((ThinkerError, pickle.UnpicklingError, EOFError)):
            await thinker.choose(fault, VIEW, 1)
        assert await thinker.choose("easy", VIEW, 1) == choose("easy", VIEW, Random(1))


LATE = """
import sys
from app.bots import worker

def think(level, view, rng, *others):
    sys.stderr.write("thinking\\n")
    sys.stderr.flush()
    sys.stdin.buffer.raw.read(0)
    import time
    time.sleep(0.2)
    return None

worker.choose = think
worker._listen = lambda questions: questions.put(worker._read(worker.length(worker._read(4))))
worker.main()
"""


def test_an_answer_that_nobody_waits_for_any_more_leaves_no_trace() -> None:
    """The server was killed while a bot thought."""
    with subprocess.Popen([sys.executable, "-c", LATE], cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(dump_question(("easy", VIEW, 1, (), 1.0)))
        process.stdin.flush()
        assert process.stderr.readline() == b"thinking\n"
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""
