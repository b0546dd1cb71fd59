"""Reads moves in groups: all callers that arrive during a query share the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from . import timeouts
from .errors import DamagedRowError, StoreUnavailableError
from .rows import MoveRow

MOST_AT_ONCE = 500

Wanted = tuple[str, int]
"""A room, and the number after which its moves are to be read."""

Answer = list[MoveRow] | DamagedRowError
"""A room's moves, or what is wrong with one of them."""

Read = Callable[[Sequence[Wanted]], Awaitable[list[Answer]]]


class MovesReader:
    """Among several processes, each move is read by every other one in which somebody follows its room."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._waiting: list[tuple[Wanted, asyncio.Future[list[MoveRow]]]] = []
        self._task: asyncio.Task[None] | None = None

    async def moves_of(self, wanted: Wanted) -> list[MoveRow]:
        """The moves of a room, in order.

        Raises DamagedRowError.
        """
        found: asyncio.Future[list[MoveRow]] = asyncio.get_running_loop().create_future()
        self._waiting.append((wanted, found))
        if self._task is None:
            self._task = asyncio.create_task(self._serve(), name="moves reader")
        try:
            async with asyncio.timeout(timeouts.ANSWER):
                return await found
        except TimeoutError:
            raise StoreUnavailableError(f"no answer in {timeouts.ANSWER:g} s") from None

    async def _serve(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            futures = [future for _, future in batch]
            try:
                answers = await self._read([wanted for wanted, _ in batch])
            except StoreUnavailableError as error:
                refuse(futures, error)
            except BaseException as error:
                refuse([*futures, *(future for _, future in self._waiting)], error)
                self._waiting, self._task = [], None
                raise
            else:
                answer(futures, answers)
        self._task = None


def answer(futures: Sequence[asyncio.Future[list[MoveRow]]], answers: Sequence[Answer]) -> None:
    for future, found in zip(futures, answers, strict=True):
        if isinstance(found, DamagedRowError):
            refuse([future], found)
        elif not future.done():
            future.set_result(found)


def refuse(futures: Sequence[asyncio.Future[list[MoveRow]]], error: BaseException) -> None:
    for future in futures:
        if not future.done():
            future.set_exception(error)
