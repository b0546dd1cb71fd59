"""The boards that can be played: those built in, those of a folder, and those that rooms were made with."""

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import orjson

from app.boards import BUILT_IN, BoardError, parse_board
from app.rules import Board
from app.store import DamagedRowError, Store, queries

from .errors import Code, RefusedError

_PLAIN_ID = re.compile(r"[a-z0-9-]{1,64}")


@dataclass(frozen=True)
class BoardText:
    """A board and the text it was parsed from, which is stored with the rooms made from it."""

    board: Board
    text: str

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text, in hex."""
        return digest_of(self.text)

    @cached_property
    def json(self) -> dict[str, Any]:
        """The text as parsed JSON."""
        parsed: dict[str, Any] = orjson.loads(self.text)
        return parsed


def digest_of(text: str) -> str:
    """SHA-256 of a board's text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


class Boards:
    """Finds boards by id, as their files are now, or by digest, as they were when a room was made."""

    def __init__(self, folder: Path | None, store: Store) -> None:
        self._folder = folder
        self._store = store
        self._parsed: dict[str, BoardText] = {}

    def find(self, board_id: str) -> BoardText | None:
        """The board with this id. A file in the folder takes precedence over a built-in board."""
        text = self._read(board_id) if _PLAIN_ID.fullmatch(board_id) else None
        return None if text is None else self._parse(text, board_id)

    def named(self, board_id: str) -> BoardText:
        """The board with this id.

        Raises:
            RefusedError: there is none, or its file is wrong.
        """
        board = self.find(board_id)
        if board is None:
            raise RefusedError(Code.BAD_REQUEST, "board: there is no board with this id.")
        return board

    async def stored(self, digest: str) -> BoardText:
        """The board with this digest, which a room was made with.

        Raises:
            DamagedRowError: it is missing from the database, or was changed.
        """
        if digest in self._parsed:
            return self._parsed[digest]
        text = await self._store.read(queries.find_board, digest)
        if not isinstance(text, str) or digest_of(text) != digest:  # SQLite also stores bytes in a text column
            raise DamagedRowError("board", digest, "it is missing" if text is None else "its text was changed")
        return self._parse(text, digest)

    async def keep(self, board: BoardText) -> None:
        """Store a board's text, for the rooms made from it."""
        await self._store.write(queries.add_board, board.digest, board.text)

    def _read(self, board_id: str) -> str | None:
        name = f"{board_id}.json"
        places = (*([self._folder] if self._folder else []), BUILT_IN)
        found = next((place / name for place in places if (place / name).is_file()), None)
        return None if found is None else _text(found)

    def _parse(self, text: str, source: str) -> BoardText:
        digest = digest_of(text)
        if digest not in self._parsed:
            self._parsed[digest] = BoardText(_parsed(text, source), text)
        return self._parsed[digest]


def _text(file: Traversable) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        problem = f"This board can't be played: {file.name}: it can't be read ({type(error).__name__})."
        raise RefusedError(Code.BAD_REQUEST, problem) from error


def _parsed(text: str, source: str) -> Board:
    try:
        return parse_board(text, source)
    except BoardError as error:
        raise RefusedError(Code.BAD_REQUEST, f"This board can't be played: {error}") from error
