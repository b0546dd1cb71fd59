"""The fields of a board file, each with the sentence that refuses a wrong value."""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from app.rules.board import LocationId, RouteId, Symbol, TicketId
from app.rules.cards import Card
from app.rules.game import LAST_TURNS_AT

T = TypeVar("T")


def or_else(sentence: str) -> WrapValidator:
    """Replace the library's message by a sentence that tells what is wanted."""

    def check(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
        try:
            return validate(value)
        except ValidationError:
            raise PydanticCustomError("sentence", "{sentence}", {"sentence": sentence}) from None

    return WrapValidator(check)


def within(least: int, most: int = 1000) -> tuple[Any, ...]:
    """The bounds of a whole number, and the sentence that tells them."""
    return Field(ge=least, le=most), or_else(f"a whole number from {least} to {most} is wanted here")


def on_one_line(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("blank, or with line ends or control characters")
    return text


ID = Field(pattern=r"^[a-z0-9]+(-+[a-z0-9]+)*$"), or_else("an id is wanted here: small letters, digits and hyphens")
Text = Annotated[str, AfterValidator(on_one_line), or_else("a text is wanted here, on one line")]
Number = Annotated[Annotated[int | float, Field(ge=-1e6, le=1e6)], or_else("a number is wanted here")]
Length = Annotated[str, Field(pattern="^[1-9][0-9]?$"), or_else("a route's length is a whole number from 1 to 99")]
Anchor = Annotated[Literal["start", "middle", "end"], or_else('"start", "middle" or "end" is wanted here')]
Items = Annotated[tuple[T, ...], Field(strict=False)]
"""A tuple, which is a list in JSON: strictly, the library would refuse that."""


class Part(BaseModel):
    """An object in the file, with these fields and no others."""

    model_config = ConfigDict(strict=True, extra="forbid")


class LabelFields(Part):
    dx: Number
    dy: Number
    anchor: Anchor
    lines: Items[Text] = ()


class LocationFields(Part):
    id: Annotated[LocationId, *ID]
    name: Text
    x: Number
    y: Number
    label: LabelFields = LabelFields(dx=0, dy=-24, anchor="middle")


class RouteFields(Part):
    id: Annotated[RouteId, *ID]
    between: Annotated[Items[Annotated[LocationId, *ID]], Field(min_length=2, max_length=2)]
    length: Annotated[int, *within(1, 99)]
    color: Annotated[Card, *ID] | None
    ferries: Annotated[int, *within(0, 99)]
    bend: Number = 0


class TicketFields(Part):
    id: Annotated[TicketId, *ID]
    between: Annotated[Items[Annotated[LocationId, *ID]], Field(min_length=2, max_length=2)]
    points: Annotated[int, *within(1)]


class StackFields(Part):
    symbol: Annotated[Symbol, *ID]
    location: Annotated[LocationId, *ID] | None


class BoardFields(Part):
    id: Annotated[str, *ID]
    name: Text
    viewbox: Annotated[Items[Number], Field(min_length=4, max_length=4)]
    colors: Items[Annotated[Card, *ID]]
    cards_per_color: Annotated[int, *within(1)]
    ferry_cards: Annotated[int, *within(0)]
    cars_per_player: Annotated[int, *within(LAST_TURNS_AT + 1)]
    route_points: dict[Length, Annotated[int, *within(0)]]
    token_points: Items[Annotated[int, *within(0)]]
    token_stacks: Items[StackFields]
    locations: Items[LocationFields]
    routes: Items[RouteFields]
    tickets: Items[TicketFields]
