"""Rooms on a real database, in the test's own process, and people who play in them."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random

from app.bots import choose
from app.bus import Bus, MemoryBus
from app.rooms import Boards, Bots, Context, Listener, Mind, Room, Rooms, Upkeep
from app.rooms.outbox import Outbox
from app.rules import RULES_VERSION, Action, Game, Seat, View, legal_actions
from app.store import PlayerRow, Store, devices, open_store
from app.wire import Act, NewRoom
from harness.prepared import make_ready

_numbers = count(1)


class Inline:
    """A mind that thinks at once, in this process."""

    async def choose(self, level: str, view: View, seed: int, known: object = ()) -> Action:
        """What the bot does."""
        return choose(level, view, Random(seed))


@dataclass(frozen=True)
class House:
    """A process's rooms with the store under them."""

    store: Store
    context: Context
    rooms: Rooms
    bots: Bots
    upkeep: Upkeep


class DeafBus(MemoryBus):
    """A bus that loses everything."""

    def publish(self, code: str, news: str, text: str = "") -> None:
        """Lose it."""


@asynccontextmanager
async def open_house(
    folder: Path, bus: Bus | None = None, *, shared: bool = False, mind: Mind | None = None
) -> AsyncGenerator[House]:
    """Rooms on the SQLite file of a folder; a second house on it is a second process."""
    make_ready(folder)
    async with open_store(f"sqlite:///{folder / 'fogline.db'}") as store:
        house = house_on(store, bus, shared=shared, mind=mind)
        yield house
        await house.upkeep.close()
        await house.bots.close()
        await house.rooms.close()


def utc_now() -> datetime:
    """The clock."""
    return datetime.now(UTC)


def house_on(
    store: Store,
    bus: Bus | None = None,
    *,
    shared: bool = False,
    mind: Mind | None = None,
    now: Callable[[], datetime] = utc_now,
    rules: int = RULES_VERSION,
) -> House:
    """Rooms on a database."""
    bots = Bots(mind or Inline(), pace=0)
    context = Context(store, bus or MemoryBus(), now, shared=shared, rules=rules)
    rooms = Rooms(context, Boards(None, store), bots)
    return House(store, context, rooms, bots, Upkeep(context, rooms, days=30))


async def new_player(house: House, name: str = "Ann") -> PlayerRow:
    """A player in the database."""
    number = next(_numbers)
    player = PlayerRow(f"player-{number}", name)
    await house.store.write(devices.add_player, player, number.to_bytes(32, "big"), datetime.now(UTC))
    return player


@dataclass(frozen=True)
class Party:
    """A room and its people in the order of their seats."""

    house: House
    room: Room
    people: list[PlayerRow]

    @property
    def game(self) -> Game:
        """The room's game."""
        assert self.room.game is not None
        return self.room.game

    async def act(self, seat: int, action: Action, action_id: str = "", listener: Listener | None = None) -> int:
        """Act at the version the room is at."""
        act = Act(action_id or f"a{next(_numbers)}", self.room.version, action)
        return await self.room.act(Seat(seat), act, listener)

    async def play_until(self, goal: Callable[[Game], bool], rng: Random | None = None) -> None:
        """Play for everybody until the game is as wanted, or over."""
        rng = rng or Random(1)
        while self.game.to_act and not goal(self.game):
            await self._play_one(rng)

    async def play_moves(self, number: int, rng: Random) -> None:
        """Play so many for everybody, or to the end."""
        for _ in range(number):
            if self.game.to_act:
                await self._play_one(rng)

    async def _play_one(self, rng: Random) -> None:
        seat = self.game.to_act[0]
        await self.act(seat, rng.choice(legal_actions(self.game, seat)))


def all_views(party: Party) -> list[bytes]:
    """The views of a spectator and of every seat; none before the start."""
    views = party.room.audience.views()
    return [views.of(viewer) for viewer in (None, *map(Seat, range(party.game.seats)))] if views else []


async def lobby_of(house: House, people: int, seats: int | None = None, *, spectators: bool = True) -> Party:
    """A room in its lobby."""
    players = [await new_player(house, f"Player {number}") for number in range(people)]
    row = await house.rooms.create(players[0], NewRoom(seats or max(people, 2), spectators=spectators))
    room = await house.rooms.find(row.code)
    for player in players[1:]:
        await house.rooms.join(room, player, "")
    return Party(house, room, players)


async def game_of(house: House, people: int, *, spectators: bool = True) -> Party:
    """A room with its game begun."""
    party = await lobby_of(house, people, spectators=spectators)
    await house.rooms.start(party.room, party.people[0])
    return party


async def next_text(outbox: Outbox) -> bytes:
    """Wait for the next text, which has to be the only one."""
    await outbox.wait()
    [text] = outbox.take()
    return text


async def waiting(listener: Listener) -> list[bytes]:
    """All that is in an outbox now."""
    return listener.outbox.take()
