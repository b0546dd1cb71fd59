"""A process in which bots think, so that a thought never delays the event loop.

It is a plain subprocess, because one of `multiprocessing` would import the server's main module again and need another
process to track resources.
"""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from types import TracebackType

from app.rules import Action, View

from .clock import SECONDS
from .known import Known
from .pipe import LENGTH_BYTES, MOST_ANSWERED, Failed, dump_question, length, load_answer

TIME_LIMIT = 5.0
"""Maximum seconds of a thought, including the start of the process."""

DIED = (EOFError, ConnectionError)
"""What reading and writing raise when the process at the other end is gone."""


class ThinkerError(RuntimeError):
    """There is no answer: the bot failed or took too long, the process died of it twice, or the thinker is closed."""


class Thinker:
    """Asks bots in one niced process, one thought after the other; it is started by the first.

    async with Thinker() as thinker:
        action = await thinker.choose("easy", view(game, seat), seed=1)
    """

    def __init__(self, limit: float = TIME_LIMIT) -> None:
        self.limit = limit
        self._turn = asyncio.Lock()
        self._worker: Process | None = None
        self._ended: list[Process] = []
        self._closed = False

    async def __aenter__(self) -> "Thinker":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def pid(self) -> int | None:
        """The id of the process; None until something is asked."""
        return self._worker.pid if self._worker else None

    async def choose(self, level: str, view: View, seed: int, known: Known = (), seconds: float = SECONDS) -> Action:
        """Ask the bot of this level. The answer is the same for the same arguments, unless time runs out.

        Raises:
            ThinkerError: it gave no answer, or the thinker is closed.
        """
        question = dump_question((level, view, seed, known, seconds))
        async with self._turn:
            try:
                async with asyncio.timeout(self.limit):
                    answer = await self._ask_twice(question)
            except TimeoutError:
                raise ThinkerError(f"The bot {level!r} had no answer within {self.limit:g} seconds.") from None
        if isinstance(answer, Failed):
            raise ThinkerError(f"The bot {level!r} failed: {answer.error}.")
        return answer

    async def close(self) -> None:
        """Kill the process. A running call of `choose` fails."""
        self._closed = True
        self._drop()
        await self._reap()

    async def _ask_twice(self, question: bytes) -> Action | Failed:
        with suppress(*DIED):
            return await self._ask(question)
        try:
            return await self._ask(question)
        except DIED:
            raise ThinkerError("The process of the bots died twice of the same question.") from None

    async def _ask(self, question: bytes) -> Action | Failed:
        """Ask the process. If interrupted, kill it, so that its answer is not taken for that of the next question."""
        worker = await self._running()
        try:
            return await _exchange(worker, question)
        except BaseException:
            self._drop()
            raise

    async def _running(self) -> Process:
        if self._worker is None or self._worker.returncode is not None:
            self._drop()
            await self._reap()
            self._worker = await _start()
        if self._closed:
            await self.close()
            raise ThinkerError("The bots' process is closed.")
        return self._worker

    def _drop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        with suppress(ProcessLookupError):
            worker.kill()
        self._ended.append(worker)

    async def _reap(self) -> None:
        while self._ended:
            await self._ended.pop().wait()


async def _start() -> Process:
    """Start a process with this one's module path, in a new session, so that Ctrl+C doesn't reach it."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "app.bots.worker"),
        stdin=PIPE,
        stdout=PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    )


async def _exchange(worker: Process, question: bytes) -> Action | Failed:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(question)
    await worker.stdin.drain()
    size = length(await worker.stdout.readexactly(LENGTH_BYTES))
    if size > MOST_ANSWERED:
        raise ThinkerError(f"The bot wrote {size} bytes into the place of its answer.")
    return load_answer(await worker.stdout.readexactly(size))
