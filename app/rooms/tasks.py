"""Work that goes on when nobody waits for it any more."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import structlog

from .errors import RefusedError

T = TypeVar("T")

log = structlog.get_logger(__name__)


class Tasks:
    """What was begun and is not done."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def any(self) -> bool:
        """Whether something is under way."""
        return bool(self._tasks)

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin work that nobody waits for."""
        task = self._begin(work)
        task.add_done_callback(_swallow)
        return task

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Do work; it goes on to its end when the one who waits for it is cancelled."""
        task = self._begin(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_swallow)
            raise

    async def all_done(self) -> None:
        """Wait for what was begun."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def repeat(step: Callable[[], Awaitable[None]], pause: float) -> None:
    """Do a step for ever, with so many seconds before each. A step that fails is logged, and the next one comes."""
    while True:
        await asyncio.sleep(pause)
        try:
            await step()
        except Exception:
            log.exception("step_failed", step=step.__qualname__)


def _swallow(task: asyncio.Task[Any]) -> None:
    """Nobody waits for what this has to say; only what nobody expects is worth a line."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, RefusedError):
        log.error("room_task_failed", exc_info=error)
