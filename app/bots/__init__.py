"""Bots: programs that play a seat from what that seat may see.

A bot is a function from the view of a seat that is to act, a source of chance, a clock and what the seat remembers to
one of the view's legal actions; a further level is a module with such a function and a line in `BOTS`. Servers let bots
think through `app.bots.thinker`, never on the event loop.
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
    bot = BOTS[level]
    if view.own.seat not in view.public.to_act:
        raise ValueError("This view's seat has nothing to do now.")
    return bot(view, rng, clock or Clock(), known)
