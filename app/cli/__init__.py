"""The command `fogline`."""

from .command import run
from .host import CommandError, Host

__all__ = ["CommandError", "Host", "run"]
