"""The real server, which looks ten times more often whether its sockets live."""

from app import main

if __name__ == "__main__":
    main.PING_EVERY //= 10
    main.serve()
