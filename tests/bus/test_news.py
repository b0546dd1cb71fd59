"""What strangers may put on the bus is read strictly."""

import orjson
import pytest

from app.news import MOST_BYTES, MOST_FOLLOWERS, MOST_NAMED, News, parse_followers, parse_news

PROCESS = "0123456789abcdef"
PLAYER = "abcDEF-_0123"


@pytest.mark.parametrize(
    ("message", "news"),
    [
        ("moved 17", News.MOVED),
        (f"changed {PROCESS}", News.CHANGED),
        (f"said {PROCESS}", News.SAID),
        ("who ", News.WHO),
        (f'here {PROCESS} [["{PLAYER}"],3,[["{PLAYER}","Jiří"]]]', News.HERE),
        (f"here {PROCESS} [[],0]", News.HERE),
    ],
)
def test_what_processes_tell_of_a_room_is_understood(message: str, news: News) -> None:
    assert parse_news(message.encode(), of_room=True) == (news, message.partition(" ")[2])
    if news is not News.WHO:
        assert parse_news(message.encode(), of_room=False) is None


@pytest.mark.parametrize("message", [f"alive {PROCESS}", f"gone {PROCESS}", f"who {PROCESS}", f"player {PLAYER}"])
def test_what_processes_tell_of_themselves_is_understood(message: str) -> None:
    assert parse_news(message.encode(), of_room=False) == tuple(message.split())
    assert parse_news(message.encode(), of_room=True) is None


STRANGE = [
    b"",
    b" ",
    b"\xff\xfe\x00",
    b"moved",
    b"moved " + b"9" * 11,
    b"moved " + b"9" * 5000,
    b"moved -1",
    b"moved 1 ",
    b"moved 1\n",
    "moved ٣".encode(),
    "moved ²".encode(),
    b"moved 1e9",
    b"MOVED 1",
    b"missed ",
    b"missed",
    b"unheard of",
    b"changed me",
    b"changed " + b"A" * 16,
    b"changed " + b"0" * 17,
    b"said ",
    b"who everybody",
    b"player \xc2\xa0",
    b"player " + b"a" * 65,
    b"alive " + b"0" * 15,
    b"here",
    b"here " + PROCESS.encode(),
    b"here " + PROCESS.encode() + b" " + b"[" * 20_000,
    b"x" * (MOST_BYTES + 1),
    b"x" * 2_000_000,
]


@pytest.mark.parametrize("message", STRANGE)
@pytest.mark.parametrize("of_room", [True, False])
def test_nothing_else_is(message: bytes, of_room: bool) -> None:  # noqa: FBT001 - a parameter of a test
    assert parse_news(message, of_room=of_room) is None


@pytest.mark.parametrize(
    "told",
    [
        None,
        {},
        "text",
        [],
        [[]],
        [[], 0, [], []],
        [{}, 0],
        [[1], 0],
        [[PLAYER] * 17, 0],
        [["no player"], 0],
        [[], True],
        [[], 1.5],
        [[], -1],
        [[], MOST_FOLLOWERS + 1],
        [[], 10**18],
        [[], None],
        [[], 0, None],
        [[], 0, [PLAYER]],
        [[], 0, [[PLAYER]]],
        [[], 0, [[PLAYER, 1]]],
        [[], 0, [[1, "Eve"]]],
        [[], 0, [[PLAYER, "E" * 201]]],
        [[], 0, [[PLAYER, "Eve"]] * (MOST_NAMED + 1)],
    ],
)
def test_followers_of_another_form_are_not_read(told: object) -> None:
    text = f"{PROCESS} {orjson.dumps(told).decode()}"
    assert parse_followers(text) is None
    assert parse_news(f"here {text}".encode(), of_room=True) is None


def test_the_longest_message_is_shorter_than_allowed() -> None:
    named = [[PLAYER, "\N{FAMILY}" * 40]] * MOST_NAMED
    message = f"here {PROCESS} {orjson.dumps([[PLAYER] * 5, MOST_FOLLOWERS, named]).decode()}"
    assert parse_news(message.encode(), of_room=True) is not None
