"""Imagined games: deals at random what a seat can't see, in agreement with all that it sees."""

from collections.abc import Sequence
from random import Random

from app.rules import Card, Game, Seat, TicketId, View
from app.rules.cards import spread
from app.rules.deal import DEALT_TICKETS
from app.rules.game import FIRST_TICKETS, Holdings, counted
from app.rules.network import Network
from app.rules.tokens import Stack, Tokens, placed_stack_size
from app.rules.views import PublicHoldings

from .known import Known


class Scene:
    """What all imagined games of one view have in common."""

    def __init__(self, view: View, seat: Seat, known: Known = ()) -> None:
        board, public, own = view.board, view.public, view.own
        self.view = view
        self.seat = seat
        self.seats = len(public.players)
        network = Network.empty(board, self.seats)
        for route, owner in public.owners.items():
            network = network.claimed(board.route[route], owner)
        self.network = network
        placed = {stack.symbol: Stack(stack.symbol, place, stack.left) for place, stack in public.stacks.items()}
        stacks = tuple(
            placed.get(stack.symbol) or Stack(stack.symbol, None, placed_stack_size(self.seats))
            for stack in board.token_stacks
        )
        self.tokens = Tokens.of(board, stacks, tuple(player.tokens for player in public.players))
        self.hand = tuple(own.hand.get(card, 0) for card in board.cards)
        self.discard = tuple(public.discard.get(card, 0) for card in board.cards)
        market = counted(board, [card for card in public.market if card])
        unseen = [
            every - held - gone - open_
            for every, held, gone, open_ in zip(board.all_cards, self.hand, self.discard, market, strict=True)
        ]
        self.known = [
            _shown(board.cards, unseen, known, player) if player.seat != seat else [] for player in public.players
        ]
        """For each other seat, the cards it is known to hold."""
        self.unseen = spread(board.cards, unseen)
        mine = {ticket.id for ticket in own.tickets} | set(own.offer)
        self.tickets: list[TicketId] = [ticket.id for ticket in board.tickets if ticket.id not in mine]

    def world(self, rng: Random) -> Game:
        """Deal one imagined game."""
        board, public, own = self.view.board, self.view.public, self.view.own
        cards, tickets = self.unseen[:], self.tickets[:]
        rng.shuffle(cards)
        rng.shuffle(tickets)
        hands, holdings = [], []
        for player in public.players:
            if player.seat == self.seat:
                hands.append(self.hand)
                holdings.append(Holdings(tuple(ticket.id for ticket in own.tickets), own.offer))
                continue
            shown = self.known[player.seat]
            hidden = player.cards - len(shown)
            hands.append(counted(board, [*shown, *cards[:hidden]]))
            cards = cards[hidden:]
            number = DEALT_TICKETS if public.phase is FIRST_TICKETS else player.tickets
            held, tickets = tuple(tickets[:number]), tickets[number:]
            chooses = public.phase is FIRST_TICKETS and player.seat in public.to_act
            holdings.append(Holdings(offer=held) if chooses else Holdings(held))
        return Game(
            board=board,
            seed=rng.randbytes(32),
            version=public.version,
            phase=public.phase,
            first_player=public.first_player,
            turn=self.seat if public.phase is not FIRST_TICKETS else public.first_player,
            hands=tuple(hands),
            holdings=tuple(holdings),
            deck=tuple(cards[: public.deck]),
            market=public.market,
            discard=self.discard,
            reshuffles=0,
            ticket_deck=tuple(tickets[: public.ticket_deck]),
            tokens=self.tokens,
            network=self.network,
            passes=0,
            last_turns=public.last_turns,
        )


def _shown(kinds: Sequence[Card], unseen: list[int], known: Known, player: PublicHoldings) -> list[Card]:
    """Remove the cards that a seat is known to hold from the unseen ones, and return them."""
    if not known:
        return []
    shown: list[Card] = []
    for kind, number in enumerate(known[player.seat]):
        most = min(number, unseen[kind], player.cards - len(shown))
        unseen[kind] -= most
        shown += [kinds[kind]] * most
    return shown
