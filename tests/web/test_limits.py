"""Budgets of rate limits: who shares one, that it is spent before any work, and that they are limited in number."""

import pytest

from app.web import limits
from app.web.limits import READINESS, WIDE, WRONG_CODE, Limits, Rate, RateLimitedError


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def spent(budget: Limits, rate: Rate, address: str, most: int = 10_000) -> int:
    """How often an address may ask now."""
    for count in range(most):
        try:
            budget.spend(rate, address)
        except RateLimitedError:
            return count
    return most


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("203.0.113.7", "203.0.113.7", True),
        ("203.0.113.7", "203.0.113.8", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:DB8:1:2::1", "2001:0db8:0001:0002::1", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:203.0.113.7", "203.0.113.7", True),
        ("::ffff:cb00:7107", "203.0.113.7", True),
        ("::ffff:203.0.113.7", "::ffff:203.0.113.8", False),
        ("a socket", "a socket", True),
    ],
)
def test_limits_are_those_of_a_household(one: str, other: str, *, is_same: bool) -> None:
    budget = Limits(on=True)
    assert spent(budget, READINESS, one) == READINESS.burst
    assert spent(budget, READINESS, other) == (0 if is_same else READINESS.burst)


def test_a_site_with_many_networks_has_a_budget_as_a_whole(clock: Clock) -> None:
    budget = Limits(on=True, clock=clock)
    asked = sum(spent(budget, WRONG_CODE, f"2001:db8:1:{number:x}::1") for number in range(2000))
    assert asked == WIDE * WRONG_CODE.burst
    assert spent(budget, WRONG_CODE, "2001:db8:2::1") == WRONG_CODE.burst, "the next site has its own"
    clock.now += 1 / WRONG_CODE.per_second
    assert sum(spent(budget, WRONG_CODE, f"2001:db8:1:{number:x}::1") for number in range(2000)) == WIDE


def test_a_budget_comes_back_in_the_long_run(clock: Clock) -> None:
    budget = Limits(on=True, clock=clock)
    assert spent(budget, WRONG_CODE, "203.0.113.7") == WRONG_CODE.burst
    with pytest.raises(RateLimitedError) as error:
        budget.spend(WRONG_CODE, "203.0.113.7")
    assert error.value.wait == pytest.approx(1 / WRONG_CODE.per_second)
    clock.now += error.value.wait
    assert spent(budget, WRONG_CODE, "203.0.113.7") == 1
    clock.now += 3600
    assert spent(budget, WRONG_CODE, "203.0.113.7") == WRONG_CODE.burst


def test_what_was_not_used_is_given_back(clock: Clock) -> None:
    budget = Limits(on=True, clock=clock)
    for _ in range(5 * WRONG_CODE.burst):
        budget.spend(WRONG_CODE, "203.0.113.7")
        budget.give_back(WRONG_CODE, "203.0.113.7")
    budget.give_back(WRONG_CODE, "198.51.100.1")
    assert [spent(budget, WRONG_CODE, address) for address in ("203.0.113.7", "198.51.100.1")] == [WRONG_CODE.burst] * 2


def test_rates_with_the_same_numbers_are_two(clock: Clock) -> None:
    budget = Limits(on=True, new_players=Rate.parse("3/60"), new_rooms=Rate.parse("3/60"), clock=clock)
    assert spent(budget, budget.new_players, "203.0.113.7") == 3
    assert spent(budget, budget.new_rooms, "203.0.113.7") == 3


def remembered(budget: Limits) -> int:
    """How many budgets are in memory."""
    assert len(budget._budgets._soonest) == len(budget._budgets)
    return len(budget._budgets)


def test_a_hundred_thousand_addresses_fill_no_memory_and_give_nobody_a_new_budget(clock: Clock) -> None:
    """Neither one who used his up, nor one who has something left."""
    budget = Limits(on=True, clock=clock)
    assert spent(budget, WRONG_CODE, "203.0.113.7") == WRONG_CODE.burst
    for _ in range(10):
        budget.spend(WRONG_CODE, "203.0.113.8")
    for number in range(100_000):
        clock.now += 0.0001
        budget.spend(WRONG_CODE, f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
        assert remembered(budget) <= limits.MOST_ADDRESSES
    assert spent(budget, WRONG_CODE, "203.0.113.7") <= 2, "what has come back in ten seconds"
    assert spent(budget, WRONG_CODE, "203.0.113.8") <= 22


def test_where_all_is_used_up_the_newest_is_remembered_too(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ADDRESSES", 100)
    budget = Limits(on=True, clock=clock)
    for number in range(150):
        assert spent(budget, WRONG_CODE, f"203.0.113.{number}") == WRONG_CODE.burst
        assert spent(budget, WRONG_CODE, f"203.0.113.{number}") == 0
    assert remembered(budget) == 100


def test_what_is_whole_again_is_forgotten(clock: Clock) -> None:
    budget = Limits(on=True, clock=clock)
    for number in range(1000):
        budget.spend(READINESS, f"203.0.113.{number}")
    for number in range(1000):
        clock.now += 60
        budget.spend(READINESS, f"198.51.{number >> 8}.{number & 255}")
    assert remembered(budget) == 1


def test_one_site_takes_the_place_of_few_in_memory(clock: Clock) -> None:
    budget = Limits(on=True, clock=clock)
    for number in range(65_536):
        spent(budget, WRONG_CODE, f"2001:db8:1:{number:x}::1", 1)
    assert remembered(budget) <= WIDE * WRONG_CODE.burst + 1


def test_switched_off_nothing_is_limited_nor_remembered() -> None:
    budget = Limits(on=False)
    assert spent(budget, WRONG_CODE, "203.0.113.7", 1000) == 1000
    assert remembered(budget) == 0
