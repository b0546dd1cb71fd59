"""The hard bot: it plans all its tickets as one network, and tries its moves in games as they may be."""

from collections.abc import Iterator, Sequence
from random import Random

from app.rules import Action, DrawCard, DrawTickets, KeepTickets, PlaceToken, Seat, Table, TicketId, View
from app.rules.legal import Placement, subsets

from .clock import Clock
from .graph import Graph, graph_of
from .known import Known
from .network_plans import Plan, stand, wide_plans
from .policy import Player
from .search import Candidate, Worlds, best
from .worlds import Scene

TRIES = 300
"""Plans that are made for a turn."""

TRIES_TO_KEEP = 100
"""The same for each way to keep tickets."""

PLANS = 5
"""So many of the best plans are heard as to what to do now."""

CLAIMS = 4
"""So many of the dearest claims are tried whatever the plans say."""

MOST_TICKETS = 5
"""With so many tickets it draws no more."""

TURNS_FOR_TICKETS = 6
"""With fewer turns to come it draws none either."""


def choose(view: View, _: Random, clock: Clock, known: Known) -> Action:
    """Choose one of the view's legal actions. Its chance comes from what it sees: the same view, the same action."""
    seat, legal = view.own.seat, view.own.legal
    assert seat is not None
    mind = _Mind(view, seat, clock, known)
    if legal.place:
        return mind.place(legal.place)
    candidates = mind.ways_to_keep(legal.keep.source) if legal.keep else mind.moves()
    return best(candidates, mind.worlds, clock).action


class _Mind:
    """What it goes by in a thought."""

    def __init__(self, view: View, seat: Seat, clock: Clock, known: Known) -> None:
        self.view, self.seat, self.clock = view, seat, clock
        self.graph: Graph = graph_of(view.board)
        self.scene = Scene(view, seat, known)
        self.tickets = [ticket.id for ticket in view.own.tickets]
        self.chance = Random(f"{view.public.version} {seat} {self.scene.hand}")
        self.worlds = Worlds(self.scene, self.graph, self.chance)
        self.table = Table(self.worlds.world(0)[0])
        """One of the games that it may be: only what the seat sees is looked at."""

    def plans(self, tickets: Sequence[TicketId], tries: int) -> list[Plan]:
        """Plans for these tickets, the best first. They come about in the same way turn after turn."""
        at = stand(self.graph, self.table, self.seat, [self.graph.tickets[ticket] for ticket in tickets])
        return wide_plans(at, Random(len(tickets)), tries, self.clock)

    def player(self, plan: Plan, more: Sequence[TicketId] = ()) -> Player:
        """The seat as one that plays by a plan."""
        tickets = [self.graph.tickets[ticket] for ticket in (*self.tickets, *more)]
        return Player(self.graph, self.seat, tickets, plan.routes)

    def place(self, place: Placement) -> PlaceToken:
        """A stack, where the most routes of the plan end."""
        routes = self.plans(self.tickets, TRIES)[0].routes
        ends = [end for route in routes for end in self.graph.ends[route]]
        return PlaceToken(place.symbols[0], max(place.locations, key=lambda each: ends.count(self.graph.places[each])))

    def ways_to_keep(self, offer: Sequence[TicketId]) -> list[Candidate]:
        """The ways to keep tickets of an offer, each with its best plan."""
        found = []
        for kept in subsets(tuple(offer)):
            plan = self.plans((*self.tickets, *kept), TRIES_TO_KEEP)[0]
            found.append((plan.worth, Candidate(KeepTickets(kept), self.player(plan, kept))))
        found.sort(key=lambda each: -each[0])
        return [candidate for _, candidate in found]

    def moves(self) -> list[Candidate]:
        """What may be sensible in a turn: first what the best plan says."""
        plans = self.plans(self.tickets, TRIES)
        found: dict[str, Candidate] = {}
        for candidate in (*self._planned(plans[:PLANS]), *self._others(plans[0])):
            found.setdefault(f"{candidate.action}", candidate)
        return list(found.values())

    def _planned(self, plans: Sequence[Plan]) -> Iterator[Candidate]:
        for plan in plans:
            player = self.player(plan)
            yield Candidate(player.act(self.table), player)

    def _others(self, plan: Plan) -> Iterator[Candidate]:
        """Claims, draws and tickets beside the plan."""
        graph, legal, market = self.graph, self.view.own.legal, self.view.public.market
        numbers = [graph.route[route] for route in legal.claims]
        for number in sorted(numbers, key=lambda number: -graph.points[number])[:CLAIMS]:
            player = self.player(plan)
            claim = player.claim(self.table, number)
            if claim:
                yield Candidate(claim, player)
        slots: list[int | None] = list({market[slot]: slot for slot in legal.draw.slots}.values())
        for slot in slots + [None] * legal.draw.deck:
            yield Candidate(DrawCard(slot), self.player(plan))
        if legal.draw_tickets and self._has_time_for_tickets():
            yield Candidate(DrawTickets(), self.player(plan))

    def _has_time_for_tickets(self) -> bool:
        at = stand(self.graph, self.table, self.seat, ())
        return len(self.tickets) < MOST_TICKETS and at.left > TURNS_FOR_TICKETS
