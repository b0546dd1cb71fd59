"""The settings and errors of commands."""

from pathlib import Path
from typing import Protocol


class CommandError(Exception):
    """A command can't do what it was asked; the text says why, and what to do."""


class Host(Protocol):
    """The settings that commands need."""

    @property
    def database(self) -> str: ...
    @property
    def bus_url(self) -> str: ...
    @property
    def base_path(self) -> str: ...
    @property
    def public_url(self) -> str: ...
    @property
    def boards_dir(self) -> Path | None: ...
