"""Reads board files strictly, and checks that a game can be played on them."""

from .errors import BoardError
from .files import BUILT_IN, load_board, parse_board

__all__ = ["BUILT_IN", "BoardError", "load_board", "parse_board"]
