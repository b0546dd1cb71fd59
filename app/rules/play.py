"""Playing a move: from one position to the next, with what happened (T)."""

from typing import Literal, assert_never

from .actions import (
    Action,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    IllegalActionError,
    KeepTickets,
    Pass,
    PlaceToken,
    Seat,
)
from .cards import FERRY, Card
from .events import (
    DeckCardDrawn,
    Event,
    FirstTicketsKept,
    GameEnded,
    LastTurnsBegan,
    MarketCardTaken,
    Passed,
    RouteClaimed,
    TicketsDrawn,
    TicketsKept,
    TokenPlaced,
)
from .game import LAST_TURNS_AT, Game, Phase
from .legal import normal_form, refusal
from .table import Table

TICKETS_DRAWN = 2
"""Destination tickets drawn in a turn (K1)."""


def play(game: Game, seat: Seat, action: Action) -> tuple[Game, tuple[Event, ...]]:
    """The position after a seat's action, and what happened.

    Raises:
        IllegalActionError: it is not this seat's time to act, or the rules refuse the action. The game is unchanged.
    """
    if not game.waits_for(seat):
        raise _out_of_turn(game, seat)
    meant = normal_form(game, seat, action)
    reason = refusal(game, seat, meant)
    if reason is not None:
        raise IllegalActionError(reason)
    table = Table(game)
    _carry_out(table, seat, meant)
    return table.game(), tuple(table.events)


def _out_of_turn(game: Game, seat: Seat) -> IllegalActionError:
    if game.phase is Phase.OVER:
        return IllegalActionError("The game is over.")
    if game.phase is Phase.FIRST_TICKETS and 0 <= seat < game.seats:
        return IllegalActionError("You have chosen your tickets; wait for the others.", "not_your_turn")
    return IllegalActionError("It is not your turn.", "not_your_turn")


def _carry_out(table: Table, seat: Seat, action: Action) -> None:
    table.version += 1
    table.passes = table.passes + 1 if isinstance(action, Pass) else 0
    match action:
        case DrawCard():
            _draw_card(table, seat, action)
        case ClaimRoute():
            _claim_route(table, seat, action)
        case DrawTickets():
            _draw_tickets(table, seat)
        case KeepTickets():
            _keep_tickets(table, seat, action)
        case PlaceToken():
            _place_token(table, seat, action)
        case Pass():
            _pass(table, seat)
        case _:
            assert_never(action)


def _draw_card(table: Table, seat: Seat, action: DrawCard) -> None:
    first = table.phase is Phase.TURN
    card = _take_card(table, seat, action.slot)
    only = action.slot is not None and card == FERRY
    if first and not only and _second_card_left(table):
        table.phase = Phase.SECOND_CARD
    else:
        _end_turn(table, seat)


def _take_card(table: Table, seat: Seat, slot: int | None) -> Card:
    if slot is None:
        card = table.draw()
        table.give(seat, card)
        table.events.append(DeckCardDrawn(seat, card))
        table.reshuffle_if_empty()
        return card
    card = table.pick(slot)
    table.events.append(MarketCardTaken(seat, slot, card))
    table.give(seat, card)
    table.fill_market()
    return card


def _second_card_left(table: Table) -> bool:
    """Whether a second card can be taken (D2, D5)."""
    return bool(table.deck) or any(card is not None and card != FERRY for card in table.market)


def _claim_route(table: Table, seat: Seat, action: ClaimRoute) -> None:
    board, held = table.board, table.holdings[seat]
    hand = list(held.cards)
    for card, number in action.payment.items():
        hand[board.card_index[card]] -= number
        table.throw(card, number)
    table.change(seat, held._replace(cards=tuple(hand)))
    table.own(action.route, seat)
    points = board.route_points[board.route[action.route].length]
    table.events.append(RouteClaimed(seat, action.route, action.payment, points))
    if action.token is not None:
        table.take_token(action.token, seat)
    table.settle_discards()
    _end_turn(table, seat)


def _draw_tickets(table: Table, seat: Seat) -> None:
    drawn, table.ticket_deck = table.ticket_deck[:TICKETS_DRAWN], table.ticket_deck[TICKETS_DRAWN:]
    table.change(seat, table.holdings[seat]._replace(offer=drawn))
    table.phase = Phase.KEEP_TICKETS
    table.events.append(TicketsDrawn(seat, len(drawn), drawn))


def _keep_tickets(table: Table, seat: Seat, action: KeepTickets) -> None:
    held = table.holdings[seat]
    returned = tuple(ticket for ticket in held.offer if ticket not in action.tickets)
    kept = held._replace(tickets=held.tickets + action.tickets, offer=())
    if table.phase is Phase.FIRST_TICKETS:
        table.change(seat, kept._replace(returned=returned))
        table.events.append(FirstTicketsKept(seat, action.tickets))
        _end_first_choice(table)
        return
    table.change(seat, kept)
    table.ticket_deck += returned
    table.events.append(TicketsKept(seat, len(action.tickets), len(returned), action.tickets))
    _end_turn(table, seat)


def _end_first_choice(table: Table) -> None:
    """When the last player has chosen, tickets go back under the deck in order of play (S4)."""
    if any(held.offer for held in table.holdings):
        return
    for seat in table.order:
        held = table.holdings[seat]
        table.ticket_deck += held.returned
        table.change(seat, held._replace(returned=()))
    _ask_for_stacks(table)


def _ask_for_stacks(table: Table) -> None:
    """Let the next player place a stack, or the first turn begin when all are placed (S5, S6)."""
    unplaced = sum(stack.location is None for stack in table.stacks)
    if not unplaced:
        _begin_turn(table, table.first_player)
        return
    table.phase = Phase.TOKENS
    table.turn = _placer(table, unplaced)


def _placer(table: Table, unplaced: int) -> Seat:
    """Who places the next stack: the last in the order of play, then the last but one ...; of two the second (S5)."""
    if len(table.holdings) == 2:
        return table.order[-1]
    placed = sum(stack.location is None for stack in table.board.token_stacks) - unplaced
    return table.order[-1 - placed % len(table.holdings)]


def _place_token(table: Table, seat: Seat, action: PlaceToken) -> None:
    table.stacks = tuple(
        stack._replace(location=action.location) if stack.symbol == action.symbol else stack for stack in table.stacks
    )
    table.events.append(TokenPlaced(seat, action.symbol, action.location))
    _ask_for_stacks(table)


def _pass(table: Table, seat: Seat) -> None:
    table.events.append(Passed(seat))
    _end_turn(table, seat)


def _end_turn(table: Table, seat: Seat) -> None:
    if table.last_turns is not None or table.network.cars[seat] <= LAST_TURNS_AT:
        _count_last_turns(table, seat)
    if table.last_turns == 0:
        _end_game(table, "last_turns")
    elif table.passes == len(table.holdings):
        _end_game(table, "all_passed")
    else:
        _begin_turn(table, Seat((seat + 1) % len(table.holdings)))


def _count_last_turns(table: Table, seat: Seat) -> None:
    """One turn less, or the first of the last turns (F1)."""
    if table.last_turns is not None:
        table.last_turns -= 1
    else:
        table.last_turns = len(table.holdings)
        table.events.append(LastTurnsBegan(seat, table.last_turns))


def _begin_turn(table: Table, seat: Seat) -> None:
    table.phase = Phase.TURN
    table.turn = seat


def _end_game(table: Table, reason: Literal["last_turns", "all_passed"]) -> None:
    table.phase = Phase.OVER
    table.events.append(GameEnded(reason))
