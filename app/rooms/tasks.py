"""Background tasks: awaited at the end, limited in number, or repeated for ever."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar

import structlog

from .errors import RefusedError, unavailable

T = TypeVar("T")

AT_ONCE = 4
"""Maximum rooms read at the same time. More would only wait for a database connection until they time out."""

TIMEOUT = 8.0
"""Seconds that a caller waits for a slot; a page gives up after ten."""

log = structlog.get_logger(__name__)


class Tasks:
    """The running tasks of a room."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def any(self) -> bool:
        """Whether any task is running."""
        return bool(self._tasks)

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start work that nobody waits for. Its exception is logged, unless it is a refusal."""
        task = self._begin(work)
        task.add_done_callback(_swallow)
        return task

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for work, which goes on if the caller is cancelled."""
        task = self._begin(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_swallow)
            raise

    async def all_done(self) -> None:
        """Wait for all tasks, those that are started meanwhile included."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class Coalesced:
    """Work done once for all who ask before it begins, that is, before it holds its locks."""

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
        """Have the work done in the background."""
        if not self._is_asked:
            self._is_asked = True
            self._tasks.start(self._begin())

    async def _begin(self) -> None:
        async with AsyncExitStack() as held:
            try:
                for lock in self._locks:
                    await held.enter_async_context(lock())
            finally:
                self._is_asked = False  # this work may miss what happens from now on
            await self._work()


class LoadLimit:
    """Limits concurrent loads: after a restart everybody comes back within seconds, and each needs a room."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)

    @asynccontextmanager
    async def slot(self) -> AsyncGenerator[None]:
        """Hold a slot while inside; slots are given first come, first served.

        Raises:
            RefusedError: no slot became free in time.
        """
        try:
            async with asyncio.timeout(TIMEOUT):
                await self._free.acquire()
        except TimeoutError:
            raise unavailable() from None
        try:
            yield
        finally:
            self._free.release()


async def repeat(step: Callable[[], Awaitable[None]], pause: float) -> None:
    """Call a step for ever, with `pause` seconds before each call. Failures are logged."""
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
