"""Parses what clients send, strictly: no unknown fields, no text in place of a number, no required field left out."""

import json
from dataclasses import replace
from typing import Annotated, Any, Literal, Self, TypeVar, get_args, get_type_hints

import orjson
from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass
from pydantic_core import ErrorDetails, PydanticCustomError

from app.rules import Action, ClaimRoute
from app.rules.game import LAST_SEAT, SEATS
from app.strict_json import each_once

MOST_BYTES = 8192
"""Maximum length of a message or body."""

STRICT = ConfigDict(strict=True, extra="forbid")

ActionId = Annotated[str, StringConstraints(pattern=r"^[!-~]{1,64}$")]
"""A client's name for an action: 1 to 64 printable ASCII characters, no space."""

Nonce = Annotated[str, StringConstraints(pattern=r"^[ -~]{0,64}$")]
"""A player's part of the seed: up to 64 printable ASCII characters."""

Phrase = Literal[
    "hello", "luck", "nice", "thanks", "sorry", "ouch", "close", "moment", "back", "turn", "played", "again"
]
"""The premade phrases of the talk."""

Version = Annotated[int, Field(ge=0, le=1_000_000)]
AnyAction = Annotated[Action, Field(discriminator="type")]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, config=STRICT)
class Act:
    """An action at a version of the game. Repeating an id repeats the answer and has no second effect."""

    id: ActionId
    version: Version
    action: AnyAction
    type: Literal["act"] = "act"


@dataclass(frozen=True, slots=True, config=STRICT)
class Say:
    """A line of talk: own words, or a premade phrase that every reader sees in their language."""

    id: ActionId
    text: str | None = None
    phrase: Phrase | None = None
    type: Literal["say"] = "say"

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if (self.text is None) == (self.phrase is None):
            raise PydanticCustomError("one_of_both", "either `text` or `phrase` has to be there")
        return self


@dataclass(frozen=True, slots=True, config=STRICT)
class Ping:
    """Asks for a pong."""

    type: Literal["ping"] = "ping"


ClientMessage = Act | Say | Ping


@dataclass(frozen=True, slots=True, config=STRICT)
class NewPlayer:
    """A new player's name, which `web.names` checks."""

    name: str


@dataclass(frozen=True, slots=True, config=STRICT)
class NewRoom:
    """The options of a new table. `nonce` is ignored, since it precedes the commitment; `Join` has the valid one."""

    seats: Annotated[int, Field(ge=SEATS[0], le=SEATS[-1])]
    nonce: Nonce = ""
    board: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,64}$")] = "san-francisco"
    clock_seconds: Annotated[int, Field(ge=15, le=604_800)] | None = None
    public: bool = False
    spectators: bool = True
    planner: bool = True
    pass_and_play: bool = False


@dataclass(frozen=True, slots=True, config=STRICT)
class Join:
    """A player's part of the seed."""

    nonce: Nonce = ""


@dataclass(frozen=True, slots=True, config=STRICT)
class NewGuest:
    """The name of a guest on the caller's device, which `web.names` checks."""

    name: str


@dataclass(frozen=True, slots=True, config=STRICT)
class Invitation:
    """The spectator whom the host invites to sit down."""

    player: Annotated[str, StringConstraints(min_length=1, max_length=64)]


@dataclass(frozen=True, slots=True, config=STRICT)
class NewBar:
    """Whom to bar: a player by id, or the one who has a seat."""

    player: Annotated[str, StringConstraints(min_length=1, max_length=64)] | None = None
    seat: Annotated[int, Field(ge=0, le=LAST_SEAT)] | None = None


@dataclass(frozen=True, slots=True, config=STRICT)
class NewBot:
    """The level of a bot."""

    level: Annotated[str, StringConstraints(min_length=1, max_length=32)]


@dataclass(frozen=True, slots=True, config=STRICT)
class RoomChanges:
    """What the host may change in the lobby."""

    public: bool


@dataclass(frozen=True, slots=True, config=STRICT)
class NewLink:
    """A link to sign in on another device, and maybe the table that it leads to."""

    room: Annotated[str, StringConstraints(max_length=32)] | None = None


@dataclass(frozen=True, slots=True, config=STRICT)
class LinkSecret:
    """The secret part of a link."""

    secret: Annotated[str, StringConstraints(min_length=1, max_length=100)]


Body = NewPlayer | NewRoom | Join | Invitation | NewBot | RoomChanges | NewLink | LinkSecret | Act

_ACTION: TypeAdapter[Action] = TypeAdapter(AnyAction, config=STRICT)
_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])
_BODIES: dict[type, TypeAdapter[Any]] = {
    NewPlayer: TypeAdapter(NewPlayer),
    NewRoom: TypeAdapter(NewRoom),
    Join: TypeAdapter(Join),
    NewGuest: TypeAdapter(NewGuest),
    Invitation: TypeAdapter(Invitation),
    NewBar: TypeAdapter(NewBar),
    NewBot: TypeAdapter(NewBot),
    RoomChanges: TypeAdapter(RoomChanges),
    NewLink: TypeAdapter(NewLink),
    LinkSecret: TypeAdapter(LinkSecret),
    Act: TypeAdapter(Act),
    Say: TypeAdapter(Say),
}
_ONCE = json.JSONDecoder(object_pairs_hook=each_once)
_TAGS = frozenset(get_type_hints(kind)["type"].__args__[0] for kind in (*get_args(ClientMessage), *get_args(Action)))


class WireError(ValueError):
    """An unreadable text. The sentence names the field, and quotes nothing but field names."""


def parse_message(text: str) -> ClientMessage:
    """Parse a message from a socket."""
    message = _parse(_MESSAGE, text)
    _check_names(text)
    return _without_zeros(message) if isinstance(message, Act) else message


def parse_body(kind: type[T], body: bytes) -> T:
    """Parse the body of a call. An empty body counts as an empty object."""
    body = body or b"{}"
    parsed: T = _parse(_BODIES[kind], body)
    _check_names(body.decode())
    return _without_zeros(parsed) if isinstance(parsed, Act) else parsed  # type: ignore[return-value]


def parse_action(text: str) -> Action:
    """Parse what `dump_action` wrote."""
    return _parse(_ACTION, text)


def dump_action(action: Action) -> str:
    """The JSON of an action, for the record."""
    return orjson.dumps(action).decode()


def id_of(text: str) -> str | None:
    """The id of an unreadable message if it has one, so that its sender knows which message was refused."""
    try:
        message = json.loads(text, parse_constant=_no_number)  # reads halves of surrogate pairs, as orjson does not
        found = message.get("id") if isinstance(message, dict) else None
        return found if isinstance(found, str) and len(found.encode()) <= 64 else None
    except (ValueError, RecursionError):
        return None


def schema_of(kind: type, mode: Literal["validation", "serialization"]) -> dict[str, Any]:
    """The JSON Schema of a dataclass, with references to the components of an OpenAPI document."""
    adapter = _BODIES.get(kind) or TypeAdapter(kind)
    return adapter.json_schema(ref_template="#/components/schemas/{model}", mode=mode)


def _parse(adapter: TypeAdapter[T], text: str | bytes) -> T:
    if len(text) > MOST_BYTES:
        raise WireError(f"A message has at most {MOST_BYTES} bytes.")
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        raise WireError(_sentence(error.errors(include_url=False, include_input=False)[0])) from None


def _no_number(name: str) -> None:
    raise ValueError(name)


def _check_names(text: str) -> None:
    """Refuse an object with a repeated name, because readers differ in which of the two counts.

    Each name has a colon. If there are no more colons than names after parsing, none was repeated. More may be in
    strings, so only then does the text need a slow look.
    """
    try:
        if text.count(":") > _names_in(orjson.loads(text)):
            _ONCE.decode(text)
    except ValueError as error:
        raise WireError(f"{str(error).capitalize()}.") from None


def _names_in(fields: dict[str, Any]) -> int:
    """The number of names in an object and inside it. Too low a number only costs a slow look."""
    number = len(fields)
    for value in fields.values():
        if type(value) is dict:
            number += _names_in(value)
    return number


def _without_zeros(act: Act) -> Act:
    """Drop kinds of cards of which none is given, as if they had not been named."""
    if not isinstance(act.action, ClaimRoute) or all(act.action.payment.values()):
        return act
    payment = {card: number for card, number in act.action.payment.items() if number}
    return replace(act, action=replace(act.action, payment=payment))


def _sentence(error: ErrorDetails) -> str:
    if error["type"] == "json_invalid":
        return "This is not JSON."
    place = _place(error["loc"], error["type"])
    return f"{place}: {_problem(error)}." if place else f"{_problem(error)}."


def _place(steps: tuple[int | str, ...], kind: str) -> str:
    names = [str(step)[:40] for step in steps if step not in _TAGS]
    if kind.startswith("union_tag"):
        names.append("type")
    return ".".join(names)


def _problem(error: ErrorDetails) -> str:
    match error["type"]:
        case "missing":
            return "this field is missing"
        case "unexpected_keyword_argument":
            return "there is no such field here"
        case "union_tag_not_found":
            return "this field is missing"
        case "union_tag_invalid":
            return f"must be one of {error['ctx']['expected_tags']}"
        case _:
            return error["msg"].replace("Input should be", "must be")
