"""Any sequence of what players, hosts and strangers may do, with kills of the server between, against a model."""

import asyncio
import http.client
import itertools
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from app.store import open_store, queries
from harness.forked import ForkedSite
from harness.paths import BOARDS
from harness.socket_players import choose_action

PATIENCE = 60.0

RANDOM = st.integers(0, 2**32 - 1).map(Random)
"""Of its own once it is drawn: the server deals by chance, and what there is to choose from is never the same twice."""
ANY = st.integers(0, 1000)
"""Which of several."""

SHORT = ("m0", "drought")
"""Boards whose games end soon."""

MOST_PLAYERS, MOST_TABLES = 5, 4
"""So few that they meet again."""

MOST_KILLS = 2
"""Of one sequence: to start again takes longer than all else."""

BOT = "bot"

Json = dict[str, Any]
Answer = tuple[int, Any]

numbers = itertools.count()
"""Of names, ids and nonces: none comes twice."""


@dataclass(eq=False)
class Player:
    """Somebody with a token."""

    id: str
    name: str
    token: str


@dataclass(eq=False)
class Table:
    """What must be true of a room."""

    code: str
    host: Player
    seats: list[Player | str | None]
    spectators: bool
    status: str = "lobby"
    names: dict[str, str] = field(default_factory=dict)
    nonces: dict[str, str] = field(default_factory=dict)
    barred: set[str] = field(default_factory=set)
    version: int = 0
    acted: dict[tuple[str, str], int] = field(default_factory=dict)
    said: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)
    next: "Table | None" = None
    is_removed: bool = False

    def seat_of(self, player: Player | None) -> int | None:
        return self.seats.index(player) if player is not None and player in self.seats else None

    @property
    def people(self) -> list[Player]:
        return [each for each in self.seats if isinstance(each, Player)]

    @property
    def has_bots(self) -> bool:
        return BOT in self.seats

    @property
    def host_seat(self) -> int | None:
        return self.seat_of(self.host)

    def free(self, seat: int) -> None:
        """Whoever sat there is gone, and with them the host's rights."""
        gone = self.seats[seat]
        self.seats[seat] = None
        if isinstance(gone, Player):
            self.nonces.pop(gone.id, None)
        if self.people and self.host not in self.people:
            self.host = self.people[0]

    def sit(self, player: Player, seat: int, nonce: str = "") -> None:
        self.seats[seat] = player
        self.names[player.id] = player.name
        self.nonces[player.id] = nonce
        if self.host_seat is None:
            self.host = player

    def refusal_of_host(self, player: Player) -> Answer | None:
        """Why this player may not do what a host may in the lobby."""
        if player.id in self.barred:
            return 403, "barred"
        if self.host is not player or self.host_seat is None:
            return 403, "not_host"
        return None if self.status == "lobby" else (409, "already_started")


@dataclass(eq=False)
class Follower:
    """A socket, and the last version it showed."""

    table: Table
    player: Player | None
    line: ClientConnection
    version: int = -1
    room: Json = field(default_factory=dict)


class Contract(RuleBasedStateMachine):
    """Each rule is one call or a few; what it must be answered follows from the model alone."""

    site: ForkedSite

    def __init__(self) -> None:
        super().__init__()
        self.people: list[Player] = []
        self.secrets: set[str] = set()
        self.all: list[Table] = []
        self.open: list[Follower] = []
        self.lines = ExitStack()
        self.kills = 0

    def teardown(self) -> None:
        for table in self.all:
            self.is_as_the_model_says(table)
        self.lines.close()

    def pick(self, at: int, who: int) -> tuple[Table, Player]:
        """A table, and its host or anybody else."""
        table = self.all[at % len(self.all)]
        return table, table.host if who % 2 else self.people[who // 2 % len(self.people)]

    # --- asking ------------------------------------------------------------------------------------------------

    def ask(self, method: str, path: str, player: Player | None = None, body: Json | None = None) -> Answer:
        """The status, and the code of a refusal or what else was answered."""
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=PATIENCE)
        try:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            if player is not None:
                headers["Authorization"] = f"Bearer {player.token}"
            content = None if body is None else json.dumps(body)
            connection.request(method, f"/api/v1/{path}", content, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        if path.partition("?")[0] not in ("players", "players/me"):
            self.tells_no_token(text)
        told = json.loads(text)
        assert answer.status < 500, told
        return (answer.status, told) if answer.status < 300 else (answer.status, told["code"])

    def ask_room(
        self, method: str, table: Table, path: str, player: Player | None = None, body: Json | None = None
    ) -> Answer:
        return self.ask(method, f"rooms/{table.code}{path}", player, body)

    def changes(self, expected: Answer | None, answer: Answer) -> bool:
        """Whether the model allows it; it was answered so."""
        if expected is None:
            assert answer[0] in (200, 201), answer
        else:
            assert answer == expected
        return expected is None

    # --- what nobody may learn ---------------------------------------------------------------------------------

    def tells_no_token(self, text: str) -> None:
        assert not [secret for secret in self.secrets if secret in text]

    def tells_no_nonce(self, table: Table, text: str) -> None:
        assert not [nonce for nonce in table.nonces.values() if nonce and nonce in text]

    def hides(self, view: Json, seat: int | None) -> None:
        """Nothing of others is in a view."""
        assert view["seat"] == seat
        assert "seed" not in view
        if seat is None:
            legal = view["legal"]
            assert (view["hand"], view["tickets"], view["offer"]) == ({}, [], [])
            assert not any((legal["claims"], legal["keep"], legal["place"], legal["draw"]["deck"]))
        else:
            assert sum(view["hand"].values()) == view["players"][seat]["cards"]
        for holding in view["players"]:
            assert holding.keys() == {"seat", "cars", "points", "cards", "tickets", "tokens"}

    def hears_of_others(self, event: Json, seat: int | None) -> None:
        """Of what others drew or keep only the number."""
        if event.get("seat", seat) != seat:
            assert event["type"] != "deck_card_drawn" or event["card"] is None
            assert (event.get("tickets"), event.get("kept")) == (None, None)

    def hear(self, follower: Follower) -> Json:
        """The next message of a socket."""
        text = str(follower.line.recv(timeout=PATIENCE))
        self.tells_no_token(text)
        if follower.table.status != "over":
            self.tells_no_nonce(follower.table, text)
        message: Json = json.loads(text)
        if message["type"] == "room":
            self.shows(follower, message)
        return message

    def shows(self, follower: Follower, message: Json) -> None:
        view = message["view"]
        version = -1 if view is None else view["version"]
        assert version >= follower.version, "back"
        follower.version, follower.room = version, message
        if view is not None:
            self.hides(view, message["seat"])
        for event in message["events"]:
            self.hears_of_others(event, message["seat"])

    def is_as_the_model_says(self, table: Table) -> None:
        """The room as it is told, seat by seat."""
        stranger = None
        if table.is_removed:
            for path in ("", "/view", "/record"):
                assert self.ask_room("GET", table, path, stranger) == (404, "unknown_room")
            return
        status, told = self.ask_room("GET", table, "", stranger)
        assert status == 200
        self.tells_no_nonce(table, json.dumps(told))
        assert is_same(table, told), (told, table)
        for player in table.people:
            seat = table.seat_of(player)
            if table.status == "lobby":
                assert self.ask_room("GET", table, "/view", player) == (409, "not_started")
            else:
                status, view = self.ask_room("GET", table, "/view", player)
                assert status == 200
                self.hides(view, seat)
                assert view["version"] >= table.version
                table.version = view["version"]

    # --- players -----------------------------------------------------------------------------------------------

    @initialize(rng=RANDOM)
    def a_table_in_its_lobby_and_a_game(self, rng: Random) -> None:
        for _ in range(3):
            self.somebody_comes()
        self.a_table_is_made(0, rng.randint(2, 3), spectators=True, board="m0")
        self.a_table_is_made(0, 2, spectators=rng.random() < 0.5, board="m0")
        self.everybody_sits_down_and_the_game_begins(1)

    @precondition(lambda self: len(self.people) < MOST_PLAYERS)
    @rule()
    def somebody_comes(self) -> None:
        name = f"P{next(numbers)}x"
        status, told = self.ask("POST", "players", None, {"name": name})
        assert status == 201
        player = Player(told["player"], name, told["token"])
        assert player.id not in [each.id for each in self.people]
        self.people.append(player)
        self.secrets.add(player.token)

    @precondition(lambda self: len(self.secrets) < 2 * MOST_PLAYERS)
    @rule(who=ANY)
    def somebody_takes_another_name(self, who: int) -> None:
        """Tables joined before go on showing the old one."""
        player = self.people[who % len(self.people)]
        player.name = f"P{next(numbers)}x"
        status, told = self.ask("PATCH", "players/me", player, {"name": player.name})
        assert status == 200
        assert told["player"] == player.id
        player.token = told.get("token") or player.token
        self.secrets.add(player.token)

    # --- the lobby ---------------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.all) < MOST_TABLES)
    @rule(who=ANY, seats=st.integers(2, 4), spectators=st.booleans(), board=st.sampled_from(SHORT))
    def a_table_is_made(self, who: int, seats: int, spectators: bool, board: str) -> None:  # noqa: FBT001
        host = self.people[who % len(self.people)]
        wish = {"seats": seats, "spectators": spectators, "board": board}
        status, told = self.ask("POST", "rooms", host, wish)
        assert status == 201
        assert told["code"] not in [table.code for table in self.all]
        table = Table(told["code"], host, [None] * seats, spectators)
        table.sit(host, 0)
        self.all.append(table)

    @rule(at=ANY, who=ANY, with_nonce=st.booleans())
    def somebody_joins(self, at: int, who: int, with_nonce: bool) -> None:  # noqa: FBT001
        table, player = self.pick(at, who)
        nonce = f"nonce-{next(numbers)}-" if with_nonce else ""
        answer = self.ask_room("POST", table, "/join", player, {"nonce": nonce})
        seat = table.seat_of(player)
        if table.is_removed:
            assert answer == (404, "unknown_room")
        elif player.id in table.barred:
            assert answer == (403, "barred")
        elif seat is None and table.status != "lobby":
            assert answer == (409, "already_started")
        elif seat is None and None not in table.seats:
            assert answer == (409, "room_full")
        else:
            if seat is None:
                seat = table.seats.index(None)
                table.sit(player, seat, nonce)
            elif table.status == "lobby":
                table.nonces[player.id] = table.nonces.get(player.id) or nonce
            assert answer == (200, {"seat": seat, "nonce": table.nonces.get(player.id, "")})

    @rule(at=ANY, who=ANY)
    def somebody_leaves(self, at: int, who: int) -> None:
        table, player = self.pick(at, who)
        answer = self.ask_room("POST", table, "/leave", player)
        seat = table.seat_of(player)
        if table.is_removed:
            assert answer == (404, "unknown_room")
        elif player.id in table.barred:
            assert answer == (403, "barred")
        elif seat is None:
            assert answer == (403, "not_seated")
        elif self.changes(None if table.status == "lobby" else (409, "already_started"), answer):
            table.free(seat)

    @rule(at=ANY, who=ANY, pick=ANY)
    def a_host_frees_a_seat(self, at: int, who: int, pick: int) -> None:
        table, player = self.pick(at, who)
        seat = pick % 4
        answer = self.ask_room("DELETE", table, f"/seats/{seat}", player)
        expected = (404, "unknown_room") if table.is_removed else table.refusal_of_host(player)
        if expected is None and seat >= len(table.seats):
            expected = 400, "bad_request"
        if self.changes(expected, answer):
            table.free(seat)

    @rule(at=ANY, who=ANY)
    def a_host_adds_a_bot(self, at: int, who: int) -> None:
        table, player = self.pick(at, who)
        answer = self.ask_room("POST", table, "/bots", player, {"level": "easy"})
        expected = (404, "unknown_room") if table.is_removed else table.refusal_of_host(player)
        if expected is None and None not in table.seats:
            expected = 409, "room_full"
        if self.changes(expected, answer):
            table.seats[table.seats.index(None)] = BOT

    @rule(at=ANY, who=ANY, pick=ANY)
    def a_host_bars_a_seat(self, at: int, who: int, pick: int) -> None:
        table, player = self.pick(at, who)
        seat = pick % 4
        answer = self.ask_room("POST", table, "/bars", player, {"player": None, "seat": seat})
        sitter = table.seats[seat] if seat < len(table.seats) else None
        expected = (404, "unknown_room") if table.is_removed else table.refusal_of_host(player)
        is_host = expected in (None, (409, "already_started"))
        if is_host and (not isinstance(sitter, Player) or sitter is player):
            expected = 400, "bad_request"
        if self.changes(expected, answer):
            assert isinstance(sitter, Player)
            table.free(seat)
            table.barred.add(sitter.id)

    @rule(at=ANY, who=ANY, pick=ANY)
    def a_host_lifts_a_bar(self, at: int, who: int, pick: int) -> None:
        table, player = self.pick(at, who)
        barred = sorted(table.barred) or ["AAAAAAAAAAAA"]
        other = barred[pick % len(barred)]
        answer = self.ask_room("DELETE", table, f"/bars/{other}", player)
        expected = (404, "unknown_room") if table.is_removed else table.refusal_of_host(player)
        if expected == (409, "already_started"):
            expected = None
        if self.changes(expected, answer):
            table.barred.discard(other)
            assert {each["player"] for each in answer[1]["bars"]} == table.barred

    @rule(at=ANY, who=ANY)
    def a_host_starts(self, at: int, who: int) -> None:
        table, player = self.pick(at, who)
        answer = self.ask_room("POST", table, "/start", player)
        expected = (404, "unknown_room") if table.is_removed else table.refusal_of_host(player)
        if expected is None and sum(each is not None for each in table.seats) < 2:
            expected = 400, "bad_request"
        if self.changes(expected, answer):
            table.status = "playing"
            table.seats = [each for each in table.seats if each is not None]

    @rule(at=ANY)
    def everybody_sits_down_and_the_game_begins(self, at: int) -> None:
        for who in range(0, 2 * len(self.people), 2):
            self.somebody_joins(at, who, with_nonce=True)
        self.a_host_starts(at, 1)

    # --- the game ----------------------------------------------------------------------------------------------

    def play(self, table: Table, player: Player, rng: Random) -> bool:
        """A legal action of a player, by a call. Whether it was played."""
        _, view = self.ask_room("GET", table, "/view", player)
        seat = table.seat_of(player)
        if view["phase"] == "over":
            table.status = "over"
        if seat not in view["to_act"]:
            return False
        name = f"a{next(numbers)}"
        act = {"id": name, "version": view["version"], "action": choose_action(view, rng)}
        status, told = self.ask_room("POST", table, "/act", player, act)
        if status == 200:
            assert told["version"] > max(table.version, view["version"])
            table.acted[player.id, name] = table.version = told["version"]
            return True
        assert table.has_bots, (told, act)
        assert told in ("stale_version", "not_your_turn")
        return False

    @rule(at=ANY, rng=RANDOM, rounds=st.integers(1, 6))
    def the_game_goes_on(self, at: int, rng: Random, rounds: int) -> None:
        table = self.all[at % len(self.all)]
        if table.status == "playing" and not table.is_removed:
            for _ in range(rounds):
                for player in table.people:
                    self.play(table, player, rng)

    @rule(at=ANY, rng=RANDOM)
    def the_game_comes_to_its_end(self, at: int, rng: Random) -> None:
        table = self.all[at % len(self.all)]
        if table.has_bots or table.is_removed:
            return
        while table.status == "playing":
            for player in table.people:
                self.play(table, player, rng)

    @rule(at=ANY, who=ANY)
    def somebody_acts_who_may_not(self, at: int, who: int) -> None:
        """Without a seat, before the start, after the end, for a version that is over, or against the rules."""
        table, player = self.pick(at, who)
        act = {"id": f"a{next(numbers)}", "version": table.version + 1000, "action": {"type": "draw_card", "slot": 9}}
        status, told = self.ask_room("POST", table, "/act", player, act)
        if table.is_removed:
            assert (status, told) == (404, "unknown_room")
        elif player.id in table.barred:
            assert (status, told) == (403, "barred")
        elif table.seat_of(player) is None:
            assert (status, told) == (403, "not_seated")
        elif table.status == "lobby":
            assert (status, told) == (409, "not_started")
        else:
            assert status in (400, 409, 422)

    @rule(at=ANY, pick=ANY)
    def an_action_is_sent_again(self, at: int, pick: int) -> None:
        """The answer is the same, whatever else the message says now, and by socket as by call."""
        table = self.all[at % len(self.all)]
        if not table.acted or table.is_removed:
            return
        [((player_id, name), version)] = [sorted(table.acted.items())[pick % len(table.acted)]]
        player = next(each for each in self.people if each.id == player_id)
        act = {"id": name, "version": version * (pick % 2), "action": {"type": "pass"}}
        assert self.ask_room("POST", table, "/act", player, act) == (200, {"version": version})
        for follower in self.open:
            if follower.table is table and follower.player is player:
                follower.line.send(json.dumps({"type": "act", **act}))
                while (message := self.hear(follower)).get("id") != name:
                    pass
                assert (message["type"], message["version"]) == ("ack", version)

    @rule(at=ANY, who=ANY)
    def somebody_asks_for_another_game(self, at: int, who: int) -> None:
        table, player = self.pick(at, who)
        answer = self.ask_room("POST", table, "/rematch", player)
        if table.is_removed:
            assert answer == (404, "unknown_room")
        elif player.id in table.barred:
            assert answer == (403, "barred")
        elif table.status != "over" or table.seat_of(player) is None:
            assert answer in ((409, "not_started"), (403, "not_seated"))
        elif table.next is None or table.next.is_removed:
            self.begins_again(table, player, answer)
        else:
            assert answer[0] == 200
            assert answer[1]["code"] == table.next.code
            self.sits_again(table, table.next, player)

    def begins_again(self, table: Table, player: Player, answer: Answer) -> None:
        assert answer[0] == 200, answer
        following = Table(answer[1]["code"], player, [], table.spectators, barred=set(table.barred))
        assert following.code not in [each.code for each in self.all]
        self.all.append(following)
        _, told = self.ask_room("GET", following, "")
        following.seats = [BOT if each["kind"] == "bot" else None for each in told["seats"]]
        table.next = following
        self.sits_again(table, following, player)

    def sits_again(self, table: Table, following: Table, player: Player) -> None:
        """On the old seat, or the first free one; not where there is none, nor once the game has begun."""
        old = table.seat_of(player)
        may = following.status == "lobby" and player.id not in following.barred and None in following.seats
        if following.seat_of(player) is None and may:
            assert old is not None
            is_free = old < len(following.seats) and following.seats[old] is None
            following.sit(player, old if is_free else following.seats.index(None))

    # --- talk --------------------------------------------------------------------------------------------------

    @rule(at=ANY, who=ANY)
    def somebody_talks(self, at: int, who: int) -> None:
        table, player = self.pick(at, who)
        name = f"c{next(numbers)}"
        answer = self.ask_room("POST", table, "/talk", player, {"id": name, "text": "Hello"})
        if table.is_removed:
            assert answer == (404, "unknown_room")
        elif player.id in table.barred:
            assert answer == (403, "barred")
        elif table.seat_of(player) is None and not table.spectators:
            assert answer == (403, "not_seated")
        else:
            status, told = answer
            talk = "spectators" if table.seat_of(player) is None else "players"
            assert (status, told["talk"], told["id"]) == (200, talk, name)
            assert told["number"] == 1 + sum(each == talk for each, _ in table.said.values())
            table.said[player.id, name] = talk, told["number"]

    @rule(at=ANY, pick=ANY)
    def a_line_is_sent_again(self, at: int, pick: int) -> None:
        table = self.all[at % len(self.all)]
        if not table.said or table.is_removed:
            return
        [((player_id, name), (talk, number))] = [sorted(table.said.items())[pick % len(table.said)]]
        player = next(each for each in self.people if each.id == player_id)
        if player_id in table.barred or (table.seat_of(player) is None and not table.spectators):
            return
        status, told = self.ask_room("POST", table, "/talk", player, {"id": name, "text": "Something else"})
        assert (status, told["talk"], told["number"]) == (200, talk, number)

    # --- sockets -----------------------------------------------------------------------------------------------

    @rule(at=ANY, who=ANY, is_stranger=st.booleans())
    def somebody_follows(self, at: int, who: int, is_stranger: bool) -> None:  # noqa: FBT001
        table, named = self.pick(at, who)
        player = None if is_stranger else named
        expected = 404 if table.is_removed else 101 if self.may_see(table, player) else 403
        headers = {"Authorization": f"Bearer {player.token}"} if player else {}
        address = f"ws://127.0.0.1:{self.site.port}/ws/v1/rooms/{table.code}"
        try:
            line = self.lines.enter_context(
                connect(address, additional_headers=headers, open_timeout=PATIENCE, close_timeout=1, proxy=None)
            )
        except InvalidStatus as refused:
            status = refused.response.status_code
        else:
            status = 101
        assert status == expected
        if status != 101:
            return
        follower = Follower(table, player, line)
        self.open.append(follower)
        self.sees_the_truth(follower)

    @precondition(lambda self: self.open)
    @rule(which=ANY)
    def a_socket_shows_the_truth(self, which: int) -> None:
        """Soon, whatever has happened; or it is closed because its player may see no more."""
        follower = self.open[which % len(self.open)]
        try:
            self.sees_the_truth(follower)
        except ConnectionClosed:
            assert self.may_be_closed(follower)
            self.open.remove(follower)

    def may_be_closed(self, follower: Follower) -> bool:
        table, player = follower.table, follower.player
        tabs = [each for each in self.open if each.table is table and each.player is player and player]
        return table.is_removed or not self.may_see(table, player) or len(tabs) > 5

    @staticmethod
    def may_see(table: Table, player: Player | None) -> bool:
        if player is not None and player.id in table.barred:
            return False
        return table.seat_of(player) is not None or table.status == "lobby" or table.spectators

    def sees_the_truth(self, follower: Follower) -> None:
        table = follower.table
        follower.line.send('{"type":"ping"}')
        while not (
            follower.room
            and is_same(table, follower.room["room"])
            and follower.room["seat"] == table.seat_of(follower.player)
            and (table.status == "lobby" or follower.version >= table.version)
        ):
            self.hear(follower)

    @precondition(lambda self: self.open)
    @rule(which=ANY)
    def a_socket_is_dropped(self, which: int) -> None:
        self.open.pop(which % len(self.open)).line.close()

    # --- the server --------------------------------------------------------------------------------------------

    @precondition(lambda self: self.kills < MOST_KILLS)
    @rule(at=ANY, is_to_go=st.booleans())
    def the_server_is_killed(self, at: int, is_to_go: bool) -> None:  # noqa: FBT001
        """And starts again: all is as it was, but for the sockets, and maybe for a room removed meanwhile."""
        table = self.all[at % len(self.all)]
        self.kills += 1
        self.site.kill()
        if is_to_go and not table.is_removed:
            asyncio.run(remove(f"sqlite:///{self.site.folder / 'fogline.db'}", table.code))
            table.is_removed = True
        self.site.start()
        self.lines.close()
        self.open.clear()
        for each in self.all:
            self.is_as_the_model_says(each)

    @rule(at=ANY)
    def somebody_looks(self, at: int) -> None:
        table = self.all[at % len(self.all)]
        self.is_as_the_model_says(table)


async def remove(address: str, code: str) -> None:
    async with open_store(address) as store:
        assert await store.write(queries.delete_room, code)


def is_same(table: Table, told: Json) -> bool:
    """Whether a room is as the model says, but for who is connected."""
    kinds = [None if each is None else "bot" if each is BOT else "human" for each in table.seats]
    return (
        told["code"] == table.code
        and told["host"] == table.host_seat
        and [each["kind"] for each in told["seats"]] == kinds
        and all(
            table.names[each.id] == shown["name"]
            for each, shown in zip(table.seats, told["seats"], strict=True)
            if isinstance(each, Player)
        )
        and (told["status"] == table.status or (table.has_bots and table.status == "playing"))
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkedSite]:
    site = ForkedSite(tmp_path_factory.mktemp("contract"), boards_dir=str(BOARDS))
    yield site
    site.stop()


def machine_at(site: ForkedSite) -> type[Contract]:
    return type("ContractAtSite", (Contract,), {"site": site})


def test_from_the_lobby_to_the_next_game(site: ForkedSite) -> None:
    """What chance seldom comes to: the rules of the machine in the order of an evening."""
    machine, rng = machine_at(site)(), Random(7)
    machine.a_table_in_its_lobby_and_a_game(rng)
    game = machine.all[1]
    seated, watching = 1, 4
    machine.somebody_follows(seated, 1, is_stranger=False)
    machine.the_game_goes_on(seated, rng, 3)
    machine.an_action_is_sent_again(seated, 0)
    machine.a_host_bars_a_seat(0, 1, 1)
    machine.somebody_talks(seated, 1)
    machine.the_server_is_killed(0, is_to_go=False)
    machine.an_action_is_sent_again(seated, 1)
    machine.a_line_is_sent_again(seated, 0)
    machine.the_game_comes_to_its_end(seated, rng)
    assert game.status == "over"
    for who in (watching, 1, 2, 1):
        machine.somebody_asks_for_another_game(seated, who)
    assert game.next is not None
    assert len(game.next.people) == 2
    machine.somebody_follows(seated, 1, is_stranger=False)
    machine.the_server_is_killed(machine.all.index(game.next), is_to_go=True)
    machine.somebody_asks_for_another_game(seated, 2)
    assert not game.next.is_removed
    machine.an_action_is_sent_again(seated, 1)
    machine.teardown()


@pytest.mark.slow
def test_the_contract_holds(site: ForkedSite) -> None:
    run_state_machine_as_test(
        machine_at(site),
        settings=settings(
            max_examples=25, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
