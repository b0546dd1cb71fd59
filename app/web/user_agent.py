"""The kind of browser, by its User-Agent. Nothing else of that header is stored."""

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
"""The first match counts, because many browsers also name those they imitate."""

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
    return Agent(_first(BROWSERS, header), _first(SYSTEMS, header))


def _first(kinds: dict[str, str], header: str) -> str | None:
    return next((name for name, pattern in kinds.items() if re.search(pattern, header[:1000])), None)
