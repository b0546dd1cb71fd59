"""The benchmark that measures how strong the bots are."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.bots import Pair, interval, play_out, tasks
from harness.positions import P1, P2

ROOT = Path(__file__).parents[2]

SIMPLE = """
from app.bots import choose as ask

def choose(view, rng):
    return ask("easy", view, rng)
"""


def test_the_interval_of_a_share_is_wilsons() -> None:
    assert interval(0.5, 400) == pytest.approx((0.4512, 0.5488), abs=1e-4)
    assert interval(1.0, 40) == pytest.approx((0.9124, 1.0), abs=1e-4)


def test_each_deal_is_played_from_each_seat() -> None:
    games = list(tasks(Pair("easy", "random"), 3, 4, "1"))
    assert [(game.deal, game.seat) for game in games] == [
        (f"1 3 {number}", seat) for number in range(2) for seat in range(3)
    ]


def test_the_same_task_is_the_same_game() -> None:
    task = next(tasks(Pair("easy", "random"), 2, 1, "1"))
    first, again = play_out(task), play_out(task)
    assert (first.one, first.others, first.turns) == (again.one, again.others, again.turns)


def test_exchanged_seats_exchange_what_equal_players_come_to() -> None:
    deal = next(tasks(Pair("easy", "easy"), 2, 1, "1"))
    first, exchanged = (play_out(deal._replace(seat=seat)) for seat in (P1, P2))
    assert first.one == exchanged.others
    assert first.others == exchanged.one


def test_a_module_of_ones_own_plays_against_a_level(tmp_path: Path) -> None:
    module = tmp_path / "simple.py"
    module.write_text(SIMPLE)
    arguments = "--games", "2", "--players", "2", "--levels", "easy", "--against", f"{module}", "--processes", "1"
    command = [sys.executable, "-m", "bench.bots", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert "| simple | easy | 2 |" in done.stdout
    assert "| simple |" in done.stdout.partition("median")[2]
