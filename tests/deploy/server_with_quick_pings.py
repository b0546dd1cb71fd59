"""The real server, which pings its sockets ten times more often."""

from app import main
from app.server import config

if __name__ == "__main__":
    config.PING_EVERY //= 10
    main.serve()
