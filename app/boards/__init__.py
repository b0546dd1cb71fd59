"""Board files: read strictly, and checked for whether a game can be played on them."""

from .errors import BoardError
from .files import BUILT_IN, load_board, parse_board

__all__ = ["BUILT_IN", "BoardError", "load_board", "parse_board"]
