"""Whole games by programs of different tempers, and a census of the rare states they come through."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from random import Random

from app.rules import (
    FERRY,
    Action,
    Board,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    Event,
    Game,
    KeepTickets,
    Pass,
    Seat,
    Symbol,
    deal,
    legal_actions,
    play,
    score,
)
from app.rules.events import DeckReshuffled, FlushStopped, GameEnded, MarketFlushed, TicketsDrawn
from app.rules.game import Phase
from app.rules.legal import open_tokens
from harness.positions import ALL_BOARDS

Temper = Callable[[Sequence[Action], Random], Action]
Move = tuple[Game, Seat, Action, Game, tuple[Event, ...]]


def anything(legal: Sequence[Action], rng: Random) -> Action:
    """Any legal action, each equally likely."""
    return rng.choice(legal)


def rather(*kinds: type[Action]) -> Temper:
    """Any action of the first of these kinds that is open, or else any. Claims are the last of the legal actions."""

    def choose(legal: Sequence[Action], rng: Random) -> Action:
        others = list(takewhile(lambda action: not isinstance(action, ClaimRoute), legal))
        for kind in kinds:
            fitting = [place for place, action in enumerate(others) if isinstance(action, kind)]
            if places := range(len(others), len(legal)) if kind is ClaimRoute else fitting:
                return legal[rng.choice(places)]
        return rng.choice(legal)

    return choose


def greedy(legal: Sequence[Action], rng: Random) -> Action:
    """Keeps all tickets, claims what it can with as many ferries as it can, and else looks for tickets."""
    return max(legal, key=lambda action: (_eagerness(action), rng.random()))


def _eagerness(action: Action) -> tuple[int, int]:
    match action:
        case ClaimRoute():
            return 3, action.payment.get(FERRY, 0)
        case DrawTickets():
            return 2, 0
        case KeepTickets():
            return 1, len(action.tickets)
        case _:
            return 0, 0


TEMPERS: dict[str, Temper] = {
    "anything": anything,
    "greedy": greedy,
    "hoarder": rather(DrawCard, DrawTickets, Pass),
    "collector": rather(DrawTickets, KeepTickets, DrawCard),
    "builder": rather(ClaimRoute, DrawCard),
}


def playout(game: Game, tempers: Sequence[Temper], rng: Random) -> Iterator[Move]:
    """The moves of a game to its end; the tempers are those of the seats, in turn."""
    while game.to_act:
        seat = rng.choice(game.to_act)
        action = tempers[seat % len(tempers)](legal_actions(game, seat), rng)
        before = game
        game, events = play(before, seat, action)
        yield before, seat, action, game, events


def game_number(number: int) -> tuple[Game, list[Temper], Random]:
    """A start for each number: boards, seats and tempers in turn, the rest by chance from the number alone."""
    rng = Random(number)
    board: Board = ALL_BOARDS[number % len(ALL_BOARDS)]
    seats = 2 + number // len(ALL_BOARDS) % 3
    tempers = [rng.choice([*TEMPERS.values()]) for _ in range(seats)]
    if number // 15 % 2:
        tempers = [tempers[0]] * seats
    return deal(board, seats, rng.randbytes(32)), tempers, rng


STATES = (
    "deck and discards empty",
    "market short",
    "market empty",
    "no second card",
    "second card only from the deck",
    "flush",
    "flush after flush",
    "flush refused: few cards",
    "flush stopped: limit",
    "short market with three ferries",
    "nothing but pass",
    "all have passed",
    "last turns to the end",
    "ticket deck at 1",
    "ticket deck at 0",
    "single ticket drawn",
    "third reshuffle",
    "claim of ferries alone",
    "choice of two tokens",
    "claim without a token",
    "twin closed",
    "twins of two owners",
    "no car left",
    "score below zero",
    "victory shared",
    "tie broken by tickets",
)


def census(moves: Iterator[Move], check: Callable[[Game], None], every: int) -> Counter[str]:
    """How often each of `STATES` was met in a game; every so many moves, and at the end, the position is checked."""
    met: Counter[str] = Counter(games=1)
    game = None
    for before, seat, action, game, events in moves:
        met["moves"] += 1
        met.update(_states(before, seat))
        met.update(_happenings(before, action, game, events))
        if game.version % every == 0:
            check(game)
    assert game is not None
    check(game)
    met.update(_endings(game))
    return met


def _states(game: Game, seat: Seat) -> Iterator[str]:
    """What is special about a position."""
    if game.phase is Phase.SECOND_CARD and all(card in (None, FERRY) for card in game.market):
        yield "second card only from the deck"
    if game.phase is not Phase.TURN:
        return
    if not game.deck and not any(game.discard):
        yield "deck and discards empty"
    if None in game.market:
        yield "market short"
        yield from ("market empty",) * (not any(game.market))
        yield from ("short market with three ferries",) * (game.market.count(FERRY) >= 3)
    if len(game.ticket_deck) < 2:
        yield f"ticket deck at {len(game.ticket_deck)}"
    if isinstance(legal_actions(game, seat)[0], Pass):
        yield "nothing but pass"


def _happenings(before: Game, action: Action, game: Game, events: tuple[Event, ...]) -> Iterator[str]:
    """What is special about a move."""
    match action:
        case DrawCard(slot) if before.phase is Phase.TURN and game.phase is not Phase.SECOND_CARD:
            if slot is None or before.market[slot] != FERRY:
                yield "no second card"
        case ClaimRoute(payment=payment, token=token):
            yield from ("claim of ferries alone",) * (set(payment) == {FERRY})
            yield from ("claim without a token",) * (token is None)
            yield from ("choice of two tokens",) * (len(_tokens(before, action)) == 2)
    yield from _event_states(events)
    if game.reshuffles == 3 > before.reshuffles:
        yield "third reshuffle"


def _tokens(game: Game, claim: ClaimRoute) -> tuple[Symbol, ...]:
    return open_tokens(game, game.turn, game.board.route[claim.route])


def _event_states(events: tuple[Event, ...]) -> Iterator[str]:
    flushes = sum(isinstance(event, MarketFlushed) for event in events)
    yield from ("flush",) * (flushes > 0)
    yield from ("flush after flush",) * (flushes > 1)
    for event in events:
        match event:
            case FlushStopped("few_cards"):
                yield "flush refused: few cards"
            case FlushStopped("limit"):
                yield "flush stopped: limit"
            case TicketsDrawn(number=1):
                yield "single ticket drawn"
            case GameEnded(reason):
                yield "all have passed" if reason == "all_passed" else "last turns to the end"
            case DeckReshuffled():
                yield "reshuffle"


def _endings(game: Game) -> Iterator[str]:
    """What is special about a finished game."""
    yield from ("twin closed",) * bool(game.network.closed)
    pairs = ((route.id, route.twin) for route in game.board.routes if route.twin)
    yield from ("twins of two owners",) * any(
        one in game.network.owners and other in game.network.owners for one, other in pairs
    )
    yield from ("no car left",) * (0 in game.network.cars)
    lines = score(game)
    yield from ("score below zero",) * any(line.total < 0 for line in lines)
    winners = [line for line in lines if line.rank == 1]
    yield from ("victory shared",) * (len(winners) > 1)
    yield from ("tie broken by tickets",) * (
        len(winners) == 1 and sum(line.total == winners[0].total for line in lines) > 1
    )


def table(met: Counter[str]) -> str:
    """The census as lines to read."""
    rows = [f"{met['games']} games, {met['moves']} moves", *(f"{met[state]:>9}  {state}" for state in STATES)]
    return "\n".join(rows)
