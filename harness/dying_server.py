"""The real server, which kills itself with SIGKILL at a chosen point of a move.

    python -m harness.dying_server POINT NUMBER

POINT of its NUMBERth move: `read`, when nothing of it is stored; `write`, while its commit goes on; `commit`, when it
is committed and nobody has been told.
"""

import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

from app.main import serve
from app.store import Store

LONGEST_COMMIT = 0.003
"""Seconds after the start of a commit within which the kill comes."""

Append = Callable[..., Coroutine[Any, Any, None]]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dying(append: Append, point: str, number: int) -> Append:
    """`Store.append_move`, which kills the process at the `number`th move."""
    moves = count(1)

    async def wrapped(*args: Any, **kwargs: Any) -> None:
        now = next(moves) == number
        if now and point == "read":
            die()
        if now and point == "write":
            threading.Timer(random.uniform(0, LONGEST_COMMIT), die).start()
        await append(*args, **kwargs)
        if now and point == "commit":
            die()

    return wrapped


if __name__ == "__main__":
    Store.append_move = dying(Store.append_move, sys.argv[1], int(sys.argv[2]))  # type: ignore[method-assign]
    serve()
