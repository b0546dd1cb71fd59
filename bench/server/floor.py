"""The floor: a bare broadcast of the bytes of recorded games, without rules, views or storage.

FOGLINE_PORT=... python -m bench.server.floor
"""

import os
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random

import orjson
import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from app.boards import load_board
from app.rooms.describe import describe
from app.rules import Event, Game, Seat, deal_with_events, play, seen_by
from app.wire import Kept, Views, dump, dump_event, dump_room_message, parse_action
from harness.socket_players import choose_action

from .tables import SEATS, TOKENS, new_table

GAMES = 4
"""Number of different games, which the tables take in turn."""

Texts = list[str]
"""The text for each seat at one position."""


def recorded_game(rng: Random) -> list[Texts]:
    """The texts of a game, position by position, without the last, after which nobody moves."""
    table = new_table("", SEATS, datetime.now(UTC))
    room = dump(describe(table, list(map(Seat, range(SEATS))), []))
    game, events = deal_with_events(load_board("san-francisco"), SEATS, rng.randbytes(32))
    kept: Kept = {}
    texts = []
    while game.to_act:
        views = Views(game, kept)
        texts.append([_text(room, views, game, events, Seat(seat)) for seat in range(SEATS)])
        action = choose_action(orjson.loads(views.of(game.to_act[0])), rng)
        game, events = play(game, game.to_act[0], parse_action(orjson.dumps(action).decode()))
    return texts


def _text(room: bytes, views: Views, game: Game, events: tuple[Event, ...], seat: Seat) -> str:
    happened = [dump_event(seen_by(event, seat), game.version) for event in events]
    return dump_room_message(room, seat, views.of(seat), happened).decode()


@dataclass
class Table:
    """The sockets of a table by seat."""

    texts: list[Texts]
    at: int = 0
    sockets: dict[int, WebSocket] = field(default_factory=dict)


def make_app() -> FastAPI:
    """Answer any message at a table with the next texts to all."""
    app = FastAPI()
    rng = Random(1)
    games = [recorded_game(rng) for _ in range(GAMES)]
    tables: dict[str, Table] = defaultdict(lambda: Table(games[len(tables) % GAMES]))

    @app.get("/readyz")
    async def ready() -> str:
        return "ready"

    @app.websocket("/ws/v1/rooms/{code}")
    async def follow(websocket: WebSocket, code: str) -> None:
        table, seat = tables[code], seat_of(websocket)
        await websocket.accept()
        table.sockets[seat] = websocket
        await websocket.send_text(table.texts[table.at][seat])
        try:
            while True:
                await websocket.receive_text()
                table.at = (table.at + 1) % len(table.texts)
                for place, socket in table.sockets.items():
                    await socket.send_text(table.texts[table.at][place])
        except WebSocketDisconnect:
            table.sockets.pop(seat, None)

    return app


def seat_of(websocket: WebSocket) -> int:
    return TOKENS.index(websocket.headers["authorization"].removeprefix("Bearer "))


def main() -> None:
    """Serve like the site: the same event loop, the same sockets, no compression, no log."""
    uvicorn.run(
        make_app(),
        host="127.0.0.1",
        port=int(os.environ["FOGLINE_PORT"]),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
    )


if __name__ == "__main__":
    main()
