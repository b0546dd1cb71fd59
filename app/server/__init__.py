"""The connection layer: accepting, HTTP and WebSocket protocols. Everything that knows uvicorn's private names."""

from .config import ServerConfig
from .connections import Connections, FileBudget
from .http import HttpProtocol
from .listening import ListenError, listen_at
from .websocket import WebSocketProtocol, protocol_of

__all__ = [
    "Connections",
    "FileBudget",
    "HttpProtocol",
    "ListenError",
    "ServerConfig",
    "WebSocketProtocol",
    "listen_at",
    "protocol_of",
]
