"""Refusals, with the protocol's stable codes."""

from collections import OrderedDict
from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from app.rules.reasons import FACTS, RuleReason
from app.store import DatabaseDamagedError, FileGoneError, StoreUnavailableError
from app.wire import Refused

REMEMBERED = 256
"""Maximum refusals that a room remembers."""


class Code(StrEnum):
    """Why something was refused, for programs."""

    BAD_REQUEST = "bad_request"
    UNKNOWN_ROOM = "unknown_room"
    UNKNOWN_LINK = "unknown_link"
    UNKNOWN_DEVICE = "unknown_device"
    NOT_SEATED = "not_seated"
    NOT_HOST = "not_host"
    BARRED = "barred"
    ROOM_FULL = "room_full"
    ALREADY_STARTED = "already_started"
    NOT_STARTED = "not_started"
    NOT_YOUR_TURN = "not_your_turn"
    ILLEGAL_ACTION = "illegal_action"
    STALE_VERSION = "stale_version"
    RATE_LIMITED = "rate_limited"
    TOO_LARGE = "too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    UNAVAILABLE = "unavailable"


ReasonName = (
    RuleReason
    | Literal[
        "bar_full",
        "bar_guest",
        "bar_nobody",
        "bar_playing",
        "bar_self",
        "damaged_site",
        "damaged_table",
        "ended_by_site",
        "foreign_origin",
        "name_hidden",
        "name_invisible",
        "name_length",
        "name_marks",
        "name_reserved",
        "no_guests",
        "no_spectators",
        "not_watching",
        "other_rules",
        "other_seat",
        "rematch_early",
        "say_empty",
        "say_hidden",
        "say_length",
        "say_marks",
        "say_name",
        "say_seated",
        "seat_stays",
        "seats_empty",
        "signed_out",
    ]
)
"""Why something was refused, where the code alone says too little. `FACTS` of the rules lists each one's numbers."""


class RefusedError(Exception):
    """A request was refused and nothing changed. The text is one sentence, which reveals nothing secret.

    With `reason` and the numbers in `facts` a page can say it in another language.
    """

    def __init__(
        self, code: Code, detail: str, *, reason: ReasonName | None = None, facts: Mapping[str, int] | None = None
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.reason = reason
        self.facts = dict(facts or {})
        assert self.facts.keys() == FACTS.get(reason or "", frozenset()), (reason, self.facts)

    def again(self) -> "RefusedError":
        """A copy to raise again, without the old traceback."""
        return RefusedError(self.code, str(self), reason=self.reason, facts=self.facts)

    def told(self, action_id: str | None, version: int) -> Refused:
        """The refusal as a message."""
        return Refused(action_id, self.code, str(self), version, self.reason, self.facts)


class Refusals:
    """The latest refusals of a room by player and action id, so that a repeated id is refused in the same way."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str | int, str], RefusedError] = OrderedDict()

    def raise_again(self, who: str | int, action_id: str) -> None:
        """Raise the remembered refusal of this id, if there is one."""
        if (who, action_id) in self._kept:
            raise self._kept[who, action_id].again()

    def remember(self, who: str | int, action_id: str, error: RefusedError) -> None:
        """Remember a refusal, and forget the oldest if there are too many."""
        self._kept[who, action_id] = error.again()
        if len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)


def unavailable(error: StoreUnavailableError | None = None) -> RefusedError:
    """The database is away, so the caller may try again; or it is damaged, and only the host of the site can help."""
    if isinstance(error, DatabaseDamagedError | FileGoneError):
        return damaged_data()
    return RefusedError(Code.UNAVAILABLE, "The server can't store anything at the moment; try again.")


def damaged_room() -> RefusedError:
    """The stored data of this room is invalid. The log says what is wrong."""
    text = "This table's data is damaged, and only the host of this site can repair it."
    return RefusedError(Code.UNAVAILABLE, text, reason="damaged_table")


def damaged_data() -> RefusedError:
    """Stored data other than a room's is invalid."""
    text = "Some data of this site is damaged, and only its host can repair it."
    return RefusedError(Code.UNAVAILABLE, text, reason="damaged_site")


def unknown_room() -> RefusedError:
    """The refusal for unknown and removed rooms alike, so that nobody learns whether a code was ever in use."""
    return RefusedError(Code.UNKNOWN_ROOM, "There is no room with this code.")


def not_started() -> RefusedError:
    return RefusedError(Code.NOT_STARTED, "The game has not started yet.")


def ended_by_site() -> RefusedError:
    """The refusal of a move in a game that the host of the site has ended."""
    return RefusedError(Code.ILLEGAL_ACTION, "The game was ended by the host of this site.", reason="ended_by_site")
