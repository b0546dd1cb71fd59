"""Games that bots play, position by position."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import TypeVar

from app.bots import choose
from app.rules import Action, Board, Game, Seat, TicketId, deal, legal_actions, play, view
from app.rules.cards import spread
from app.rules.game import Holdings, counted

T = TypeVar("T")

RANDOM = "random"
"""The level of a player who does just anything."""


def act(level: str, game: Game, seat: Seat, rng: Random) -> Action:
    """What a player of this level does."""
    return rng.choice(legal_actions(game, seat)) if level == RANDOM else choose(level, view(game, seat), rng)


def positions(board: Board, levels: tuple[str, ...], seed: int) -> Iterator[Game]:
    """Every position of a game, a level for each seat, its end the last."""
    rng = Random(seed)
    game = deal(board, len(levels), rng.randbytes(32))
    while game.to_act:
        yield game
        seat = rng.choice(game.to_act)
        game, _ = play(game, seat, act(levels[seat], game, seat, rng))
    yield game


def played(board: Board, levels: tuple[str, ...], seed: int) -> Game:
    """Such a game's end."""
    *_, last = positions(board, levels, seed)
    return last


def with_other_secrets(game: Game, seat: Seat, rng: Random) -> Game:
    """The position with all that a seat may not know exchanged: seed, deck, and what the others hold."""
    others = [other for other in range(game.seats) if other != seat]
    hands = [tuple(spread(game.board.cards, game.hands[other])) for other in others]
    tickets = [pile for other in others for pile in _ticket_piles(game.holdings[other])]
    deck, *hands = _dealt_anew([game.deck, *hands], rng)
    ticket_deck, *tickets = _dealt_anew([game.ticket_deck, *tickets], rng)
    held_cards, holdings = list(game.hands), list(game.holdings)
    for number, other in enumerate(others):
        held_cards[other] = counted(game.board, hands[number])
        holdings[other] = Holdings(*tickets[3 * number : 3 * number + 3])
    game = game._replace(hands=tuple(held_cards), holdings=tuple(holdings))
    return game._replace(seed=rng.randbytes(32), deck=deck, ticket_deck=ticket_deck)


def _ticket_piles(held: Holdings) -> tuple[tuple[TicketId, ...], ...]:
    return held.tickets, held.offer, held.returned


def _dealt_anew(piles: Sequence[tuple[T, ...]], rng: Random) -> list[tuple[T, ...]]:
    """The same piles with their contents mixed among them."""
    mixed = [each for pile in piles for each in pile]
    rng.shuffle(mixed)
    rest = iter(mixed)
    return [tuple(islice(rest, len(pile))) for pile in piles]
