"""What a player may be called."""

import unicodedata

from app.rooms import Code, RefusedError

LONGEST = 24


_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols that show nothing
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
    name = " ".join(part for part in unicodedata.normalize("NFC", text).split(" ") if part)
    if any(unicodedata.category(sign) in _HIDDEN or sign in _BLANK for sign in name):
        raise _refuse(
            "name_hidden", "A name may not hold control, format or direction marks, or signs that show nothing."
        )
    if not 1 <= len(name) <= LONGEST:
        raise _refuse("name_length", f"A name has 1 to {LONGEST} signs.")
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in name):
        raise _refuse("name_invisible", "A name needs at least one sign that can be seen.")
    if skeleton(name) in RESERVED:
        raise _refuse("name_reserved", "This name is reserved.")
    return name


def skeleton(name: str) -> str:
    """What a name looks like at a glance: small letters, look-alikes of other scripts as Latin, nothing else."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(_LOOK_ALIKES)
    return "".join(sign for sign in plain if sign.isalpha())


RESERVED = frozenset(map(skeleton, ("server", "system", "fogline", "admin", "moderator")))
"""Nobody is to be taken for the site itself."""


def _refuse(reason: str, detail: str) -> RefusedError:
    return RefusedError(Code.BAD_REQUEST, f"name: {detail}", reason=reason)
