"""Bots: programs that play a seat from what that seat may see.

A bot is a function from a view, a source of chance, a clock and what its seat remembers to one of the view's legal
actions; a further level is a module with such a function and a line in `BOTS`. Servers think through
`app.bots.thinker`, never on the event loop.
"""

from collections.abc import Callable, Mapping
from random import Random

from app.rules import Action, View

from . import easy, hard, medium
from .clock import Clock
from .known import Known

Bot = Callable[[View, Random, Clock, Known], Action]

BOTS: Mapping[str, Bot] = {"easy": easy.choose, "medium": medium.choose, "hard": hard.choose}

LEVELS: tuple[str, ...] = tuple(BOTS)
"""The levels a table may ask for, from the easiest."""


def choose(level: str, view: View, rng: Random, clock: Clock | None = None, known: Known = ()) -> Action:
    """What the bot of this level does: the same for the same arguments, unless the clock stops it early.

    Raises:
        KeyError: there is no such level.
        ValueError: the view's seat has nothing to do now.
    """
    return BOTS[level](view, rng, clock or Clock(), known)
