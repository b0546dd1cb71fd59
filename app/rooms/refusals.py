"""Refusals that are remembered for a while, so that the same question has the same answer."""

from collections import OrderedDict

from .errors import RefusedError
from .lobby import Actor

KEPT = 256


class Refusals:
    """The latest of a room, by who asked and the action's id."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Actor, str], RefusedError] = OrderedDict()

    def raise_again(self, who: Actor, action_id: str) -> None:
        """Refuse what was refused before."""
        if (who, action_id) in self._kept:
            raise self._kept[who, action_id].again()

    def remember(self, who: Actor, action_id: str, error: RefusedError) -> None:
        """Keep a refusal; the oldest goes."""
        self._kept[who, action_id] = error.again()
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
