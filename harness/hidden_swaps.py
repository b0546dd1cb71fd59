"""Swaps what a viewer may not know: the new game has to look the same to that viewer."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from app.rules import (
    FERRY,
    Action,
    Card,
    ClaimRoute,
    DrawTickets,
    Event,
    Game,
    KeepTickets,
    Pass,
    Seat,
    TicketId,
    Viewer,
)
from app.rules.cards import spread
from app.rules.events import DeckCardDrawn, DeckReshuffled, FlushStopped, MarketFilled, MarketFlushed
from app.rules.game import Holdings, Phase, counted
from app.rules.legal import legal_actions
from harness.playouts import Move


@dataclass
class Learned:
    """Which hidden things a move shows to the viewer, and which must stay so that the move is possible.

    `deck`: places of the deck that turn up. `stay`: cards that stay in a hand. `ferries`: the number of ferries in the
    deck must stay, since a flush depends on it (D4). `tickets`: how many from the top of the ticket deck are seen.
    `revealed`: others' tickets (F2). `numbers`: how many first tickets each kept (K3). `seed`: a shuffle happens.
    """

    deck: set[int] = field(default_factory=set)
    stay: dict[Seat, Counter[Card]] = field(default_factory=dict)
    ferries: bool = False
    tickets: int = 0
    revealed: bool = False
    numbers: bool = False
    seed: bool = False


def learned_by(move: Move, viewer: Viewer) -> Learned:
    """What a viewer learns by a move."""
    before, seat, action, after, events = move
    what = Learned(
        deck=set(_turned_up(events, viewer)),
        ferries=any(isinstance(event, MarketFlushed | FlushStopped) for event in events),
        revealed=after.phase is Phase.OVER,
        numbers=after.phase is not Phase.FIRST_TICKETS,
        seed=any(isinstance(event, DeckReshuffled) for event in events),
    )
    match action:
        case ClaimRoute(payment=payment):
            what.stay[seat] = Counter(payment)
        case Pass():
            what.stay[seat] = Counter(spread(before.board.cards, before.hands[seat]))
        case DrawTickets() if seat == viewer:
            what.tickets = 2
    return what


def _turned_up(events: Iterable[Event], viewer: Viewer) -> Iterable[int]:
    """Places of the deck whose cards the viewer sees, up to the first shuffle."""
    place = 0
    for event in events:
        match event:
            case MarketFilled():
                yield place
                place += 1
            case DeckCardDrawn(seat=seat):
                yield from (place,) * (seat == viewer)
                place += 1
            case DeckReshuffled():
                return


def swap_hidden(game: Game, viewer: Viewer, rng: Random, what: Learned) -> Game:
    """A game that differs only in what the viewer doesn't know and doesn't learn by the next move."""
    game = _other_cards(game, viewer, rng, what)
    game = _other_tickets(game, viewer, rng, what)
    return game if what.seed else game._replace(seed=rng.randbytes(32))


def _others(game: Game, viewer: Viewer) -> list[Seat]:
    return [seat for seat in map(Seat, range(game.seats)) if seat != viewer]


def _other_cards(game: Game, viewer: Viewer, rng: Random, what: Learned) -> Game:
    """Swap cards among the other hands and the deck, which keep their sizes."""
    deck = list(game.deck)
    hands = {seat: Counter(spread(game.board.cards, game.hands[seat])) for seat in _others(game, viewer)}
    hidden: list[tuple[Seat | None, int, Card]] = [
        (None, place, card) for place, card in enumerate(deck) if place not in what.deck
    ]
    for seat, hand in hands.items():
        free = hand - what.stay.get(seat, Counter())
        hidden += [(seat, 0, card) for card in free.elements()]
        hand.subtract(free)
    for where, place, card in _swapped(hidden, rng, ferries_apart=what.ferries):
        if where is None:
            deck[place] = card
        else:
            hands[where][card] += 1
    held = tuple(
        counted(game.board, hands[Seat(seat)].elements()) if seat in hands else hand
        for seat, hand in enumerate(game.hands)
    )
    return game._replace(deck=tuple(deck), hands=held)


def _swapped(
    hidden: list[tuple[Seat | None, int, Card]], rng: Random, *, ferries_apart: bool
) -> Iterable[tuple[Seat | None, int, Card]]:
    groups = [[each for each in hidden if (each[2] == FERRY and ferries_apart) is ferry] for ferry in (True, False)]
    for group in groups:
        drawn = rng.sample([card for *_, card in group], len(group))
        yield from ((where, place, card) for (where, place, _), card in zip(group, drawn, strict=True))


def _other_tickets(game: Game, viewer: Viewer, rng: Random, what: Learned) -> Game:
    """Swap tickets among the other seats and the deck. During the first choice the number kept may change too."""
    fixed = what.numbers or game.phase is not Phase.FIRST_TICKETS
    others = [] if what.revealed or game.phase is Phase.OVER else _others(game, viewer)
    top, rest = game.ticket_deck[: what.tickets], game.ticket_deck[what.tickets :]
    hidden = [*rest, *(ticket for seat in others for pile in _piles(game.holdings[seat]) for ticket in pile)]
    rng.shuffle(hidden)
    holdings = list(game.holdings)
    for seat in others:
        holdings[seat] = _dealt_anew(holdings[seat], hidden, rng, fixed=fixed)
    return game._replace(holdings=tuple(holdings), ticket_deck=(*top, *hidden))


def _piles(held: Holdings) -> tuple[tuple[TicketId, ...], ...]:
    return held.tickets, held.offer, held.returned


FIRST_CHOICES = [[1, 0, 1], [2, 0, 0]]
"""Numbers of tickets kept, on offer and returned after the first choice (S4)."""


def _dealt_anew(held: Holdings, hidden: list[TicketId], rng: Random, *, fixed: bool) -> Holdings:
    sizes = [len(pile) for pile in _piles(held)]
    if sizes in FIRST_CHOICES and not fixed:
        sizes = rng.choice(FIRST_CHOICES)
    tickets, offer, returned = ([hidden.pop() for _ in range(size)] for size in sizes)
    return held._replace(tickets=tuple(tickets), offer=tuple(offer), returned=tuple(returned))


def same_action(move: Move, other: Game, viewer: Viewer, rng: Random) -> Action:
    """The action in the other game after which the viewer should see the same."""
    before, seat, action, after, _ = move
    if seat == viewer or not isinstance(action, KeepTickets):
        return action
    if after.phase is Phase.FIRST_TICKETS:
        return rng.choice(legal_actions(other, seat))
    offer = before.holdings[seat].offer
    return KeepTickets(tuple(other.holdings[seat].offer[offer.index(ticket)] for ticket in action.tickets))
