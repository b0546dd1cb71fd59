"""Why something is refused, for people of any language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

NO_FACTS: Mapping[str, int] = MappingProxyType({})


class Reason(NamedTuple):
    """A name that stays the same, one English sentence for the player, and the numbers in it by their names."""

    name: str
    sentence: str
    facts: Mapping[str, int] = NO_FACTS
