"""Any position of a game in one call, written as the rule book writes it.

    position("R2 F1", "K", market="R U G K P", deck="F", owners={"r1": P1}, tickets=["t1", "t2 t3"])

is a position of two seats on the board M0 with seat P1 to take its turn. Cards are letters (R red, U blue, G green,
K black, P purple, O orange, F ferry) or the board's own names, `R2` is two of them, `_` an empty place of the market.
What a call doesn't name goes where `rest` and `rest_tickets` say, so that nothing is ever lost: under the deck unless
told otherwise, or to a seat ("P2").
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from app.boards import load_board
from app.rules import (
    Action,
    Board,
    Card,
    ClaimRoute,
    DrawCard,
    Event,
    Game,
    IllegalActionError,
    KeepTickets,
    LocationId,
    RouteId,
    Seat,
    Symbol,
    TicketId,
    deal,
    play,
)
from app.rules.game import MARKET_SIZE, Holdings, Phase, counted
from app.rules.network import Network
from app.rules.tokens import Stack, Tokens
from harness.paths import BOARDS

T = TypeVar("T")

P1, P2, P3, P4 = map(Seat, range(4))

SAN_FRANCISCO = load_board("san-francisco")
M0 = load_board(BOARDS / "m0.json")
ARCHIPELAGO = load_board(BOARDS / "archipelago.json")
FLOOD = load_board(BOARDS / "flood.json")
DROUGHT = load_board(BOARDS / "drought.json")
ALL_BOARDS = (SAN_FRANCISCO, M0, ARCHIPELAGO, FLOOD, DROUGHT)

SEED = bytes(range(32))
LETTERS = {"R": "red", "U": "blue", "G": "green", "K": "black", "P": "purple", "O": "orange", "F": "ferry"}

BLIND = DrawCard(None)
"""The top of the deck."""


def cards(text: str) -> list[Card]:
    """Single cards, from `R2 F`."""
    return [card for word in text.split() for card in _repeated(word)]


def _repeated(word: str) -> list[Card]:
    name = word.rstrip("0123456789")
    return [Card(LETTERS.get(name, name))] * int(word.removeprefix(name) or 1)


def card(text: str) -> Card:
    """A single card, from `R`."""
    return cards(text)[0]


def paid(text: str) -> dict[Card, int]:
    """A payment, from `R2 F`."""
    return dict(Counter(cards(text)))


def take(slot: int) -> DrawCard:
    """Draw the card in a place of the market."""
    return DrawCard(slot)


def keep(text: str) -> KeepTickets:
    """Keep tickets, from `t1 t2`."""
    return KeepTickets(tuple(map(TicketId, text.split())))


def claim(route: str, payment: str, token: str | None = None) -> ClaimRoute:
    """Claim a route, from `r1` and `R2 F`."""
    return ClaimRoute(RouteId(route), paid(payment), None if token is None else Symbol(token))


def position(
    *hands: str,
    board: Board = M0,
    seats: int | None = None,
    market: str | None = None,
    deck: str = "",
    discard: str = "",
    rest: str = "deck",
    owners: Mapping[str, Seat] | None = None,
    tickets: Sequence[str] = (),
    offers: Sequence[str] = (),
    returned: Sequence[str] = (),
    ticket_deck: str = "",
    rest_tickets: str = "deck",
    tokens: Sequence[str] = (),
    stacks: Mapping[str, str | None] | None = None,
    turn: Seat = P1,
    first_player: Seat = P1,
    phase: Phase = Phase.TURN,
    last_turns: int | None = None,
    passes: int = 0,
    reshuffles: int = 0,
    seed: bytes = SEED,
) -> Game:
    """The position. `deck` and `ticket_deck` are what lies on top; `stacks` moves stacks, or takes them off with None.

    Raises:
        ValueError: the board has not so much of something, or no game ever stands so (D3, D5).
    """
    seats = seats or max(2, len(hands))
    laid, piles = _card_piles(board, _padded(hands, seats), market, {"deck": deck, "discard": discard}, rest)
    owned = _ticket_piles(board, [_padded(each, seats) for each in (tickets, offers, returned)], ticket_deck)
    unnamed = _unnamed([ticket.id for ticket in board.tickets], [each for pile in owned.values() for each in pile])
    owned[rest_tickets] += unnamed
    held = tuple(tuple(map(Symbol, text.split())) for text in _padded(tokens, seats))
    start = deal(board, seats, seed)
    return start._replace(
        phase=phase,
        first_player=first_player,
        turn=turn,
        hands=tuple(counted(board, piles[f"P{number}"]) for number in range(1, seats + 1)),
        holdings=tuple(
            Holdings(
                tickets=tuple(owned[f"P{number}"]),
                offer=tuple(owned[f"offer {number}"]),
                returned=tuple(owned[f"returned {number}"]),
            )
            for number in range(1, seats + 1)
        ),
        deck=tuple(piles["deck"]),
        market=laid,
        discard=counted(board, piles["discard"]),
        reshuffles=reshuffles,
        ticket_deck=tuple(owned["deck"]),
        tokens=Tokens.of(board, tuple(_stacks(start, stacks or {}, held)), held),
        network=_network(start, owners or {}),
        passes=passes,
        last_turns=last_turns,
    )


def _padded(texts: Sequence[str], seats: int) -> list[str]:
    return [*texts, *[""] * (seats - len(texts))]


def _unnamed(everything: Iterable[T], named: Iterable[T]) -> list[T]:
    left = Counter(everything)
    left.subtract(named)
    if min(left.values(), default=0) < 0:
        raise ValueError(f"the board has not so many: {-left}")
    return list(left.elements())


def _card_piles(
    board: Board, hands: list[str], market: str | None, piles_named: Mapping[str, str], rest: str
) -> tuple[tuple[Card | None, ...], dict[str, list[Card]]]:
    """The market, and what lies in the piles and hands."""
    piles = {name: cards(text) for name, text in piles_named.items()}
    piles |= {f"P{seat + 1}": cards(hand) for seat, hand in enumerate(hands)}
    everything = [card for card, number in zip(board.cards, board.all_cards, strict=True) for _ in range(number)]
    left = _unnamed(everything, [card for pile in piles.values() for card in pile])
    laid = _one_of_each(board, left) if market is None else _written(market)
    piles[rest] += _unnamed(left, [card for card in laid if card])
    if not piles["deck"] and piles["discard"]:
        raise ValueError("discards become the deck as soon as it is empty (D3)")
    if piles["deck"] and None in laid:
        raise ValueError("the market is short only when deck and discards are empty (D5)")
    return laid, piles


def _written(market: str) -> tuple[Card | None, ...]:
    laid = tuple(None if word == "_" else card(word) for word in market.split())
    if len(laid) != MARKET_SIZE:
        raise ValueError(f"the market has {MARKET_SIZE} places: {market!r}")
    return laid


def _one_of_each(board: Board, left: list[Card]) -> tuple[Card | None, ...]:
    """A market of as many colors as there are."""
    rounds = range(1, board.cards_per_color + 1)
    return tuple(color for number in rounds for color in board.colors if left.count(color) >= number)[:MARKET_SIZE]


def _ticket_piles(board: Board, texts: Sequence[list[str]], ticket_deck: str) -> dict[str, list[TicketId]]:
    piles = {"deck": ticket_deck}
    for name, each in zip(("P", "offer ", "returned "), texts, strict=True):
        piles |= {f"{name}{seat}": text for seat, text in enumerate(each, 1)}
    return {name: [TicketId(ticket) for ticket in text.split()] for name, text in piles.items()}


def _stacks(start: Game, moved: Mapping[str, str | None], held: Sequence[tuple[Symbol, ...]]) -> Iterable[Stack]:
    for stack in start.tokens.stacks:
        at = moved.get(stack.symbol, stack.location)
        left = stack.left - sum(stack.symbol in tokens for tokens in held)
        if left < 0:
            raise ValueError(f"there are only {stack.left} of {stack.symbol}")
        yield stack._replace(location=None if at is None else LocationId(at), left=left)


def _network(start: Game, owners: Mapping[str, Seat]) -> Network:
    network = start.network
    for route, seat in owners.items():
        network = network.claimed(start.board.route[RouteId(route)], seat)
    return network


def after(game: Game, *actions: Action) -> Game:
    """The position after actions, each by the first seat to act."""
    return happened(game, *actions)[0]


def happened(game: Game, *actions: Action) -> tuple[Game, tuple[Event, ...]]:
    """The position after actions, each by the first seat to act, and all that happened."""
    events: tuple[Event, ...] = ()
    for action in actions:
        game, more = play(game, game.to_act[0], action)
        events += more
    return game, events


def refused(game: Game, seat: Seat, action: Action) -> IllegalActionError:
    """The refusal of an action that has to be refused."""
    try:
        play(game, seat, action)
    except IllegalActionError as error:
        return error
    raise AssertionError(f"{action} was not refused")


def hand(game: Game, seat: Seat) -> dict[Card, int]:
    """The cards of a seat by name."""
    return {card: number for card, number in zip(game.board.cards, game.hands[seat], strict=True) if number}


def discards(game: Game) -> dict[Card, int]:
    """The discards by name."""
    return {card: number for card, number in zip(game.board.cards, game.discard, strict=True) if number}
