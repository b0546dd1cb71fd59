"""Why the rules refuse an action. Pages have a sentence for each reason in every language."""

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Literal, NamedTuple

RuleReason = Literal[
    "can_act",
    "cards_short",
    "cars_short",
    "choose_tickets",
    "deck_empty",
    "draw_second",
    "ferry_second",
    "game_over",
    "keep_offered",
    "keep_one",
    "location_taken",
    "no_offer",
    "no_stack",
    "no_such_place",
    "no_such_route",
    "no_tickets_left",
    "not_your_turn",
    "other_stack",
    "place_empty",
    "place_tokens",
    "route_closed",
    "route_taken",
    "tickets_chosen",
    "token_choice",
    "token_unavailable",
    "twin_owned",
    "wrong_payment",
]

FACTS: Mapping[str, Set[str]] = MappingProxyType({"cars_short": frozenset({"n"})})
"""The names of the numbers in a reason's sentence; a reason that is not listed has none."""

NO_FACTS: Mapping[str, int] = MappingProxyType({})


class Reason(NamedTuple):
    """A stable name, one English sentence for the player, and the numbers in it by their names."""

    name: RuleReason
    sentence: str
    facts: Mapping[str, int] = NO_FACTS
