"""Keeps the metrics away from visitors: a port of their own, which no proxy passes on."""

from starlette.types import ASGIApp, Receive, Scope, Send

from app.rooms import Code

from .problems import problem


class MetricsPort:
    """Answers 404 to the metrics at any other port, and to everything else at theirs."""

    def __init__(self, app: ASGIApp, port: int, path: str) -> None:
        self._app = app
        self._port = port
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or socket."""
        is_asked_there = scope["type"] != "lifespan" and scope["server"][1] == self._port
        if scope["type"] == "lifespan" or is_asked_there == (scope["path"] == self._path):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            answer = problem(404, Code.BAD_REQUEST, "There is nothing at this address.")
            await answer(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})
