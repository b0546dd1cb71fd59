"""What is measured. A scene is one round: everything it compares is run in it, one after the other."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from harness.site import Site

from .report import Table
from .servers import Json, Load, Services, cpu_of, memory_of
from .tables import SEATS

OLD = 80
"""Moves played at the tables whose memory is measured."""

PART = 10
"""The part of the tables that is used in each phase, since games are short."""

STOPPED = 100
"""Readers that stop."""


@dataclass(frozen=True)
class Setup:
    """How much of it."""

    services: Services
    tables: int
    seconds: float

    @property
    def people(self) -> list[int]:
        """Four at each table."""
        return [SEATS] * self.tables

    @property
    def rate(self) -> float:
        """Moves a second when paced: 500 at 250 tables."""
        return 2.0 * self.tables


@contextmanager
def loaded() -> Iterator[Load]:
    load = Load()
    try:
        yield load
    finally:
        load.close()


def at(site: Site, codes: Sequence[str]) -> list[list[tuple[int, str]]]:
    """All players of all rooms at one process."""
    return [[(site.port, code)] * SEATS for code in codes]


# --- moves -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moves:
    """Microseconds of CPU for a move and moves a second when saturated, milliseconds from a move to all views."""

    cpu: float
    paced_cpu: float
    rate: float
    p50: float
    p99: float
    load: float


def compare_moves(setup: Setup, table: Table) -> None:
    """The floor, ours on SQLite, ours on PostgreSQL."""
    services = setup.services
    table.add("the disk: making a page durable, median, ms", 1e3 * services.sync_time())
    with services.floor(setup.tables) as running:
        floor = play(setup, *running)
    note_moves(table, "floor", floor)
    for name, place in {"SQLite": services.sqlite, "PostgreSQL": services.on_postgres}.items():
        with place(setup.people) as running:
            ours = play(setup, *running)
        note_moves(table, name, ours)
        table.add(f"{name}: CPU of a move, times the floor's (SQLite wanted: 1.6)", ours.cpu / floor.cpu)
        table.add(f"{name}: moves a second, times the floor's (SQLite wanted: 0.6)", ours.rate / floor.rate)
        table.add(f"{name}: paced median, times the floor's (wanted: 1.5)", ours.p50 / floor.p50)


def note_moves(table: Table, name: str, moves: Moves) -> None:
    table.add(f"{name}: CPU of a move, saturated, µs", moves.cpu)
    table.add(f"{name}: CPU of a move, paced, µs", moves.paced_cpu)
    table.add(f"{name}: moves a second, saturated", moves.rate)
    table.add(f"{name}: from a move to all four views, paced, median, ms", moves.p50)
    table.add(f"{name}: the same, 99th percentile, ms (wanted: 25)", moves.p99)
    table.add(f"{name}: CPU that the load maker took for a move, µs", moves.load)


def play(setup: Setup, sites: list[Site], codes: list[str]) -> Moves:
    with loaded() as load:
        load.do("connect", rooms=at(sites[0], codes))
        before = cpu_of(sites)
        paced = load.do("pace", rate=setup.rate, seconds=setup.seconds, first=0, last=setup.tables)
        between = cpu_of(sites)
        pressed = load.do("press", seconds=setup.seconds)
        after = cpu_of(sites)
    check(paced, pressed)
    return Moves(
        cpu=1e6 * (after - between) / pressed["moves"],
        paced_cpu=1e6 * (between - before) / paced["moves"],
        rate=pressed["moves"] / pressed["seconds"],
        p50=paced["p50"],
        p99=paced["p99"],
        load=1e6 * pressed["load_cpu"] / pressed["moves"],
    )


def check(*told: Json) -> None:
    """Check that nothing was refused and every visible move was acknowledged; the floor acknowledges nothing."""
    for each in told:
        assert not each["others"], each["others"]
        assert each["acks"] in (0, each["moves"]), (each["acks"], each["moves"])


# --- memory ----------------------------------------------------------------------------------------------------


def compare_memory(setup: Setup, table: Table) -> None:
    """What a player who does nothing takes, at the floor and at ours; and a room of which many moves were played.

    Half of the rooms are loaded before: what they fill once for all, up to a bound, is no part of a room.
    """
    with setup.services.floor(setup.tables) as (sites, codes):
        floor = per_player(sites[0], codes)
    with setup.services.sqlite(setup.people, moves=OLD) as (sites, codes):
        first, others = codes[: len(codes) // 2], codes[len(codes) // 2 :]
        find_rooms(sites[0], first)
        before = memory_of(sites[0])
        find_rooms(sites[0], others)
        room = (memory_of(sites[0]) - before) / len(others) / 1024
        ours = per_player(sites[0], codes)
    table.add("floor: an idle player, KB", floor)
    table.add("ours: an idle player, with his part of what the room shows, KB", ours)
    table.add("an idle player, times the floor's (wanted: 1.3)", ours / floor)
    table.add(f"a room of {OLD} moves, KB (wanted: 40)", room)


def find_rooms(site: Site, codes: list[str]) -> None:
    """Have them loaded."""
    for code in codes:
        assert site.status(f"/api/v1/rooms/{code}") == 200


def per_player(site: Site, codes: list[str]) -> float:
    with loaded() as load:
        before = memory_of(site)
        sockets = load.do("connect", rooms=at(site, codes))["sockets"]
        return (memory_of(site) - before) / int(sockets) / 1024


# --- company ---------------------------------------------------------------------------------------------------


def compare_company(setup: Setup, table: Table) -> None:
    """Alone, beside bots that think, beside readers that stop: each at tables of its own, on one server."""
    part = max(1, setup.tables // PART)
    with setup.services.sqlite([SEATS] * (3 * part) + [1] * PART) as (sites, codes), loaded() as load:
        port = sites[0].port
        load.do("connect", rooms=at(sites[0], codes[: 3 * part]))
        load.do("connect_bots", addresses=[(port, code) for code in codes[3 * part :]])

        def pace(how: str, phase: int) -> Json:
            first = phase * part
            return load.do(how, rate=setup.rate / 2, seconds=setup.seconds / 2, first=first, last=first + part)

        alone = pace("pace", 0)
        bots = pace("pace_beside_bots", 1)
        load.do("stop_reading", addresses=[(port, codes[2 * part + n % part]) for n in range(STOPPED)])
        stopped = pace("pace_beside_stopped", 2)
    check(alone, bots, stopped)
    table.add("alone: 99th percentile, ms", alone["p99"])
    table.add("a bot thinks: 99th percentile, ms", bots["p99"])
    table.add("a bot thinks: its moves a second", bots["bot_moves"] / bots["seconds"])
    table.add("a bot thinks: times alone (wanted: 1.5)", bots["p99"] / alone["p99"])
    table.add(f"{STOPPED} readers stop: 99th percentile, ms", stopped["p99"])
    table.add(f"{STOPPED} readers stop: times alone", stopped["p99"] / alone["p99"])


# --- processes -------------------------------------------------------------------------------------------------


def compare_processes(setup: Setup, table: Table) -> None:
    """One process on PostgreSQL and Valkey; two, with each room at one of them; two, with its players at both."""
    one = press(setup, 1, lambda number, _seat: number)
    apart = press(setup, 2, lambda number, _seat: number)
    mixed = press(setup, 2, lambda number, seat: number + seat)
    for name, (cpu, rate) in {"one": one, "two, a room at one": apart, "two, a room at both": mixed}.items():
        table.add(f"{name}: CPU of a move in all processes, µs", cpu)
        table.add(f"{name}: moves a second", rate)
    for name, (cpu, rate) in {"a room at one": apart, "a room at both": mixed}.items():
        table.add(f"two, {name}: times the moves a second of one", rate / one[1])
        table.add(f"two, {name}: times one's, by CPU (wanted: 1.6)", 2 * one[0] / cpu)


def press(setup: Setup, processes: int, place: Callable[[int, int], int]) -> tuple[float, float]:
    """Microseconds of CPU for a move, and moves a second."""
    with setup.services.on_postgres(setup.people, processes) as (sites, codes), loaded() as load:
        ports = [site.port for site in sites]
        rooms = [
            [(ports[place(number, seat) % len(ports)], code) for seat in range(SEATS)]
            for number, code in enumerate(codes)
        ]
        load.do("connect", rooms=rooms)
        before = cpu_of(sites)
        told = load.do("press", seconds=setup.seconds)
        check(told)
        return 1e6 * (cpu_of(sites) - before) / told["moves"], told["moves"] / told["seconds"]


SCENES: dict[str, Callable[[Setup, Table], None]] = {
    "moves": compare_moves,
    "memory": compare_memory,
    "company": compare_company,
    "processes": compare_processes,
}
