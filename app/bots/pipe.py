"""What the server and its thinking process say to each other: pickles, each behind its length in 4 bytes.

Both ends are this program, so a pickle is as safe here as it is quick. A board takes most of it, and is the same in all
questions of a game: it is pickled once at this end, and unpickled once at the other.
"""

import pickle
from functools import lru_cache
from io import BytesIO
from typing import Any

from app.rules import Action, Board, View

LENGTH_BYTES = 4
BOARDS_KEPT = 16

Question = tuple[str, View, int]
"""A level, what the bot sees, and the seed of its chance."""


def dump_question(question: Question) -> bytes:
    """A question as a frame."""
    written = BytesIO()
    _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(question)
    return _framed(written.getvalue())


def load_question(data: bytes) -> Question:
    """The question of a frame without its length."""
    question: Question = _Unpickler(BytesIO(data)).load()
    return question


def dump_answer(action: Action) -> bytes:
    """An answer as a frame."""
    return _framed(pickle.dumps(action))


def load_answer(data: bytes) -> Action:
    """The answer of a frame without its length."""
    action: Action = pickle.loads(data)  # noqa: S301 - from a process of our own
    return action


def length(head: bytes) -> int:
    """How many bytes follow the first four of a frame."""
    return int.from_bytes(head, "big")


def _framed(data: bytes) -> bytes:
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: object) -> bytes | None:
        return _dump_board(obj) if isinstance(obj, Board) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Board:
        return _load_board(pid)


@lru_cache(maxsize=BOARDS_KEPT)
def _dump_board(board: Board) -> bytes:
    return pickle.dumps(board)


@lru_cache(maxsize=BOARDS_KEPT)
def _load_board(data: bytes) -> Board:
    board: Board = pickle.loads(data)  # noqa: S301 - from a process of our own
    return board
