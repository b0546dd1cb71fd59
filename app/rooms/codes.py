"""Room codes: eight characters of Crockford's base 32, parsed as people type and paste them.

`static/js/pages/table-code.js` parses them in the same way; `tests/codes.json` has cases for both.
"""

import secrets
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

import regex

SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 8
LONGEST = 2000
"""Maximum characters of a text that is searched for a code."""

_MEANT = str.maketrans("OIL", "011")
_ENCODED = regex.compile("(?:%[0-9A-F]{2})+", regex.IGNORECASE)
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]")
_BETWEEN = r"[\s\u2010-\u2015-]?"
_LINK = regex.compile(r"/T/[^0-9A-Z]*([0-9A-Z](?:[\u2010-\u2015-]?[0-9A-Z]){7})(?![0-9A-Z])")
_IN_WORDS = regex.compile(rf"(?<![0-9A-Z])(?=([0-9A-Z]{{4}}{_BETWEEN}[0-9A-Z]{{4}})(?![0-9A-Z]))")
_NO_SIGN = regex.compile("[^0-9A-Z]")


def new_code() -> str:
    """A random code of 40 bits, so that nobody guesses it."""
    return "".join(secrets.choice(SIGNS) for _ in range(LENGTH))


def parse_code(text: str) -> str | None:
    """Find the code in a text; None if there is none. Case does not matter, O counts as 0, I and L as 1.

    It may stand alone, with other characters between and around, after a colon, in a link or, if it has a digit, in a
    sentence.
    """
    if len(text) > LONGEST:
        return None
    plain = _ENCODED.sub(lambda found: unquote(found[0]), text)
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", plain)).upper()
    if "/T/" in plain:
        found = _LINK.search(plain)
        return found and _code(found[1])
    if "//" in plain:
        return None
    return _code(plain) or _code(plain.rpartition(":")[2]) or _in_words(plain)


def _in_words(text: str) -> str | None:
    """The candidate with the most digits in a sentence, since ordinary words of eight letters have none."""
    found = sorted(set(_candidates(text)))
    best = found[-1:]
    return best[0][1] if best and (len(found) == 1 or found[-2][0] < best[0][0]) else None


def _candidates(text: str) -> Iterator[tuple[int, str]]:
    for found in _IN_WORDS.finditer(text):
        digits, code = sum(sign.isdecimal() for sign in found[1]), _code(found[1])
        if code and digits:
            yield digits, code


def _code(text: str) -> str | None:
    code = _NO_SIGN.sub("", text).translate(_MEANT)
    return code if len(code) == LENGTH and set(code) <= set(SIGNS) else None
