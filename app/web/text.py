"""What may be in texts that people type and paste, and how many characters people see, by the rules of Unicode.

Invisible characters are refused, because they make different texts look alike, unless a script or an emoji needs them:
joiners in Persian, Sinhala and compound emoji, variation selectors, the letters in the flag of Wales.
"""

import unicodedata

import regex

MOST_MARKS = 5
"""Maximum marks in a row. More, which no script needs, would cover the lines above and below."""

MOST_IN_ONE = 16
"""Maximum code points of one character as people see it. The longest emoji in use, two people kissing, has ten."""

_UNSEEN = r"[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u2800]--\p{Prepended_Concatenation_Mark}]"
_JOINING = (
    r"[[\p{Joining_Type=Dual_Joining}\p{Joining_Type=Right_Joining}\p{Joining_Type=Left_Joining}"
    r"[\P{Indic_Syllabic_Category=Other}&&[\p{L}\p{M}]]]--\p{Cf}]\p{Mn}*"
)
"""A letter of a script that uses joiners, and its marks."""

_NEEDED = "|".join(
    (
        rf"(?<={_JOINING})\p{{Join_Control}}(?=[^\p{{Cf}}\p{{White_Space}}])",
        r"(?<=[\p{Indic_Syllabic_Category=Virama}\p{Indic_Syllabic_Category=Pure_Killer}])\u200d(?!\p{Cf})",
        r"(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]*)\u200d(?=\p{Extended_Pictographic})",
        r"(?<=\p{Emoji})[\ufe0e\ufe0f]",
        r"(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f",  # flags of regions
        r"(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\U000e0100-\U000e01ef]",
        r"(?<=[\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Math}])\ufe00",
        r"(?<=[\p{Script=Mongolian}&&\p{L}][\u180b-\u180d\u180f]?)[\u180b-\u180f]",
        r"(?<=\p{Line_Break=Complex_Context})\u200b(?=\p{Line_Break=Complex_Context})",  # between Khmer words
    )
)
_LOOSE = "|".join(
    (
        rf"^[\p{{White_Space}}{_UNSEEN}]+",
        rf"[\p{{White_Space}}{_UNSEEN}]+$",
        rf"(?<={_JOINING})\p{{Join_Control}}+(?=[\p{{Join_Control}}\p{{White_Space}}])",
    )
)
_LOOSE_OR_NEEDED = regex.compile(rf"({_NEEDED})|{_LOOSE}", regex.VERSION1)
_HIDDEN_OR_NEEDED = regex.compile(rf"{_NEEDED}|({_UNSEEN}|[\p{{Cc}}\p{{Cs}}\p{{Co}}\p{{Cn}}])", regex.VERSION1)
_PILE = regex.compile(rf"\p{{M}}{{{MOST_MARKS + 1}}}")
_VISIBLE = regex.compile(r"[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]", regex.VERSION1)
_CHARACTER = regex.compile(r"\X")


def tidy(text: str) -> str:
    """The text in Unicode's form C, with spaces for tabs, without invisible characters at its ends."""
    normal = unicodedata.normalize("NFC", text.replace("\t", " "))
    return str(_LOOSE_OR_NEEDED.sub(lambda found: found[1] or "", normal))


def has_hidden(text: str) -> bool:
    """Whether it has control or direction marks, or invisible characters that nothing needs."""
    return any(found[1] for found in _HIDDEN_OR_NEEDED.finditer(text))


def has_piles(text: str) -> bool:
    """Whether a character has so many marks that it covers other lines, or is in no language."""
    return _PILE.search(text) is not None or any(len(each) > MOST_IN_ONE for each in _CHARACTER.findall(text))


def is_visible(text: str) -> bool:
    """Whether any of it is visible."""
    return _VISIBLE.search(text) is not None


def visible_length(text: str) -> int:
    """How many characters people see."""
    return len(_CHARACTER.findall(text))
