"""Plays a seat by a plan, quickly: the same way in the real game and in thousands of imagined ones.

It keeps to its plan as long as that can be built. A policy that plans anew each turn wanders, and loses points by it.
"""

from collections.abc import Mapping, Sequence

from app.rules import FERRY, Action, Card, ClaimRoute, DrawTickets, KeepTickets, Pass, Seat, TicketId
from app.rules.game import FIRST_TICKETS, KEEP_TICKETS, SECOND_CARD, TOKENS
from app.rules.legal import DRAW_FROM_DECK, DRAW_FROM_MARKET, legal_actions, subsets
from app.rules.table import Table

from .graph import Graph
from .network_plans import TOKEN, Ticket, missing, quick_plan, stand, turns_left, undone, weigh

ENDING = 4
"""Another player's cable cars with which the end may be near."""

GRAY = 0.9
"""The worth of a card for a gray route, in the color most held; a card that a colored route lacks is worth 1."""

FERRY_WORTH = 1.3
"""The worth of a ferry from the deck."""

DRAW_TICKETS = DrawTickets()
PASS = Pass()


class Player:
    """A seat that plays by a plan. `plan` has the routes it still wants, the most wanted first."""

    __slots__ = ("graph", "plan", "seat", "tickets")

    def __init__(self, graph: Graph, seat: Seat, tickets: Sequence[Ticket], plan: Sequence[int] = ()) -> None:
        self.graph = graph
        self.seat = seat
        self.tickets = list(tickets)
        self.plan = list(plan)

    def copy(self) -> "Player":
        """A copy for an imagined game."""
        return Player(self.graph, self.seat, self.tickets, self.plan)

    def act(self, table: Table) -> Action:
        """Choose the next action, and drop a claimed route from the plan."""
        phase = table.phase
        if phase is SECOND_CARD:
            return self._draw(table) or DRAW_FROM_DECK
        if phase is KEEP_TICKETS or phase is FIRST_TICKETS:
            return self._keep(table)
        if phase is TOKENS:
            return legal_actions(table, self.seat)[0]
        return self._turn(table)

    def claim(self, table: Table, route: int) -> ClaimRoute | None:
        """Claim a route by the payment that harms the plan least; None without the cards."""
        payment = self._payment(table.hands[self.seat], route)
        return None if payment is None else self._claimed(table, route, payment)

    def _turn(self, table: Table) -> Action:
        self._replan(table)
        now = self._best_now(table) if self._is_ending(table) else None
        action = now or self._claim_planned(table) or self._draw(table)
        return action or self._best_now(table) or (DRAW_TICKETS if table.ticket_deck else PASS)

    def _is_ending(self, table: Table) -> bool:
        if table.last_turns is not None:
            return True
        others = [cars for seat, cars in enumerate(table.network.cars) if seat != self.seat]
        return min(others) <= ENDING and turns_left(table, self.seat) <= 2

    def _replan(self, table: Table) -> None:
        """Plan again if another player has taken a route of the plan, or if it is done."""
        ways = self.graph.ways
        open_ways = table.network.free & table.network.allowed[self.seat]
        if not self.plan or not all(ways[route] & open_ways for route in self.plan):
            self.plan = quick_plan(stand(self.graph, table, self.seat, self.tickets)).routes

    def _claim_planned(self, table: Table) -> Action | None:
        """Claim a route of the plan with cards that the rest does not need, or with any if no card is lacking."""
        hand = table.hands[self.seat]
        for route in self.plan:
            payment = self._spare_payment(hand, route)
            if payment is not None:
                return self._claimed(table, route, payment)
        left, lacking, symbols = missing(self.graph, hand, self.plan)
        if lacking + symbols > 0 or min(left) < 0:
            return None
        claims = (self.claim(table, route) for route in self.plan)
        return next((claim for claim in claims if claim), None)

    def _claimed(self, table: Table, route: int, payment: Mapping[Card, int]) -> ClaimRoute:
        if route in self.plan:
            self.plan.remove(route)
        printed = self.graph.board.routes[route]
        tokens = table.tokens.along(printed, self.seat)
        return ClaimRoute(printed.id, payment, tokens[0] if tokens else None)

    def _spare_payment(self, hand: Sequence[int], route: int) -> Mapping[Card, int] | None:
        """How to pay for a route without cards that the rest of the plan needs; None if that can't be done."""
        graph = self.graph
        payment = self._payment(hand, route)
        if payment is None:
            return None
        given, symbols = payment.get(FERRY, 0), graph.ferries[route]
        if given > symbols and hand[-1] - given < sum([graph.ferries[other] for other in self.plan if other != route]):
            return None
        if graph.colors[route] is None:
            for card, used in payment.items():
                color = graph.board.card_index[card]
                if card != FERRY and used > hand[color] - self._needed(color, route):
                    return None
        return payment

    def _payment(self, hand: Sequence[int], route: int) -> Mapping[Card, int] | None:
        """How to pay for a route: with few ferries, and for a gray one in the color that the plan needs least."""
        graph, wild = self.graph, hand[-1]
        length, symbols, color = graph.lengths[route], graph.ferries[route], graph.colors[route]
        if wild < symbols or (max(hand[:-1]) if color is None else hand[color]) + wild < length:
            return None
        plain = length - symbols
        if color is None:
            color = self._gray_color(hand, route, plain, wild - symbols)
        used = min(hand[color], plain)
        if used == length:
            return {graph.board.colors[color]: used}
        return {graph.board.colors[color]: used, FERRY: length - used} if used else {FERRY: length}

    def _gray_color(self, hand: Sequence[int], route: int, plain: int, wild: int) -> int:
        best, least = 0, 1e9
        for color, held in enumerate(hand[:-1]):
            extra = plain - min(held, plain)
            if extra <= wild:
                harm = max(0, plain - extra - max(0, held - self._needed(color, route))) + 1.2 * extra - 0.01 * held
                if harm < least:
                    best, least = color, harm
        return best

    def _needed(self, color: int, route: int) -> int:
        """Number of cards of a color that the rest of the plan needs."""
        graph, plan = self.graph, self.plan
        return sum(
            [
                graph.lengths[other] - graph.ferries[other]
                for other in plan
                if graph.colors[other] == color and other != route
            ]
        )

    def _draw(self, table: Table) -> Action | None:
        """Draw the card that the plan lacks most, from the market or the deck."""
        market, index = table.market, self.graph.board.card_index
        left, lacking, symbols = missing(self.graph, table.hands[self.seat], self.plan)
        values = _values(left, lacking)
        offered = [(values[index[card]], slot) for slot, card in enumerate(market) if card and card != FERRY]
        best, slot = max(offered, default=(-1.0, None))
        if table.phase is not SECOND_CARD and FERRY in market:
            total = lacking - sum([number for number in left if number < 0])
            if symbols > 0 or (total == 1 and best < 1.0) or (slot is None and not table.deck):
                return DRAW_FROM_MARKET[market.index(FERRY)]
        if table.deck and self._from_deck(table, values) >= best:
            return DRAW_FROM_DECK
        return None if slot is None else DRAW_FROM_MARKET[slot]

    def _from_deck(self, table: Table, values: Sequence[float]) -> float:
        """What the deck's top card is worth on average, among all that the seat doesn't see."""
        board, hand, market, discard = self.graph.board, table.hands[self.seat], table.market, table.discard
        unseen, sought = 0, 0.0
        for color, value in enumerate((*values, FERRY_WORTH)):
            number = board.all_cards[color] - hand[color] - discard[color] - market.count(board.cards[color])
            unseen += number
            sought += number * value
        return sought / max(1, unseen)

    def _best_now(self, table: Table) -> Action | None:
        """The claim that brings most points at once, including those of tickets it completes (F2)."""
        graph, network = self.graph, table.network
        affordable = graph.board.tariff.affordable(tuple(table.hands[self.seat]))
        open_ways = network.free & network.allowed[self.seat] & affordable
        routes = [route for route in graph.numbers if graph.ways[route] & open_ways] if open_ways else []
        if not routes:
            return None
        at = stand(graph, table, self.seat, self.tickets)
        part, needed = graph.parts(at.own), undone(at)

        def gain(route: int) -> float:
            start, end = graph.ends[route]
            joined = part[start], part[end]
            done = sum([points for one, other, points in needed if part[one] in joined and part[other] in joined])
            token = TOKEN if start in at.takeable or end in at.takeable else 0.0
            return graph.points[route] + token + 2 * done

        return self.claim(table, max(routes, key=gain))

    def _keep(self, table: Table) -> KeepTickets:
        """The tickets of an offer that bring most points; those out of reach count against them (F2)."""
        graph, before = self.graph, self.tickets

        def worth(kept: tuple[TicketId, ...]) -> float:
            at = stand(graph, table, self.seat, [*before, *[graph.tickets[ticket] for ticket in kept]])
            return weigh(at, quick_plan(at).routes, undone(at)).worth

        kept = max(subsets(table.holdings[self.seat].offer), key=worth)
        self.tickets = [*before, *[graph.tickets[ticket] for ticket in kept]]
        self.plan = quick_plan(stand(graph, table, self.seat, self.tickets)).routes
        return KeepTickets(kept)


def _values(left: Sequence[int], lacking: int) -> list[float]:
    """What a card of each color is worth to a plan, by how many are left over or lacking."""
    if lacking <= 0:
        return [1.0 if number < 0 else 0.1 + 0.02 * number for number in left]
    most = max(left)
    return [1.0 if number < 0 else max(0.3, GRAY - 0.2 * (most - number)) for number in left]
