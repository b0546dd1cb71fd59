"""The stream of chance: the numbers of docs/shuffle.md, and that they are fair."""

import json
import re
from collections import Counter
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import pytest

from app.boards import load_board
from app.rules import deal
from app.rules.cards import spread
from app.rules.shuffle import all_nonces, below, commitment, mix, mix_seed, shuffled, words

DOCUMENT = Path(__file__).parents[2] / "docs" / "shuffle.md"


@pytest.fixture(scope="module")
def told() -> Any:
    """The numbers that the document tells."""
    block = re.search(r"```json\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    return json.loads(block.group(1))


def seed(vector: dict[str, str]) -> bytes:
    return bytes.fromhex(vector["seed"])


@pytest.mark.parametrize("name", ["words", "words, another label"])
def test_words_are_as_documented(told: Any, name: str) -> None:
    vector = told[name]
    assert list(islice(words(seed(vector), vector["label"]), 10)) == vector["first ten"]


def test_numbers_below_bounds_are_as_documented(told: Any) -> None:
    vector = told["below"]
    stream = words(seed(vector), vector["label"])
    assert [below(stream, bound) for bound in vector["bounds"]] == vector["numbers"]
    assert vector["words taken"] > len(vector["bounds"])
    rest = list(islice(words(seed(vector), vector["label"]), vector["words taken"], vector["words taken"] + 5))
    assert list(islice(stream, 5)) == rest


def test_a_shuffle_is_as_documented(told: Any) -> None:
    vector = told["shuffled"]
    assert list(shuffled(vector["items"], seed(vector), vector["label"])) == vector["order"]


def test_commitment_and_mixed_seed_are_as_documented(told: Any) -> None:
    part = bytes.fromhex(told["commitment"]["server part"])
    assert commitment(part) == told["commitment"]["commitment"]
    mixed = told["mix_seed"]
    assert mix_seed(bytes.fromhex(mixed["server part"]), mixed["nonces"]) == seed(mixed)


def test_the_nonces_of_bots_are_as_documented(told: Any) -> None:
    table = told["nonces"]
    assert all_nonces(table["given"], 2) == table["all"]
    assert mix_seed(bytes.fromhex(table["server part"]), table["all"]) == seed(table)
    assert all_nonces(table["given"], 1) == [nonce or "" for nonce in table["given"]]
    with pytest.raises(ValueError, match="no derivation 3"):
        all_nonces(table["given"], 3)


def test_a_whole_deal_is_as_documented(told: Any) -> None:
    vector = told["deal"]
    board = load_board(vector["board"])
    game = deal(board, vector["seats"], seed(vector))
    dealt = 2 * vector["seats"]
    assert game.first_player == vector["first player"]
    assert list(shuffled(spread(board.cards, board.all_cards), seed(vector), "deck")) == vector["deck"]
    assert list(game.deck) == vector["deck"][dealt + 5 :]
    assert list(game.market) == vector["market"] == vector["deck"][dealt : dealt + 5]
    assert [sorted(spread(board.cards, hand)) for hand in game.hands] == list(map(sorted, vector["hands"]))
    assert [list(held.offer) for held in game.holdings] == vector["offers"]
    assert list(game.ticket_deck) == vector["tickets"][dealt:]


def test_a_reshuffle_is_as_documented(told: Any) -> None:
    vector = told["reshuffle"]
    board = load_board("san-francisco")
    counts = tuple(vector["discards"].get(card, 0) for card in board.cards)
    assert list(shuffled(spread(board.cards, counts), seed(vector), vector["label"])) == vector["deck"]


def test_parts_of_a_seed_do_not_run_together() -> None:
    parts = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("", "abc"), ("c", "ab")]
    assert len({mix_seed(bytes(32), part) for part in parts}) == len(parts)
    assert len({mix_seed(bytes(32), []), mix_seed(b"", [bytes(32).decode()]), mix_seed(bytes(31) + b"\1", [])}) == 3


def test_streams_of_other_labels_and_seeds_differ() -> None:
    starts = [next(words(bytes([number] * 32), label)) for number in range(50) for label in ("deck", "tickets", "")]
    assert len(set(starts)) == len(starts)


def chi_square(met: Counter[Any], kinds: int) -> float:
    expected = met.total() / kinds
    assert len(met) == kinds
    return sum((number - expected) ** 2 / expected for number in met.values())


@pytest.mark.parametrize(("bound", "limit"), [(2, 10.8), (7, 22.5), (44, 77.4), (100, 148.2)])
def test_numbers_below_a_bound_are_equally_likely(bound: int, limit: float) -> None:
    """Chi-square at one in a thousand; the seed is fixed, so it passes always or never."""
    stream = words(bytes(32), f"fair below {bound}")
    assert chi_square(Counter(below(stream, bound) for _ in range(100 * bound)), bound) < limit


def test_all_orders_of_a_shuffle_are_equally_likely() -> None:
    met = Counter(shuffled("abcd", bytes(32), f"order {number}") for number in range(2400))
    assert set(met) == set(permutations("abcd"))
    assert chi_square(met, 24) < 49.7


def test_words_that_would_favor_small_numbers_are_passed_over() -> None:
    """With a bound just over half of the words, nearly half of them are."""
    bound = 2**31 + 1
    taken = iter([bound, bound - 1, 2**32 - 1, 2**31 + 5, 7])
    assert below(taken, bound) == bound - 1
    assert below(taken, bound) == 7
    assert below(iter([2**32 - 1]), 2**32) == 2**32 - 1
    assert below(iter([2**32 - 1, 4]), 3) == 1
    stream = words(bytes(32), "rejected")
    numbers = [below(stream, bound) for _ in range(1000)]
    assert max(numbers) < bound
    assert abs(sum(number < bound // 2 for number in numbers) - 500) < 50


@pytest.mark.parametrize("high", [[], [2**32 - 1], [2**32 - 2, 2**32 - 3], [2**32 - 9], [2**32 - 11]])
def test_places_are_exchanged_with_numbers_drawn_one_by_one(high: list[int]) -> None:
    """Also where one of the highest words has to be passed over, and the words after it move up."""
    drawn = [*range(1000, 1003), *high, *range(5000, 5020)]
    stream, order, mixed = iter(drawn), list("abcdefghijk"), list("abcdefghijk")
    for last in range(10, 0, -1):
        other = below(stream, last + 1)
        order[last], order[other] = order[other], order[last]
    assert mix(mixed, 11, drawn) == 1
    assert mixed == order


def test_places_are_exchanged_while_there_are_words() -> None:
    in_parts, at_once = list("abcdefghijk"), list("abcdefghijk")
    assert mix(in_parts, 11, range(1000, 1008)) == 3
    assert mix(in_parts, 3, range(1008, 1016)) == 1
    assert mix(at_once, 11, range(1000, 1016)) == 1
    assert in_parts == at_once


def test_a_shuffle_keeps_every_item() -> None:
    for size in range(60):
        assert sorted(shuffled(range(size), bytes(32), "keep")) == list(range(size))
