"""The real server, which looks ten times more often whether its sockets live."""

from app import main
from app.server import config

if __name__ == "__main__":
    config.PING_EVERY //= 10
    main.serve()
