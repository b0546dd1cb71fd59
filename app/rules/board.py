"""The printed board: locations, routes, tickets and numbers, immutable and shared by all games on it (C)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Literal, NewType

from .cards import FERRY, Card
from .routesets import RouteSet
from .tariff import Price, Tariff

LocationId = NewType("LocationId", str)
RouteId = NewType("RouteId", str)
TicketId = NewType("TicketId", str)
Symbol = NewType("Symbol", str)
"""The picture on a stack of tourist tokens (C5)."""

Ends = tuple[LocationId, LocationId]


@dataclass(frozen=True, slots=True)
class Label:
    """Where a location's name stands, in the board's units from the location."""

    dx: float
    dy: float
    anchor: Literal["start", "middle", "end"]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Location:
    """A place on the board; `x` and `y` in the units of `Board.viewbox`."""

    id: LocationId
    name: str
    x: float
    y: float
    label: Label


@dataclass(frozen=True, slots=True)
class Route:
    """A way between two neighboring locations (C1).

    `color` None is gray. `bend` is how far the drawn curve leaves the straight line, in the board's units. `twin`
    is the other route of a double route (R6).
    """

    id: RouteId
    between: Ends
    length: int
    color: Card | None
    ferries: int
    bend: float
    twin: RouteId | None

    @property
    def price(self) -> Price:
        """What it costs."""
        return self.length, self.color, self.ferries


@dataclass(frozen=True, slots=True)
class DestinationTicket:
    """Two locations to join, and the points for it (C4)."""

    id: TicketId
    between: Ends
    points: int


@dataclass(frozen=True, slots=True)
class TokenStack:
    """A symbol and the location of its stack at the start, or None if a player places it (S2, S5)."""

    symbol: Symbol
    location: LocationId | None


@dataclass(frozen=True)
class Board:
    """Everything that is printed. `app.boards` reads and checks it."""

    id: str
    name: str
    viewbox: tuple[float, float, float, float]
    colors: tuple[Card, ...]
    cards_per_color: int
    ferry_cards: int
    cars_per_player: int
    route_points: Mapping[int, int]
    token_points: tuple[int, ...]
    token_stacks: tuple[TokenStack, ...]
    locations: tuple[Location, ...]
    routes: tuple[Route, ...]
    tickets: tuple[DestinationTicket, ...]

    def __hash__(self) -> int:
        return hash(self.id)

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every kind of card, ferries last: the order of all counts."""
        return (*self.colors, FERRY)

    @cached_property
    def card_index(self) -> Mapping[Card, int]:
        """The index of each kind of card in counts."""
        return {card: index for index, card in enumerate(self.cards)}

    @cached_property
    def all_cards(self) -> tuple[int, ...]:
        """How many of each of `cards` the game has (C3)."""
        return (*(self.cards_per_color for _ in self.colors), self.ferry_cards)

    @cached_property
    def route(self) -> Mapping[RouteId, Route]:
        return {route.id: route for route in self.routes}

    @cached_property
    def tariff(self) -> Tariff:
        """What hands can pay for."""
        return Tariff(self.colors, self.cards_per_color, self.ferry_cards, [route.price for route in self.routes])

    @cached_property
    def place(self) -> Mapping[RouteId, int]:
        """The index of each route in `routes`."""
        return {route.id: place for place, route in enumerate(self.routes)}

    @cached_property
    def bit(self) -> Mapping[RouteId, RouteSet]:
        """Each route as a set of its own."""
        return {route.id: self.tariff.routes[place] for place, route in enumerate(self.routes)}

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The length of each of `routes`."""
        return tuple(route.length for route in self.routes)

    @cached_property
    def routes_within(self) -> tuple[RouteSet, ...]:
        """For each number of cars, from 0 to all, the routes that are not longer (R4)."""
        lengths = [(route.length, self.bit[route.id]) for route in self.routes]
        return tuple(sum(bit for length, bit in lengths if length <= cars) for cars in range(self.cars_per_player + 1))

    @cached_property
    def ending_at(self) -> Mapping[LocationId, RouteSet]:
        """The routes with an end at each location."""
        return {place: sum(self.bit[route.id] for route, _ in routes) for place, routes in self.routes_at.items()}

    @cached_property
    def stack_index(self) -> Mapping[Symbol, int]:
        """The index of each symbol's stack in lists of stacks."""
        return {stack.symbol: index for index, stack in enumerate(self.token_stacks)}

    @cached_property
    def ticket(self) -> Mapping[TicketId, DestinationTicket]:
        return {ticket.id: ticket for ticket in self.tickets}

    @cached_property
    def location(self) -> Mapping[LocationId, Location]:
        return {location.id: location for location in self.locations}

    @cached_property
    def location_index(self) -> Mapping[LocationId, int]:
        """The index of each location in `locations`."""
        return {place.id: index for index, place in enumerate(self.locations)}

    @cached_property
    def roads(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """By the index of each location, the indices of its routes and of the locations at their other ends."""
        index = self.location_index
        return tuple(
            tuple((self.place[route.id], index[other]) for route, other in self.routes_at[place.id])
            for place in self.locations
        )

    @cached_property
    def routes_at(self) -> Mapping[LocationId, tuple[tuple[Route, LocationId], ...]]:
        """For each location its routes, each with the location at the other end."""
        return {place.id: tuple(_leaving(self.routes, place.id)) for place in self.locations}


def _leaving(routes: tuple[Route, ...], start: LocationId) -> list[tuple[Route, LocationId]]:
    there = [(route, route.between[1]) for route in routes if route.between[0] == start]
    back = [(route, route.between[0]) for route in routes if route.between[1] == start]
    return there + back
