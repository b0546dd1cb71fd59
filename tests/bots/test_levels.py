"""The registry of levels."""

from random import Random

import pytest

from app.boards import load_board
from app.bots import BOTS, LEVELS, choose
from app.rules import deal, view


def test_there_are_three_levels_from_the_easiest_on() -> None:
    assert LEVELS == tuple(BOTS) == ("easy", "medium", "hard")


def test_an_unknown_level_is_an_error() -> None:
    game = deal(load_board("san-francisco"), 2, bytes(32))
    with pytest.raises(KeyError, match="genius"):
        choose("genius", view(game, game.turn), Random(1))
