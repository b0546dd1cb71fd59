"""The messages between the server and its thinking process: pickles, each after its length in 4 bytes.

Both ends are this program, so a pickle is as safe here as it is quick. A board takes most of it, and is the same in all
questions of a game: it is pickled once at this end, and unpickled once at the other.
"""

import pickle
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any

from app.rules import Action, Board, View

from .known import Known

LENGTH_BYTES = 4
MOST_ANSWERED = 64 * 1024
"""Maximum bytes of an answer; actions are much shorter."""

BOARDS_KEPT = 16

Question = tuple[str, View, int, Known, float]
"""A level, the bot's view, its random seed, what its seat remembers, and the seconds it may think."""


def dump_question(question: Question) -> bytes:
    """Encode a question as a frame."""
    written = BytesIO()
    _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(question)
    return _framed(written.getvalue())


def load_question(data: bytes) -> Question:
    """Decode a question from a frame without its length."""
    question: Question = _Unpickler(BytesIO(data)).load()
    return question


@dataclass(frozen=True)
class Failed:
    """In place of an action: the bot raised an error of this kind."""

    error: str


def dump_answer(answer: Action | Failed) -> bytes:
    """Encode an answer as a frame.

    Raises:
        ValueError: it is too long for an action.
    """
    data = pickle.dumps(answer)
    if len(data) > MOST_ANSWERED:
        raise ValueError(f"an answer of {len(data)} bytes")
    return _framed(data)


def load_answer(data: bytes) -> Action | Failed:
    """Decode an answer from a frame without its length."""
    answer: Action | Failed = pickle.loads(data)  # noqa: S301 - from a process of our own
    return answer


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
