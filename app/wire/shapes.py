"""The schema of a view for the OpenAPI document, derived from `app.rules.views`. A test checks every view by it."""

from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from app.rules import Seat
from app.rules.game import LAST_SEAT
from app.rules.legal import Claim
from app.rules.views import Legal, LegalKeep, OwnView, PublicView

RENAMED = {"source": "from", "may_pass": "pass"}
"""Fields whose name on the wire is a Python keyword."""

KNOWN: dict[Any, Any] = {int: Annotated[int, Field(ge=0)], Seat: Annotated[int, Field(ge=0, le=LAST_SEAT)]}
"""What stands for a type in the shape."""


def shape_of(*kinds: type, doc: str | None, **others: Any) -> type[BaseModel]:
    """A model with the fields of these classes and others, and no more."""
    hints = {name: hint for kind in kinds for name, hint in get_type_hints(kind).items()} | others
    fields: dict[str, Any] = {RENAMED.get(name, name): (bounded(hint), ...) for name, hint in hints.items()}
    return create_model(kinds[-1].__name__, __config__=ConfigDict(extra="forbid"), __doc__=doc, **fields)


def bounded(hint: Any) -> Any:
    """The type with what is known for its parts, such as the bounds of numbers."""
    origin, inner = get_origin(hint), tuple(map(bounded, get_args(hint)))
    if hint in KNOWN or not origin:
        return KNOWN.get(hint, hint)
    return Union[inner] if origin is UnionType else origin[inner]  # noqa: UP007 - `|` is for types known in advance


for kind in (LegalKeep, Claim, Legal):
    KNOWN[kind] = shape_of(kind, doc=kind.__doc__)

ViewShape = shape_of(PublicView, OwnView, doc="A game as one viewer may know it.", deadline=str | None)
