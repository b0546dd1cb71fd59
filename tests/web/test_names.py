"""Names: what people are called in their own scripts, what is dropped from a paste, and what is refused."""

import unicodedata

import pytest
from httpx import AsyncClient
from hypothesis import given
from hypothesis import strategies as st

from app.rooms import RefusedError
from app.web.chat import parse_text
from app.web.names import LONGEST, parse_name
from app.web.text import MOST_IN_ONE, visible_length
from harness.callers import follow, hear, new_caller, say, seated

ORDINARY = {
    "Persian, with a joiner in a word": "علی\u200cرضا",
    "Persian, after a letter that does not join": "آزاد\u200cراه",
    "Urdu": "محمد عمر",
    "Arabic, with vowels": "مُحَمَّد",
    "Arabic, with the sign of a year": "\u0602١٢",
    "Hebrew, with points": "שָׁלוֹם",
    "Hindi": "नमस्ते",
    "Hindi, a half form": "क्\u200dष",
    "Hindi, forms apart": "क्\u200cष",
    "Bengali, a joiner before the virama": "র\u200d্যাব",
    "Sinhala": "ශ්\u200dරී",
    "Malayalam, a chillu at the end": "അവന്\u200d",
    "Tamil": "கோவிந்த்",
    "Tibetan": "བསྒྲུབས",
    "Khmer, with the break between words": "ភាសា\u200bខ្មែរ",
    "Thai": "สวัสดี",
    "Burmese": "မြန်မာ",
    "Mongolian, with its vowel separator": "ᠮᠣᠩᠭᠣᠯ\u180eᠠ",
    "Mongolian, with a variant": "ᠭ\u180bᠠ",
    "N'Ko": "ߒߞߏ",
    "Adlam": "𞤀𞤣𞤤𞤢𞤥",
    "Japanese, the variant of a name": "葛\U000e0100城",
    "Japanese, a voiced sign": "がぎぐ",
    "Korean": "한국어",
    "Korean, old letters": "ᄒᆞᆫ글",
    "Vietnamese": "Nguyễn",
    "Czech": "Řehoř",
    "Cherokee": "ᏣᎳᎩ",
    "family": "👨\u200d👩\u200d👧\u200d👦",
    "rainbow flag": "🏳\ufe0f\u200d🌈",
    "profession and skin tone": "👩🏽\u200d🚀",
    "kiss": "👩🏻\u200d❤\ufe0f\u200d💋\u200d👩🏼",
    "a new picture of old ones": "🐦\u200d🔥",
    "keycaps": "1\ufe0f\u20e3#\ufe0f\u20e3*\ufe0f\u20e3",
    "red heart": "❤\ufe0f",
    "black heart": "❤\ufe0e",
    "flag": "🇨🇿",
    "England": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "Scotland": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "Wales": "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "copyright as a picture": "©\ufe0f",
}


@pytest.mark.parametrize("writing", ORDINARY)
def test_ordinary_writing_is_kept_as_it_is(writing: str) -> None:
    text = unicodedata.normalize("NFC", ORDINARY[writing])
    assert parse_name(text) == parse_text(text) == text
    assert parse_name(f"Ann {text} B") == parse_text(f"Ann {text} B") == f"Ann {text} B"


UNSEEN = "\ufeff\u200b\u200e\u200f\u00ad\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2068\u2069"
UNSEEN += "\u061c\u200c\u200d\ufe0f\u3164 \u00a0\t\n"


@pytest.mark.parametrize("mark", UNSEEN, ids=ascii)
def test_marks_at_the_edges_are_dropped(mark: str) -> None:
    for text in (f"{mark}Ann", f"Ann{mark}", f"{mark} Ann {mark}", f"\u2068{mark}Ann\u2069"):
        assert parse_name(text) == parse_text(text) == "Ann"


def test_a_joiner_that_joins_nothing_is_dropped() -> None:
    assert parse_name("علی\u200c") == "علی"
    assert parse_name("کتاب\u200c خانه") == "کتاب خانه"
    assert parse_name("کتاب\u200c\u200cها") == "کتاب\u200cها"


@pytest.mark.parametrize(
    "hidden",
    "\u202e\u202a\u2066\u2068\u200e\u200f\u061c\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u3164\u115f\u2800\ufe0f\ufe00\u180b\U000e0041\U000e0100\u0000\n\u0085\u2028\ue000\U000e0001",
    ids=ascii,
)
def test_what_can_not_be_seen_is_refused_inside(hidden: str) -> None:
    for inside in (f"a{hidden}b", f"ا{hidden}b"):
        if inside == f"ا{hidden}b" and hidden in "\u200c\u200d":
            continue
        assert reason_of(inside) == "name_hidden"
        with pytest.raises(RefusedError) as refused:
            parse_text(inside)
        assert refused.value.reason == "say_hidden"


def reason_of(name: str) -> str | None:
    with pytest.raises(RefusedError) as refused:
        parse_name(name)
    return refused.value.reason


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "name_length"),
        (" \u3000\u200b ", "name_length"),
        ("\u3164", "name_length"),
        ("x" * (LONGEST + 1), "name_length"),
        ("👨\u200d👩\u200d👧" * (LONGEST + 1), "name_length"),
        ("\u0301\u0302", "name_invisible"),
        ("\u0301Ann", "name_marks"),
        (" \u0301Ann", "name_marks"),
        ("\u20dd1", "name_marks"),
        ("Ann" + "\u0317" * 6, "name_marks"),
        ("👨" + "\u200d👨" * MOST_IN_ONE, "name_marks"),
        ("ᄀ" * (MOST_IN_ONE + 1), "name_marks"),
    ],
)
def test_names_that_are_refused_for_their_length_or_marks(name: str, reason: str) -> None:
    assert reason_of(name) == reason


@pytest.mark.parametrize(
    "sign",
    ["é", "e\u0301", "👨🏻\u200d👩🏻\u200d👧🏻\u200d👦🏻", "🇩🇪", "1\ufe0f\u20e3", "क्\u200dषि", ORDINARY["Wales"]],
)
def test_characters_count_as_people_count_them(sign: str) -> None:
    assert visible_length(parse_name(sign * LONGEST)) == LONGEST
    assert reason_of(sign * (LONGEST + 1)) == "name_length"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Server 1",
            "ꜱᴇʀᴠᴇʀ",
            "Foɡline",
            "Fogline Team",
            "Аdmin2",
            "Admin",
            "The Admin",
            "AdminBob",
            "ADMINjoe",
            "xX_Admin_Xx",
        ),
        *(
            "s3rv3r",
            "4dm1n",
            "4dm1n1",
            "5y5tem",
            "$erver",
            "@dmin",
            "rnoderator",
            "adrnin",
            "S e r v e r",
            "s.e.r.v.e.r",
            "Fog-Line",
        ),
        *(
            "🅂🄴🅁🅅🄴🅁",
            "🅰️dmin",
            "🇸🇪🇷🇻🇪🇷",
            "Ⓢⓔⓡⓥⓔⓡ",
            "𝓼𝓮𝓻𝓿𝓮𝓻",
            "ａｄｍｉｎ",
            "ᏚᎬᏒᏙᎬᏒ",
            "Sеrvеr",
            "Ѕуѕtеm",
            "ΑDΜΙΝ",
            "αdmin",
            "Ɑdmin",
        ),
        *(
            "Administrátor",
            "Ádmin",
            "Ad\u0336min",
            "Sɇrver",
            "Admins",
            "Admin管理",
            "管理Admin",
            "Foglíne",
            "MODERATOR!",
            "system32",
        ),
    ],
)
def test_reserved_words_are_refused_however_they_are_written(name: str) -> None:
    assert reason_of(name) == "name_reserved"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Adminah",
            "Serveriano",
            "Systema",
            "Observer",
            "Conserver",
            "Badminton",
            "Vladmin",
            "Ecosystem",
            "Moderata",
            "Foglia",
        ),
        *("Mod", "Minad", "Adam Minh", "Line Fog", "Администратор", "Сервер", "Badm1nton", "Karl", "Rod Erator"),
    ],
)
def test_names_that_only_hold_the_letters_of_a_reserved_word_are_free(name: str) -> None:
    assert parse_name(name) == name


@given(st.text(max_size=40) | st.text("ab \u200c\u200d\u200b\u202eعی\u0301👨❤\ufe0f1\u20e3क्\U000e0067\t", max_size=12))
def test_a_name_that_was_taken_is_taken_again_as_it_is(text: str) -> None:
    for parse in (parse_name, parse_text):
        try:
            kept = parse(text)
        except RefusedError:
            continue
        assert parse(kept) == kept != ""
        assert visible_length(kept) <= len(kept) <= len(unicodedata.normalize("NFC", text))
        assert not unicodedata.category(kept[0]).startswith("Z")


async def test_names_that_look_alike_have_the_numbers_of_their_seats(client: AsyncClient) -> None:
    host = await new_caller(client, "Аnn")
    code = await host.create(seats=4)
    for name in ("Ann", "Bob"):
        assert (await (await new_caller(client, name)).post(f"{code}/join")).status_code == 200
    await host.post(f"{code}/bots", {"level": "easy"})
    seats = (await host.get(code)).json()["seats"]
    assert [seat["name"] for seat in seats] == ["Аnn (1)", "Ann (2)", "Bob", "Karl"]


async def test_a_line_has_the_name_of_its_seat_and_a_spectator_who_looks_alike_a_mark(server: AsyncClient) -> None:
    code, [ann, ben] = await seated(server, 2)
    names = [seat["name"] for seat in (await ann.get(code)).json()["seats"]]
    for name in (names[0], "Somebody"):
        await server.patch("/api/v1/players/me", json={"name": name}, headers=ben.headers)
    eve = await new_caller(server, names[0].upper())
    marked = f"{names[0].upper()} ({eve.id[:4]})"
    async with follow(server, code, ann) as socket:
        for speaker, name in ((ben, names[1]), (eve, marked)):
            async with follow(server, code, speaker) as other:
                await say(other, type="say", id="m1", text="Hello")
                assert (await hear(socket, "said"))["name"] == name
                watchers = (await ann.get(code)).json()["watchers"]
                assert [each["name"] for each in watchers] == ([marked] if speaker is eve else [])
