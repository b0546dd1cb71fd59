"""The start of a game, determined by a seed (S1 to S4)."""

from .actions import Seat
from .board import Board
from .cards import spread
from .events import Event
from .game import (
    MARKET_SIZE,
    SEATS,
    Game,
    Holdings,
    Phase,
    counted,
)
from .network import Network
from .shuffle import SEED_BYTES, below, shuffled, words
from .table import Table
from .tokens import tokens_at_start

DEALT_CARDS = 2
DEALT_TICKETS = 2


def deal(board: Board, seats: int, seed: bytes) -> Game:
    """The start of a game (S1 to S4), in which all players choose their first tickets.

    The streams `first player`, `deck` and `tickets` of the seed decide. Seat 0 gets the first two cards of the shuffled
    deck, seat 1 the next two, and so on; then come the five of the market. Tickets are dealt likewise.

    Raises:
        ValueError: `seats` is not in `SEATS`, or the seed has not 32 bytes.
    """
    return deal_with_events(board, seats, seed)[0]


def deal_with_events(board: Board, seats: int, seed: bytes) -> tuple[Game, tuple[Event, ...]]:
    """`deal` with its events: a market dealt with three ferries is flushed (S3, D4)."""
    if seats not in SEATS:
        raise ValueError(f"{SEATS[0]} to {SEATS[-1]} can play, not {seats}.")
    if len(seed) != SEED_BYTES:
        raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
    events: list[Event] = []
    table = Table(_laid_out(board, seats, seed), events.append)
    table.fill_market()
    return table.frozen(), tuple(events)


def _laid_out(board: Board, seats: int, seed: bytes) -> Game:
    deck = shuffled(spread(board.cards, board.all_cards), seed, "deck")
    tickets = shuffled([ticket.id for ticket in board.tickets], seed, "tickets")
    first = Seat(below(words(seed, "first player"), seats))
    hands = [deck[seat * DEALT_CARDS : (seat + 1) * DEALT_CARDS] for seat in range(seats)]
    offers = [tickets[seat * DEALT_TICKETS : (seat + 1) * DEALT_TICKETS] for seat in range(seats)]
    return Game(
        board=board,
        seed=seed,
        version=0,
        phase=Phase.FIRST_TICKETS,
        first_player=first,
        turn=first,
        hands=tuple([counted(board, hand) for hand in hands]),
        holdings=tuple([Holdings(offer=offer) for offer in offers]),
        deck=deck[seats * DEALT_CARDS :],
        market=(None,) * MARKET_SIZE,
        discard=counted(board, ()),
        reshuffles=0,
        ticket_deck=tickets[seats * DEALT_TICKETS :],
        tokens=tokens_at_start(board, seats),
        network=Network.empty(board, seats),
        passes=0,
        last_turns=None,
    )
