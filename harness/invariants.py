"""What is true in every position of every game."""

from collections import Counter
from collections.abc import Iterable

from app.rules import FERRY, Event, Game, Seat, legal_actions
from app.rules.cards import spread
from app.rules.events import FlushStopped
from app.rules.game import Phase, counted


def check(game: Game) -> None:
    """Every invariant of a position at once."""
    check_cards(game)
    check_market(game)
    check_tickets(game)
    check_tokens(game)
    check_routes(game)
    check_questions(game)


def check_cards(game: Game) -> None:
    """No card is lost or made (C3), and no count is below zero."""
    lying = counted(game.board, (*game.deck, *(card for card in game.market if card)))
    piles = (lying, game.discard, *game.hands)
    assert min(map(min, piles)) >= 0
    assert tuple(map(sum, zip(*piles, strict=True))) == game.board.all_cards


def check_market(game: Game) -> None:
    """An empty deck means empty discards (D3), a short market an empty deck (D5)."""
    assert len(game.market) == 5
    assert game.deck or not sum(game.discard)
    assert None not in game.market or not game.deck


def check_flush(before: Game, game: Game, events: Iterable[Event]) -> None:
    """After a move no market is left that should have been flushed (D4), unless it was flushed too often."""
    if _to_be_flushed(game) and FlushStopped("limit") not in events:
        assert _to_be_flushed(before)
        assert game.market == before.market


def _to_be_flushed(game: Game) -> bool:
    outside = [*game.market, *game.deck, *spread(game.board.cards, game.discard)]
    others = sum(card not in (None, FERRY) for card in outside)
    return None not in game.market and game.market.count(FERRY) >= 3 and others >= 3


def check_tickets(game: Game) -> None:
    """Every ticket is in one place (C4)."""
    piles = [game.ticket_deck, *(pile for held in game.holdings for pile in (held.tickets, held.offer, held.returned))]
    assert Counter(ticket for pile in piles for ticket in pile) == Counter(ticket.id for ticket in game.board.tickets)


def check_tokens(game: Game) -> None:
    """Every token is in one place (C5, S2, S5); nobody has two of a symbol, no location two stacks (R7, S5)."""
    for printed, stack in zip(game.board.token_stacks, game.tokens.stacks, strict=True):
        size = 3 if game.seats == 4 else 1 if game.seats == 2 and printed.location is None else 2
        assert 0 <= stack.left <= size
        assert stack.left + sum(symbols.count(stack.symbol) for symbols in game.tokens.owned) == size
        assert stack.location is not None or stack.left == size
    assert all(len(set(symbols)) == len(symbols) for symbols in game.tokens.owned)
    placed = [stack.location for stack in game.tokens.stacks if stack.location]
    assert len(set(placed)) == len(placed)


def check_routes(game: Game) -> None:
    """Cars and points agree with the board (R4, R5), and no pair of twins breaks R6."""
    board, owners = game.board, game.network.owners
    for seat in range(game.seats):
        lengths = [board.route[route].length for route, owner in owners.items() if owner == seat]
        assert game.network.cars[seat] == board.cars_per_player - sum(lengths) >= 0
        assert game.network.points[seat] == sum(board.route_points[length] for length in lengths)
    for route, owner in owners.items():
        twin = board.route[route].twin
        other = owners.get(twin) if twin else None
        assert other is None or (game.seats > 2 and other != owner)


def check_questions(game: Game) -> None:
    """Until the end the game waits for somebody, who has a legal action, and nobody else has any."""
    assert bool(game.to_act) == (game.phase is not Phase.OVER)
    for seat in map(Seat, range(game.seats)):
        assert bool(legal_actions(game, seat)) == (seat in game.to_act)
