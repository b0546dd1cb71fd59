"""Documents and lobby have the bot levels that there are."""

import re

from app.bots import LEVELS
from harness.documents import document

NOT_IN_THE_LOBBY = {"medium", "hard"}
"""Levels that only calls can ask for."""


def test_the_protocol_names_every_level() -> None:
    told = re.search(r"/bots` puts a bot on the first free seat\.(.*?)\n\n", document("docs/protocol.md"), re.DOTALL)
    assert told is not None
    assert tuple(re.findall(r"`(\w+)`", told[1])) == LEVELS


def test_the_page_of_bots_describes_every_level() -> None:
    assert set(re.findall(r"\b\w+\b", document("docs/bots.md").lower())) >= set(LEVELS)


def test_the_lobby_offers_the_other_levels() -> None:
    offered = re.search(r"const BOT_LEVELS? = ([^;]+);", document("static/js/lobby/lobby.js"))
    assert offered is not None
    assert set(re.findall(r'"(\w+)"', offered[1])) == set(LEVELS) - NOT_IN_THE_LOBBY
