"""SVG as text: elements with attributes, all escaped."""

from html import escape


def element(name: str, *children: str, **attributes: object) -> str:
    """An element. `class_` and `data_route` stand for `class` and `data-route`; None omits an attribute."""
    shown = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    inside = "".join(children)
    return f"<{name}{shown}>{inside}</{name}>" if inside else f"<{name}{shown}/>"


def text(content: str) -> str:
    return escape(content, quote=False)


def number(value: float) -> str:
    """At most one decimal: a tenth of a unit is less than a pixel at any zoom."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def _attribute(key: str, value: object) -> str:
    shown = number(value) if isinstance(value, float) else str(value)
    return f' {key.rstrip("_").replace("_", "-")}="{escape(shown)}"'
