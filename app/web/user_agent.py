"""Which kind of browser calls, as far as it says so. Only this is kept of it."""

import re

from app.store import Agent

BROWSERS = {
    "Edge": r"Edg(e|A|iOS)?/",
    "Opera": r"OPR/|Opera",
    "Samsung Internet": r"SamsungBrowser/",
    "Firefox": r"Firefox/|FxiOS/",
    "Chrome": r"Chrome/|CriOS/|Chromium/",
    "Safari": r"Version/[\d.]+ .*Safari/",
}
"""The first that fits: many browsers also name those that they are like."""

SYSTEMS = {
    "Android": r"Android",
    "iPhone": r"iPhone|iPod",
    "iPad": r"iPad",
    "ChromeOS": r"CrOS",
    "Windows": r"Windows",
    "macOS": r"Mac OS X|Macintosh",
    "Linux": r"Linux|X11",
}


def parse_agent(header: str) -> Agent:
    """The kind of browser and its system by the header `User-Agent`."""
    return Agent(_first(BROWSERS, header), _first(SYSTEMS, header))


def _first(kinds: dict[str, str], header: str) -> str | None:
    return next((name for name, pattern in kinds.items() if re.search(pattern, header[:1000])), None)
