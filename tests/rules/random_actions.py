"""Actions nobody should send: legal ones gone wrong, and anything that can be written with the board's own words."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from app.rules import (
    Action,
    Card,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    Game,
    KeepTickets,
    LocationId,
    Pass,
    PlaceToken,
    RouteId,
    Seat,
    Symbol,
    TicketId,
    legal_actions,
)


def random_action(game: Game, seat: Seat, rng: Random) -> Action:
    """An action of any kind, legal by chance only; half of them are a legal one with something changed."""
    legal = legal_actions(game, seat)
    if legal and rng.random() < 0.5:
        return _spoiled(game, rng.choice(legal), rng)
    return rng.choice(KINDS)(game, rng)


def _spoiled(game: Game, action: Action, rng: Random) -> Action:
    match action:
        case ClaimRoute():
            return rng.choice(
                [
                    replace(action, payment=_changed(game, dict(action.payment), rng)),
                    replace(action, token=_symbol(game, rng)),
                    replace(action, token=None),
                    replace(action, route=_route(game, rng)),
                ]
            )
        case KeepTickets():
            return KeepTickets((*action.tickets[rng.randrange(2) :], *_tickets(game, rng)))
        case PlaceToken():
            return rng.choice(
                [replace(action, symbol=_symbol(game, rng)), replace(action, location=_location(game, rng))]
            )
        case _:
            return rng.choice(KINDS)(game, rng)


def _changed(game: Game, payment: dict[Card, int], rng: Random) -> dict[Card, int]:
    """One card more, fewer or of another kind; or one kind with another number."""
    card = rng.choice(list(payment))
    payment[card] += rng.choice((-1, 1))
    if rng.random() < 0.5:
        other = _card(game, rng)
        payment[other] = payment.get(other, 0) + 1
    if rng.random() < 0.5:
        payment = {card: number for card, number in payment.items() if number}
    return payment


def _card(game: Game, rng: Random) -> Card:
    return rng.choice((*game.board.cards, Card("plaid")))


def _symbol(game: Game, rng: Random) -> Symbol:
    return rng.choice((*(stack.symbol for stack in game.tokens.stacks), Symbol("moustache")))


def _route(game: Game, rng: Random) -> RouteId:
    return rng.choice((*(route.id for route in game.board.routes), RouteId("nowhere--nowhere")))


def _location(game: Game, rng: Random) -> LocationId:
    return rng.choice((*(place.id for place in game.board.locations), LocationId("nowhere")))


def _tickets(game: Game, rng: Random) -> list[TicketId]:
    return rng.choices([*(ticket.id for ticket in game.board.tickets), TicketId("lost")], k=rng.randrange(4))


def _draw_card(game: Game, rng: Random) -> Action:
    return DrawCard(rng.choice((None, *range(-2, 8), 2**40)))


def _claim(game: Game, rng: Random) -> Action:
    payment = {_card(game, rng): rng.randrange(-1, 8) for _ in range(rng.randrange(4))}
    return ClaimRoute(_route(game, rng), payment, rng.choice((None, _symbol(game, rng))))


def _keep(game: Game, rng: Random) -> Action:
    return KeepTickets(tuple(_tickets(game, rng)))


def _place(game: Game, rng: Random) -> Action:
    return PlaceToken(_symbol(game, rng), _location(game, rng))


KINDS: tuple[Callable[[Game, Random], Action], ...] = (
    _draw_card,
    _claim,
    _keep,
    _place,
    lambda game, rng: DrawTickets(),
    lambda game, rng: Pass(),
)
