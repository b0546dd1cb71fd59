"""What carries meaning on the board stands out, by day and by night, for every kind of color vision."""

import re
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from pathlib import Path

import pytest

from app.boards import load_board

Color = tuple[float, float, float]
"""Linear red, green and blue, 0 to 1."""

STYLES = Path(__file__).parents[2] / "static/css"
SHEET = (STYLES / "board.css").read_text("utf-8") + (STYLES / "page.css").read_text("utf-8")
COLORS = [str(color) for color in load_board("san-francisco").colors]
SEATS = [f"seat-{seat}" for seat in range(4)]
GROUNDS = ["land", "sea", "deep", "shallow", "beach", "hill", "slope", "street", "park", "grove", "ridge", "headland"]
THEMES = ["day", "night"]
TEXTS = [
    *(("ink", ground) for ground in ("paper", "sheet", "sunken", "warm")),
    *(("soft-ink", ground) for ground in ("paper", "sheet", "sunken", "warm")),
    *(("accent", ground) for ground in ("paper", "sheet")),
    *(("bad", ground) for ground in ("paper", "sheet", "warm")),
    *(("good", ground) for ground in ("paper", "sheet")),
    *(("on-accent", ground) for ground in ("accent", "accent-pressed")),
    ("paper", "ink"),
    ("cars-ink", "plate"),
    ("on-ticket", "ticket"),
]
"""What is written on what, round the board."""
BOUNDS = [
    (line, ground)
    for line in ("edge", "accent", "focus", "bad", "good")
    for ground in ("paper", "sheet", "warm", "sunken")
]
"""Edges of fields and buttons, what is chosen, where the focus is: and what lies beside them."""
VISIONS = {
    "trichromat": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Matrices on linear light of Machado, Oliveira and Fernandes (2009), severity 1."""


def declared(name: str, theme: str) -> str:
    """The value of a custom property in a theme."""
    value = re.search(rf"--{name}: (.+?);", SHEET)
    assert value, name
    switched = re.search(rf"var\(--{theme}, ([^)]+)\)", value[1])
    return switched[1] if switched else value[1]


def color(name: str, theme: str) -> Color:
    code = declared(name, theme)
    assert re.fullmatch("#[0-9a-f]{6}", code), f"{name}: {code}"
    red, green, blue = (linear(int(code[k : k + 2], 16) / 255) for k in (1, 3, 5))
    return red, green, blue


def linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def luminance(seen: Color) -> float:
    return 0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]


def contrast(one: Color, other: Color) -> float:
    """The ratio of WCAG 2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def simulated(seen: Color, vision: str) -> Color:
    red, green, blue = (
        min(1.0, max(0.0, sum(part * light for part, light in zip(row, seen, strict=True)))) for row in VISIONS[vision]
    )
    return red, green, blue


def lab(seen: Color) -> Color:
    """CIELAB under D65."""
    red, green, blue = seen
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, luminance(seen), z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: Color, other: Color) -> float:
    """CIEDE2000; about 2 is just noticed side by side."""
    (light1, a1, b1), (light2, a2, b2) = lab(one), lab(other)
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25**7))
    chroma1, chroma2 = hypot(a1 * stretch, b1), hypot(a2 * stretch, b2)
    hue1, hue2 = (degrees(atan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (hue2 - hue1 + 180) % 360 - 180
    hue = (hue1 + turn / 2) % 360
    light, chroma = (light1 + light2) / 2, (chroma1 + chroma2) / 2
    weight = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.2 * cos(radians(4 * hue - 63))
    )
    by_light = (light2 - light1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    by_hue = 2 * sqrt(chroma1 * chroma2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    bend = 2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(by_light**2 + by_chroma**2 + by_hue**2 - bend * by_chroma * by_hue)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", [*COLORS, "gray", "ferry-gray", *SEATS])
def test_a_space_and_its_symbol_or_car_stand_out_from_the_rim(name: str, theme: str) -> None:
    assert contrast(color(name, theme), color("rim", theme)) >= 3


@pytest.mark.parametrize("name", [*COLORS, "gray", *SEATS])
def test_spaces_and_cars_stand_out_from_the_land(name: str) -> None:
    assert contrast(color(name, "day"), color("land", "day")) >= 3


@pytest.mark.parametrize("ground", ["sea", "deep", "shallow"])
def test_ferry_routes_stand_out_from_the_water(ground: str) -> None:
    assert contrast(color("ferry-gray", "day"), color(ground, "day")) >= 3


@pytest.mark.parametrize("ground", GROUNDS)
def test_rims_stand_out_from_the_map_at_night(ground: str) -> None:
    assert contrast(color("rim", "night"), color(ground, "night")) >= 3


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("name", [*COLORS, "gray", *SEATS])
def test_the_landscape_is_never_darker_than_what_lies_on_it(name: str, ground: str) -> None:
    assert luminance(color(ground, "day")) > luminance(color(name, "day"))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["halo", *GROUNDS])
def test_names_can_be_read(ground: str, theme: str) -> None:
    assert contrast(color("ink", theme), color(ground, theme)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_what_is_written_round_the_board_can_be_read(text: str, ground: str, theme: str) -> None:
    assert contrast(color(text, theme), color(ground, theme)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("line", "ground"), BOUNDS)
def test_edges_and_marks_round_the_board_can_be_seen(line: str, ground: str, theme: str) -> None:
    assert contrast(color(line, theme), color(ground, theme)) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", [*SEATS, "card-ferry", "card-deck"])
def test_cars_and_cards_stand_out_from_what_they_lie_on(name: str, theme: str) -> None:
    ground = "car-plate" if name in SEATS else "rim"
    assert contrast(color(name, theme), color(ground, theme)) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_the_table_of_points_can_be_read(theme: str) -> None:
    assert contrast(color("ink", theme), color("halo", theme)) >= 4.5
    assert contrast(color("cars-ink", theme), color("cars-plate", theme)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", GROUNDS)
def test_what_is_lit_stands_out(ground: str, theme: str) -> None:
    """By its edge in the day, by its light at night."""
    under = color(ground, theme)
    assert max(contrast(color("lit", theme), under), contrast(color("lit-rim", theme), under)) >= 3
    assert max(contrast(color("lit-rim", theme), color("lit", theme)), contrast(color("lit", theme), under)) >= 3
    assert contrast(color("focus-ring", theme), under) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_path_of_a_ticket_stands_out(ground: str, theme: str) -> None:
    assert contrast(color("accent-line", theme), color(ground, theme)) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize(("one", "other"), list(combinations([*COLORS, "gray"], 2)))
def test_the_colors_stay_apart(one: str, other: str, vision: str, theme: str) -> None:
    assert apart(one, other, vision, theme) >= 10


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize(("one", "other"), list(combinations(SEATS, 2)))
def test_the_players_stay_apart(one: str, other: str, vision: str, theme: str) -> None:
    assert apart(one, other, vision, theme) >= 10


def apart(one: str, other: str, vision: str, theme: str) -> float:
    return difference(simulated(color(one, theme), vision), simulated(color(other, theme), vision))


def test_the_difference_of_colors_is_the_published_one() -> None:
    """Pure red and pure green differ by 86.6, black and white by 100."""
    assert difference((1, 0, 0), (0, 1, 0)) == pytest.approx(86.6, abs=0.1)
    assert difference((0, 0, 0), (1, 1, 1)) == pytest.approx(100, abs=0.1)
