"""Carries out moves (T)."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

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
from .board import Symbol
from .cards import FERRY, Card
from .events import (
    Event,
    FirstTicketsKept,
    GameEnded,
    LastTurnsBegan,
    Passed,
    RouteClaimed,
    TicketsDrawn,
    TicketsKept,
    TokenPlaced,
    TokenTaken,
)
from .game import (
    AFTER,
    FIRST_TICKETS,
    KEEP_TICKETS,
    LAST_TURNS_AT,
    OVER,
    SECOND_CARD,
    TOKENS,
    TURN,
    Game,
    Holdings,
)
from .legal import normal_form, refusal
from .reasons import Reason
from .table import Position, Table

CHOSEN = Reason("tickets_chosen", "You have chosen your tickets; wait for the others.")

TICKETS_DRAWN = 2
"""The number of destination tickets drawn in a turn (K1)."""


def play(game: Game, seat: Seat, action: Action) -> tuple[Game, tuple[Event, ...]]:
    """The position after a seat's action, and its events.

    Raises:
        IllegalActionError: the seat is not to act, or the action is illegal. The game is unchanged.
    """
    events: list[Event] = []
    table = Table(game, events.append)
    play_on(table, seat, action)
    return table.frozen(), tuple(events)


def play_on(table: Table, seat: Seat, action: Action) -> None:
    """`play` on a table, for simulations that need no position in between.

    Raises:
        IllegalActionError: as for `play`. The table is unchanged.
    """
    if not table.waits_for(seat):
        raise _out_of_turn(table, seat)
    meant = normal_form(table, seat, action)
    reason = refusal(table, seat, meant)
    if reason is not None:
        raise IllegalActionError(reason)
    carry_out(table, seat, meant)


def carry_out(table: Table, seat: Seat, action: Action) -> None:
    """`play_on` without checks, for one of the seat's `legal_actions`. Any other action would corrupt the table."""
    table.version += 1
    _CARRY_OUT[type(action)](table, seat, action)


def _out_of_turn(game: Position, seat: Seat) -> IllegalActionError:
    if game.phase is OVER:
        return IllegalActionError(Reason("game_over", "The game is over."))
    if game.phase is FIRST_TICKETS and 0 <= seat < game.seats:
        return IllegalActionError(CHOSEN, "not_your_turn")
    return IllegalActionError(Reason("not_your_turn", "It is not your turn."), "not_your_turn")


def _draw_card(table: Table, seat: Seat, action: DrawCard) -> None:
    slot = action.slot
    card = table.draw_from_deck(seat) if slot is None else table.draw_from_market(seat, slot)
    if table.phase is TURN and (slot is None or card != FERRY) and (table.deck or _may_be_second(table.market)):
        table.phase = SECOND_CARD
    else:
        _end_turn(table, seat)


def _may_be_second(market: Sequence[Card | None]) -> bool:
    """Whether the market has a card that may be drawn second (D2)."""
    return any(card is not None and card != FERRY for card in market)


def _claim_route(table: Table, seat: Seat, action: ClaimRoute) -> None:
    board = table.board
    route = board.route[action.route]
    table.spend(seat, action.payment)
    table.claim(route, seat)
    if table.tell:
        table.tell(RouteClaimed(seat, action.route, action.payment, board.route_points[route.length]))
    if action.token is not None:
        _take_token(table, seat, action.token)
    table.settle_discards()
    _end_turn(table, seat)


def _take_token(table: Table, seat: Seat, symbol: Symbol) -> None:
    table.tokens = table.tokens.taken(table.board, symbol, seat)
    if table.tell:
        location = table.tokens.stacks[table.board.stack_index[symbol]].location
        table.tell(TokenTaken(seat, symbol, location))


def _draw_tickets(table: Table, seat: Seat, _: DrawTickets) -> None:
    drawn, table.ticket_deck = table.ticket_deck[:TICKETS_DRAWN], table.ticket_deck[TICKETS_DRAWN:]
    table.holdings[seat] = Holdings(table.holdings[seat].tickets, drawn)
    table.phase = KEEP_TICKETS
    if table.tell:
        table.tell(TicketsDrawn(seat, len(drawn), drawn))


def _keep_tickets(table: Table, seat: Seat, action: KeepTickets) -> None:
    held, kept = table.holdings[seat], action.tickets
    returned = tuple([ticket for ticket in held.offer if ticket not in kept])
    if table.phase is FIRST_TICKETS:
        table.holdings[seat] = Holdings(held.tickets + kept, returned=returned)
        if table.tell:
            table.tell(FirstTicketsKept(seat, kept))
        _end_first_choice(table)
        return
    table.holdings[seat] = Holdings(held.tickets + kept)
    table.ticket_deck += returned
    if table.tell:
        table.tell(TicketsKept(seat, len(kept), len(returned), kept))
    _end_turn(table, seat)


def _end_first_choice(table: Table) -> None:
    """When all have chosen, put the returned tickets under the deck in the order of play (S4)."""
    if any(held.offer for held in table.holdings):
        return
    for seat in table.order:
        held = table.holdings[seat]
        table.ticket_deck += held.returned
        table.holdings[seat] = Holdings(held.tickets)
    _ask_for_stacks(table)


def _ask_for_stacks(table: Table) -> None:
    """Let the next player place a stack, or begin the first turn when all are placed (S5, S6)."""
    unplaced = sum([stack.location is None for stack in table.tokens.stacks])
    if not unplaced:
        table.phase, table.turn = TURN, table.first_player
        return
    table.phase = TOKENS
    table.turn = _placer(table, unplaced)


def _placer(table: Table, unplaced: int) -> Seat:
    """Who places the next stack: players in reverse order of play; with two players, always the second (S5)."""
    if len(table.holdings) == 2:
        return table.order[-1]
    placed = sum(stack.location is None for stack in table.board.token_stacks) - unplaced
    return table.order[-1 - placed % len(table.holdings)]


def _place_token(table: Table, seat: Seat, action: PlaceToken) -> None:
    table.tokens = table.tokens.placed(table.board, action.symbol, action.location)
    if table.tell:
        table.tell(TokenPlaced(seat, action.symbol, action.location))
    _ask_for_stacks(table)


def _pass(table: Table, seat: Seat, _: Pass) -> None:
    if table.tell:
        table.tell(Passed(seat))
    _end_turn(table, seat, table.passes + 1)


def _end_turn(table: Table, seat: Seat, passes: int = 0) -> None:
    table.passes = passes
    if table.last_turns is not None or table.network.cars[seat] <= LAST_TURNS_AT:
        _count_last_turns(table, seat)
    seats = len(table.holdings)
    if table.last_turns == 0:
        _end_game(table, "last_turns")
    elif passes == seats:
        _end_game(table, "all_passed")
    else:
        table.phase = TURN
        table.turn = AFTER[seats][seat]


def _count_last_turns(table: Table, seat: Seat) -> None:
    """Count one of the last turns, or begin them (F1)."""
    if table.last_turns is not None:
        table.last_turns -= 1
    else:
        table.last_turns = len(table.holdings)
        if table.tell:
            table.tell(LastTurnsBegan(seat, table.last_turns))


def _end_game(table: Table, reason: Literal["last_turns", "all_passed"]) -> None:
    table.phase = OVER
    if table.tell:
        table.tell(GameEnded(reason))


_CARRY_OUT: dict[type[Action], Callable[[Table, Seat, Any], None]] = {
    KeepTickets: _keep_tickets,
    PlaceToken: _place_token,
    DrawCard: _draw_card,
    DrawTickets: _draw_tickets,
    ClaimRoute: _claim_route,
    Pass: _pass,
}
