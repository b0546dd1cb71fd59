"""What a player may be called."""

import re
import unicodedata

from app.rooms import Code, RefusedError

LONGEST = 24

MOST_MARKS = 5
"""Marks on one sign: more than any script needs would run over the lines above and below."""

_SPACES = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_PILE = re.compile(f"m{{{MOST_MARKS + 1}}}")
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK = re.compile(
    "[\u115f\u1160\u2800\u3164\uffa0]"  # letters and symbols that show nothing
    "|[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0e\U000e0100-\U000e01ef]"  # marks that show nothing
    "|(?<![\u2190-\u2bff\U0001f000-\U0001faff])\ufe0f"  # which makes pictures colored, and nothing else
)
_LOOK_ALIKES = {
    ord(sign): plain
    for plain, signs in {
        "a": "4@аα",
        "b": "вβ",
        "c": "с",
        "d": "ԁ",
        "e": "3еε",
        "h": "һн",
        "j": "ј",
        "k": "кκ",
        "l": "1|iіӏι",
        "m": "м",
        "o": "0оο",
        "p": "рρ",
        "s": "5$ѕ",
        "t": "тτ",
        "u": "υ",
        "v": "ν",
        "x": "хχ",
        "y": "у",
    }.items()
    for sign in signs
}


def parse_name(text: str) -> str:
    """The name as it is kept: in Unicode's form C, without blanks round it or double ones in it.

    Raises:
        RefusedError: it is empty, too long, invisible in part, or a reserved one.
    """
    name = _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip(" ")
    if has_hidden(name):
        raise _refuse(
            "name_hidden", "A name may not hold control, format or direction marks, or characters that show nothing."
        )
    if not 1 <= visible_length(name) <= LONGEST or has_piles(name):
        raise _refuse("name_length", f"A name has 1 to {LONGEST} characters.")
    if not is_visible(name):
        raise _refuse("name_invisible", "A name needs at least one character that can be seen.")
    if skeleton(name) in RESERVED:
        raise _refuse("name_reserved", "This name is reserved.")
    return name


def has_hidden(text: str) -> bool:
    """Whether there are control, format or direction marks in it, or characters that show nothing."""
    return not _HIDDEN.isdisjoint(map(unicodedata.category, text)) or _BLANK.search(text) is not None


def has_piles(text: str) -> bool:
    """Whether so many marks stand on one sign that they run over other lines."""
    return _PILE.search("".join(unicodedata.category(sign)[0].lower() for sign in text)) is not None


def is_visible(text: str) -> bool:
    """Whether anything in it can be seen."""
    return any(unicodedata.category(sign)[0] in "LNPS" for sign in text)


def visible_length(name: str) -> int:
    """How many characters people count: marks belong to the one they stand on, and skin tones to the person."""
    return sum(unicodedata.category(sign)[0] != "M" and sign not in _SKIN_TONES for sign in name)


def skeleton(name: str) -> str:
    """What a name looks like at a glance: small letters, look-alikes of other scripts as Latin, nothing else."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(_LOOK_ALIKES)
    return "".join(sign for sign in plain if sign.isalpha())


RESERVED = frozenset(map(skeleton, ("server", "system", "fogline", "admin", "moderator")))
"""Nobody is to be taken for the site itself."""


def _refuse(reason: str, detail: str) -> RefusedError:
    return RefusedError(Code.BAD_REQUEST, f"name: {detail}", reason=reason)
