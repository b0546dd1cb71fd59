"""What rooms refuse, by the contract's stable codes."""

from enum import StrEnum


class Code(StrEnum):
    """Why something is refused, for programs."""

    BAD_REQUEST = "bad_request"
    UNKNOWN_ROOM = "unknown_room"
    NOT_SEATED = "not_seated"
    NOT_HOST = "not_host"
    ROOM_FULL = "room_full"
    ALREADY_STARTED = "already_started"
    NOT_STARTED = "not_started"
    NOT_YOUR_TURN = "not_your_turn"
    ILLEGAL_ACTION = "illegal_action"
    STALE_VERSION = "stale_version"
    RATE_LIMITED = "rate_limited"
    TOO_LARGE = "too_large"
    UNAVAILABLE = "unavailable"


class RefusedError(Exception):
    """Something was refused and nothing changed; the text is one sentence for the player, with nothing secret."""

    def __init__(self, code: Code, detail: str) -> None:
        super().__init__(detail)
        self.code = code


def unavailable() -> RefusedError:
    """The database does not do it now; it may be tried again."""
    return RefusedError(Code.UNAVAILABLE, "The server can't store anything at the moment; try again.")


def unknown_room() -> RefusedError:
    """Nobody learns whether a code was ever in use."""
    return RefusedError(Code.UNKNOWN_ROOM, "There is no room with this code.")
