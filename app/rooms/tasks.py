"""Background tasks: started and awaited at the end, run in a limited number at a time, or repeated for ever."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar

import structlog

from .errors import RefusedError, unavailable

T = TypeVar("T")

AT_ONCE = 4
"""Rooms that are read at the same time: more would only wait for a database connection, and then ask again in vain."""

PATIENCE = 8.0
"""Seconds until a caller has to have a slot; a page gives up after ten."""

log = structlog.get_logger(__name__)


class Tasks:
    """Tasks that were started and are not done."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def any(self) -> bool:
        """Whether a task runs."""
        return bool(self._tasks)

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start work that nobody waits for; what it raises is logged, unless it is a refusal."""
        task = self._begin(work)
        task.add_done_callback(_swallow)
        return task

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for work that goes on when its caller is cancelled."""
        task = self._begin(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_swallow)
            raise

    async def all_done(self) -> None:
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class Coalesced:
    """Work that is done once for all who ask for it before it begins: that is, before its locks are held."""

    def __init__(
        self,
        tasks: Tasks,
        work: Callable[[], Coroutine[Any, Any, None]],
        *locks: Callable[[], AbstractAsyncContextManager[Any]],
    ) -> None:
        self._tasks = tasks
        self._work = work
        self._locks = locks
        self._is_asked = False

    def ask(self) -> None:
        """Have the work done; nobody waits for it."""
        if not self._is_asked:
            self._is_asked = True
            self._tasks.start(self._begin())

    async def _begin(self) -> None:
        async with AsyncExitStack() as held:
            try:
                for lock in self._locks:
                    await held.enter_async_context(lock())
            finally:
                self._is_asked = False  # what happens from now on may come too late for this work
            await self._work()


class LoadLimit:
    """Limits concurrent loads: after a restart everybody is back within seconds, and each wants a room."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)

    @asynccontextmanager
    async def slot(self) -> AsyncGenerator[None]:
        """Wait for a slot, first come, first served, and hold it while inside.

        Raises:
            RefusedError: there was none in time.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                await self._free.acquire()
        except TimeoutError:
            raise unavailable() from None
        try:
            yield
        finally:
            self._free.release()


async def repeat(step: Callable[[], Awaitable[None]], pause: float) -> None:
    """Call a step again and again, `pause` seconds after the last. A failure is logged, and the next step comes."""
    while True:
        await asyncio.sleep(pause)
        try:
            await step()
        except Exception:
            log.exception("step_failed", step=step.__qualname__)


def _swallow(task: asyncio.Task[Any]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, RefusedError):
        log.error("room_task_failed", exc_info=error)
