"""Compares what texts look like: those that can be mistaken for each other have the same skeleton.

Skeletons are those of Unicode's technical standard 39, without case, accents and punctuation, which nobody hears.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, count

import regex

_LETTER_IN_NAME = regex.compile(r"(?:.* )?(?:LATIN|SYMBOL)(?: .*)? LETTER (?:[A-Z]+ )*?([A-Z])(?: WITH .*)?")
"""Unicode's name of a letter that is one of A to Z in any form: small capital, squared, script, with a stroke."""

_IGNORED = regex.compile(
    r"[[\p{Default_Ignorable_Code_Point}\p{Cf}]--[\U000E0020-\U000E007F]]"  # tags tell flags apart
    r"|[[\p{M}&&\p{Script=Inherited}]--\p{Block=Hiragana}]",
    regex.VERSION1,
)
_PUNCTUATION = regex.compile(r"[\p{P}\p{Z}\p{Sk}]+")
_SAME = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"), ("|", "l"))


def fold(text: str) -> str:
    """A text in lower case, without accents, and with Latin letters for all characters that look like them."""
    return unicodedata.normalize("NFC", _plain("".join(map(_fold_sign, _plain(text)))))


@lru_cache(4096)
def skeleton(text: str) -> str:
    """A text that is the same for all texts that look alike."""
    folded = fold(text)
    for seen, taken_for in _SAME:
        folded = folded.replace(seen, taken_for)
    return _PUNCTUATION.sub("", folded) or folded


def tell_apart(names: Sequence[tuple[str, str]], others: Iterable[str] = ()) -> tuple[str, ...]:
    """Make names look different from each other and from `others`. Each comes with a mark.

    A name that looks like another one gets its mark, and a number too if the marks look alike.
    """
    taken = set(map(skeleton, others))
    shown = [name for _, name in names]
    for _ in range(2):  # a marked name may look like one that somebody chose
        for place in _alike(shown, taken):
            shown[place] += f" ({names[place][0]})"
    return tuple(_numbered(shown, taken))


def _alike(names: Sequence[str], taken: Iterable[str]) -> list[int]:
    times = Counter([*taken, *map(skeleton, filter(None, names))])
    return [place for place, name in enumerate(names) if name and times[skeleton(name)] > 1]


def _numbered(names: Iterable[str], taken: Iterable[str]) -> Iterator[str]:
    seen = set(taken)
    for name in names:
        candidates = chain([name], (f"{name} ({number})" for number in count(2)))
        free = next(each for each in candidates if not each or skeleton(each) not in seen)
        seen.add(skeleton(free))
        yield free


def _plain(text: str) -> str:
    return str(_IGNORED.sub("", unicodedata.normalize("NFKD", text)))


@lru_cache(4096)
def _fold_sign(sign: str) -> str:
    if sign.isascii():
        return sign.lower()
    named = _LETTER_IN_NAME.fullmatch(unicodedata.name(sign, ""))
    if named:
        return str(named[1]).lower()
    other = _prototypes().get(sign, sign)
    if other == sign:
        other = sign.casefold()
    return sign if other == sign else "".join(map(_fold_sign, other))


@cache
def _prototypes() -> dict[str, str]:
    """The prototype of each character in Unicode's list of confusables.

    The library has both directions of each pair: a prototype is the neighbor with the most neighbors.
    """
    text = files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    near = {_bare(sign): [_bare(other["c"]) for other in others] for sign, others in json.loads(text).items()}

    def rank(sign: str) -> tuple[int, str]:
        return -len(near[sign]), sign

    return {sign: min([sign, *others], key=rank) for sign, others in near.items() if len(sign) == 1}


def _bare(sign: str) -> str:
    """Remove the marks of direction that the library puts round characters written from right to left."""
    return sign.strip("\u200e")
