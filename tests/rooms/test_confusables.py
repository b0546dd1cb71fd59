"""Names that look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rooms.confusables import fold, skeleton, tell_apart


@pytest.mark.parametrize(
    "alike",
    [
        ("Ann", "ann", "ANN", "Аnn", "A n n", "Ann.", "Ánn", "Αnn", "𝐀nn", "ᴀɴɴ"),
        ("Bill", "BiIl", "B1ll", "Biⅼⅼ"),
        ("modern", "modem"),
        ("Bob", "B0b", "Воb", "Bоb"),
        ("😀", "😀\ufe0f"),
        ("علی\u200cرضا", "علیرضا"),
    ],
)
def test_what_looks_alike_has_one_skeleton(alike: tuple[str, ...]) -> None:
    assert len(set(map(skeleton, alike))) == 1


@pytest.mark.parametrize(
    "names",
    [
        ("Ann", "Anna", "Hanna", "Ana"),
        ("たかし", "たがし"),
        ("नीता", "नाता"),
        ("🐦", "🐧", "!", "?"),
        (
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
            "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
        ),
        ("Uma", "Yma", "Nina", "Vina"),
        ("김", "강"),
    ],
)
def test_what_does_not_look_alike_has_several(names: tuple[str, ...]) -> None:
    assert len(set(map(skeleton, names))) == len(names)


@given(st.text(max_size=20))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_names_that_look_alike_are_told_apart_until_all_are_different() -> None:
    assert tell_apart([("1", "Ann"), ("2", "Bob"), ("3", "ann")]) == ("Ann (1)", "Bob", "ann (3)")
    assert tell_apart([("1", "Ann"), ("2", "Ann"), ("3", "Ann (2)")]) == ("Ann (1)", "Ann (2) (2)", "Ann (2) (3)")
    assert tell_apart([("1", ""), ("2", "")]) == ("", "")
    assert tell_apart([("x", "Ann")], ["ann"]) == ("Ann (x)",)


def test_names_with_marks_that_look_alike_get_numbers() -> None:
    """Of spectators the mark is the start of an id, which two may share: one more mark would never tell them apart."""
    assert tell_apart([("abcd", "Ann"), ("abcd", "Ann")]) == ("Ann (abcd) (abcd)", "Ann (abcd) (abcd) (2)")
    assert tell_apart([("x1", "Ann"), ("xl", "Ann")]) == ("Ann (x1) (x1)", "Ann (xl) (xl) (2)")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["1", "2", "l", "x"]),
            st.sampled_from(["Ann", "ann", "Ann (1)", "Ann (2)", "Annl", "Ann (1) (1)", ""]),
        ),
        max_size=6,
    ),
    st.lists(st.sampled_from(["Ann", "Ann (2)", "Ann (1) (1) (2)"]), unique=True),
)
def test_after_that_no_two_look_alike(names: list[tuple[str, str]], others: list[str]) -> None:
    shown = [name for name in tell_apart(names, others) if name]
    assert len({*map(skeleton, shown), *map(skeleton, others)}) == len(shown) + len(others)
