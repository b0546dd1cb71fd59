"""Documents and lobby have the bot levels that there are."""

import re

from app.bots import LEVELS
from harness.documents import document


def test_the_protocol_names_every_level() -> None:
    told = re.search(r"/bots` puts a bot on the first free seat\.(.*?)\n\n", document("docs/protocol.md"), re.DOTALL)
    assert told is not None
    assert tuple(re.findall(r"`(\w+)`", told[1])) == LEVELS


def test_the_page_of_bots_describes_every_level() -> None:
    assert set(re.findall(r"\b\w+\b", document("docs/bots.md").lower())) >= set(LEVELS)


def test_the_lobby_offers_every_level_from_the_easiest_on() -> None:
    offered = re.search(r'<select id="bot-level">(.*?)</select>', document("templates/table.html"), re.DOTALL)
    assert offered is not None
    assert tuple(re.findall(r'value="(\w+)"', offered[1])) == LEVELS
