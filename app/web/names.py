"""Which names players may have."""

import regex

from app.rooms import Code, ReasonName, RefusedError, fold

from .text import has_hidden, has_piles, is_visible, tidy, visible_length

LONGEST = 24

RESERVED = ("server", "system", "fogline", "admin", "administrator", "moderator")
"""Words that would let a player pass for the site itself."""

_SPACES = regex.compile(r"\p{Zs}+")
_MARK_FIRST = regex.compile(r"\p{M}")
_NEW_WORD = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{Lu}{2})(?=\p{Ll})")
_WRITTEN = {
    "a": "[a4@]",
    "d": "(?:d|cl)",
    "e": "[e3]",
    "g": "[g69]",
    "i": "[il1!|]",
    "l": "[li1!|]",
    "m": "(?:m|rn)",
    "o": "[o0]",
    "s": "[s5$]",
    "t": "[t7+]",
}
"""Characters and pairs that can pass for a letter."""


def _as_written(word: str) -> str:
    return r"[^\p{L}\p{N}]*".join(_WRITTEN.get(letter, letter) for letter in word)


_RESERVED = regex.compile(rf"(?<![a-z])(?:{'|'.join(map(_as_written, RESERVED))})s?(?![a-z])")


def parse_name(text: str) -> str:
    """The name as it is stored: in Unicode's form C, without spaces round it or double spaces in it.

    Raises:
        RefusedError: the name is empty, too long, partly invisible or reserved.
    """
    name = str(_SPACES.sub(" ", tidy(text)))
    if has_hidden(name):
        raise _refuse(
            "name_hidden", "A name may not hold control, format or direction marks, or characters that show nothing."
        )
    if not 1 <= visible_length(name) <= LONGEST:
        raise _refuse("name_length", f"A name has 1 to {LONGEST} characters.")
    if not is_visible(name):
        raise _refuse("name_invisible", "A name needs at least one character that can be seen.")
    if _MARK_FIRST.match(name) or has_piles(name):
        raise _refuse("name_marks", "A name may not begin with a combining mark, or pile up marks on one character.")
    if is_reserved(name):
        raise _refuse("name_reserved", "A name may not hold a word that is reserved for the site itself.")
    return name


def is_reserved(name: str) -> bool:
    """Whether a name contains a reserved word as a separate word, in any spelling."""
    return _RESERVED.search(fold(_NEW_WORD.sub(" ", name))) is not None


def _refuse(reason: ReasonName, detail: str) -> RefusedError:
    return RefusedError(Code.BAD_REQUEST, f"name: {detail}", reason=reason)
