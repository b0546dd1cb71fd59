"""What rooms refuse, by the protocol's stable codes."""

from collections import OrderedDict
from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from app.rules.reasons import FACTS, RuleReason
from app.store import DatabaseDamagedError, FileGoneError, StoreUnavailableError
from app.wire import Refused

REMEMBERED = 256
"""Refusals of a room that are remembered."""


class Code(StrEnum):
    """Why something is refused, for programs."""

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
"""Why something is refused, where the code alone says too little. `FACTS` of the rules has the numbers of each."""


class RefusedError(Exception):
    """Something was refused and nothing changed; the text is one sentence for the player, with nothing secret.

    Where the code alone says too little, `reason` and the numbers in `facts` let a page say it in another language.
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
        """The same refusal, to be raised another time."""
        return RefusedError(self.code, str(self), reason=self.reason, facts=self.facts)

    def told(self, action_id: str | None, version: int) -> Refused:
        """The refusal as it is sent."""
        return Refused(action_id, self.code, str(self), version, self.reason, self.facts)


class Refusals:
    """The latest refusals of a room, by who asked and the action's id: the same id is refused again in the same way."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str | int, str], RefusedError] = OrderedDict()

    def raise_again(self, who: str | int, action_id: str) -> None:
        """Raise the refusal of this id, if there was one."""
        if (who, action_id) in self._kept:
            raise self._kept[who, action_id].again()

    def remember(self, who: str | int, action_id: str, error: RefusedError) -> None:
        """Keep a refusal; the oldest goes."""
        self._kept[who, action_id] = error.again()
        if len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)


def unavailable(error: StoreUnavailableError | None = None) -> RefusedError:
    """The database does not do it now; it may be tried again, unless it is its host who has to act."""
    if isinstance(error, DatabaseDamagedError | FileGoneError):
        return damaged_data()
    return RefusedError(Code.UNAVAILABLE, "The server can't store anything at the moment; try again.")


def damaged_room() -> RefusedError:
    """What is stored of this room can't be so. The log says what it is."""
    text = "This table's data is damaged, and only the host of this site can repair it."
    return RefusedError(Code.UNAVAILABLE, text, reason="damaged_table")


def damaged_data() -> RefusedError:
    """What is stored of something else can't be so."""
    text = "Some data of this site is damaged, and only its host can repair it."
    return RefusedError(Code.UNAVAILABLE, text, reason="damaged_site")


def unknown_room() -> RefusedError:
    """Nobody learns whether a code was ever in use."""
    return RefusedError(Code.UNKNOWN_ROOM, "There is no room with this code.")


def not_started() -> RefusedError:
    """There is no game yet."""
    return RefusedError(Code.NOT_STARTED, "The game has not started yet.")


def ended_by_site() -> RefusedError:
    """The game stands as it stood when the host of the site ended it."""
    return RefusedError(Code.ILLEGAL_ACTION, "The game was ended by the host of this site.", reason="ended_by_site")
