"""Chat over sockets: who may write, how often, and what a message may contain."""

import logging
from pathlib import Path

import pytest
from httpx import AsyncClient
from websockets.asyncio.client import ClientConnection

from app.rooms import RefusedError
from app.web.chat import LONGEST, parse_text
from app.web.limits import CHAT_MESSAGE
from harness.callers import Caller, Json, follow, hear, new_caller, say, seated, serving, settings_in, started


@pytest.mark.parametrize(
    "text", ["Hello", "  many  blanks  ", "Åse 👩‍🚀 ❤️ नमस्ते שלום", "https://example.org <b>", "é" * LONGEST]
)
def test_words_that_may_be_said(text: str) -> None:
    assert parse_text(text) == text.strip()


def test_words_are_kept_in_form_c_and_count_as_people_count() -> None:
    assert parse_text("e\u0301" * LONGEST) == "\u00e9" * LONGEST


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "say_empty"),
        (" \u3000 ", "say_empty"),
        ("\u0301", "say_empty"),
        ("x" * (LONGEST + 1), "say_length"),
        ("x" + "\u0301" * 9, "say_marks"),
        *((f"a{sign}b", "say_hidden") for sign in "\u202e\u2066\u200b\u200d\u0000\n\ufeff\u3164\ue000\U000e0041"),
    ],
)
def test_words_that_may_not_be_said(text: str, reason: str) -> None:
    with pytest.raises(RefusedError) as refused:
        parse_text(text)
    assert refused.value.reason == reason
    assert text.strip() == "" or text not in str(refused.value)


@pytest.mark.parametrize(
    "message",
    [
        {"text": None},
        {"text": "a", "phrase": "hello"},
        {"phrase": "no-such-phrase"},
        {"text": 7},
        {"text": "a", "seat": 1},
        {"text": "a\u202eb"},
        {"text": "x" * 301},
        {"text": "x" * 8000},
        {"id": "with blank", "text": "a"},
    ],
)
async def test_a_message_that_is_wrong_is_refused_with_its_id(server: AsyncClient, message: Json) -> None:
    code, [ann, _] = await started(server, 2)
    async with follow(server, code, ann) as socket:
        await say(socket, type="say", **{"id": "wrong", **message})
        refused = await hear(socket, "refused")
        assert (refused["id"], refused["code"]) == (message.get("id", "wrong"), "bad_request")
        await say(socket, type="say", id="right", text="Still talking")
        assert (await hear(socket, "spoken"))["id"] == "right"


async def test_half_a_surrogate_pair_is_refused_with_its_id(server: AsyncClient) -> None:
    code, [ann, _] = await started(server, 2)
    async with follow(server, code, ann) as socket:
        await socket.send(r'{"type": "say", "id": "half", "text": "a \ud83d"}')
        refused = await hear(socket, "refused")
        assert (refused["id"], refused["code"]) == ("half", "bad_request")


async def test_a_stranger_without_a_name_is_refused(server: AsyncClient) -> None:
    code, _ = await started(server, 2)
    async with follow(server, code) as socket:
        await say(socket, type="say", id="m1", text="Hello")
        refused = await hear(socket, "refused")
        assert (refused["code"], refused["reason"]) == ("not_seated", "say_name")


async def test_who_says_too_much_has_to_wait_and_plays_on(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path, rate_limits="on")) as client:
        code, [ann, ben] = await started(client, 2)
        async with follow(client, code, ann) as socket, follow(client, code, ann) as second:
            for number in range(CHAT_MESSAGE.burst + 1):
                await say(second if number % 2 else socket, type="say", id=f"m{number}", text="Hello")
                await hear(second if number % 2 else socket, "refused" if number == CHAT_MESSAGE.burst else "spoken")
            await say(socket, type="say", id="again", text="Hello")
            assert (await hear(socket, "refused"))["code"] == "rate_limited"
            tickets = (await ann.get(f"{code}/view")).json()["offer"]
            await say(socket, type="act", id="a1", version=0, action={"type": "keep_tickets", "tickets": tickets})
            assert (await hear(socket, "ack"))["id"] == "a1"
        async with follow(client, code, ben) as socket:
            await say(socket, type="say", id="m1", text="Hello")
            await hear(socket, "spoken")


async def test_no_log_and_no_refusal_holds_what_was_said(
    server: AsyncClient, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)
    code, [ann, ben] = await started(server, 2)
    async with follow(server, code, ann) as socket, follow(server, code, ben) as other:
        await say(socket, type="say", id="m1", text="unheard-of-words")
        await hear(other, "said")
        await say(socket, type="say", id="m2", text="unheard-of-words\u202e!")
        assert "unheard-of-words" not in str(await hear(socket, "refused"))
    assert "unheard-of-words" not in caplog.text
    assert "unheard-of-words" not in "".join(capfd.readouterr())


async def test_in_the_lobby_those_without_a_seat_talk_as_spectators(server: AsyncClient) -> None:
    code, [ann, _] = await seated(server, 2, seats=3)
    cal = await new_caller(server, "Cal")
    async with follow(server, code, ann) as socket, follow(server, code, cal) as visitor:
        await say(visitor, type="say", id="m1", phrase="hello")
        line = await hear(socket, "said")
        assert (line["talk"], line["phrase"], line["name"]) == ("spectators", "hello", "Cal")
        await cal.post(f"{code}/join")
        [line] = (await hear(socket, "talk"))["said"]
        assert (line["talk"], line["seat"], line["player"]) == ("spectators", 2, cal.id)


async def test_without_spectators_strangers_neither_talk_nor_hear_in_the_lobby(server: AsyncClient) -> None:
    code, [ann, _] = await seated(server, 2, spectators=False)
    stranger = await new_caller(server, "Eve")
    async with follow(server, code, ann) as seat, follow(server, code, stranger) as outside:
        await say(outside, type="say", id="m1", text="Hello")
        refused = await hear(outside, "refused")
        assert (refused["code"], refused["reason"]) == ("not_seated", "say_seated")
        await say(seat, type="say", id="m1", text="Between us")
        await hear(seat, "said")
        await say(outside, type="ping")
        assert "Between us" not in await heard_until_pong(outside)
    async with follow(server, code, stranger) as late:
        await say(late, type="ping")
        assert "Between us" not in await heard_until_pong(late)
        assert (await stranger.post(f"{code}/leave")).status_code == 403
    async with follow(server, code, ann) as again:
        assert (await hear(again, "talk"))["said"][0]["text"] == "Between us"


async def heard_until_pong(socket: ClientConnection) -> str:
    """Everything that came before the answer to a ping, and a state after it, behind which talk comes."""
    told = ""
    while not told.endswith('{"type":"pong"}'):
        told += str(await socket.recv())
    return told


async def test_a_line_from_a_seat_has_the_name_of_the_seat(server: AsyncClient) -> None:
    """Whoever takes the name of another player is called as the table knows them."""
    code, [ann, ben] = await started(server, 2)
    answer = await server.patch("/api/v1/players/me", json={"name": "Player 0"}, headers=ben.headers)
    server.cookies.clear()
    renamed = Caller(server, ben.id, answer.json()["token"])
    async with follow(server, code, ann) as reader, follow(server, code, renamed) as writer:
        await say(writer, type="say", id="m1", text="I give up")
        line = await hear(reader, "said")
        assert (line["seat"], line["name"], line["player"]) == (1, "Player 1", ben.id)
    async with follow(server, code, ann) as late:
        assert (await hear(late, "talk"))["said"][0]["name"] == "Player 1"
