"""Hooks for `json.loads`: refuse repeated fields, which two readers may read differently, and numbers JSON has not."""

from typing import Any, NoReturn


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that has no field twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("an object has a field twice")
    return fields


def no_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities."""
    raise ValueError(f"{name} is no number")
