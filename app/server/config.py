"""uvicorn's configuration."""

import uvicorn
from starlette.types import ASGIApp

from .connections import Connections
from .http import HttpProtocol
from .refusals import Refusal
from .websocket import WebSocketProtocol

PING_EVERY = 20
"""Seconds; proxies close connections that were silent for 60."""

KEEP_ALIVE = 130
"""Seconds; nginx keeps an idle connection for 60, Traefik for 90, Caddy for 120. The server must not close first: a
request on its way would be lost."""


class ServerConfig(uvicorn.Config):
    """Adds what our protocols need: the open connections, and a function that makes refusals."""

    def __init__(
        self,
        app: ASGIApp,
        connections: Connections,
        refusal: Refusal,
        *,
        headers: list[tuple[str, str]],
        most_bytes: int,
    ) -> None:
        super().__init__(
            app,
            http=HttpProtocol,
            ws=WebSocketProtocol,
            ws_max_size=most_bytes,
            ws_ping_interval=PING_EVERY,
            ws_ping_timeout=PING_EVERY,
            ws_per_message_deflate=False,
            proxy_headers=False,  # the application knows which proxies to believe
            headers=headers,
            server_header=False,
            access_log=False,
            log_config=None,
            backlog=connections.files.backlog,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=5,
        )
        self.connections = connections
        self.refusal = refusal
