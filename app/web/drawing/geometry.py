"""Curves and boxes on the plane of a board. Points are complex numbers, in the board's units, y downwards."""

import cmath
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

Point = complex
Polygon = tuple[Point, ...]

STEPS = 64


@dataclass(frozen=True, slots=True)
class Curve:
    """A quadratic Bézier curve."""

    start: Point
    control: Point
    end: Point

    def at(self, t: float) -> Point:
        return _mix(_mix(self.start, self.control, t), _mix(self.control, self.end, t), t)

    def heading(self, t: float) -> float:
        """The direction of the curve at t, in degrees from the x axis, clockwise on the screen."""
        along = _mix(self.control - self.start, self.end - self.control, t)
        return math.degrees(cmath.phase(along))

    def part(self, t0: float, t1: float) -> "Curve":
        control = _mix(_mix(self.start, self.control, t0), _mix(self.control, self.end, t0), t1)
        return Curve(self.at(t0), control, self.at(t1))


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle turned about its center by `angle` degrees; length runs along its own x axis."""

    center: Point
    angle: float
    length: float
    width: float

    @property
    def corners(self) -> Polygon:
        turn = cmath.rect(1, math.radians(self.angle))
        x, y = self.length / 2, self.width / 2
        return tuple(self.center + turn * corner for corner in (-x - y * 1j, x - y * 1j, x + y * 1j, -x + y * 1j))


def bent_curve(start: Point, end: Point, bend: float, aside: float = 0) -> Curve:
    """A curve from start to end, with its middle `bend` units off the straight line, all moved `aside` the same way."""
    normal = (end - start) / abs(end - start) * 1j
    shift = normal * aside
    return Curve(start + shift, (start + end) / 2 + normal * 2 * bend + shift, end + shift)


def arc_length(curve: Curve) -> float:
    return _walked(curve)[-1]


def t_at(curve: Curve, distance: float) -> float:
    """The parameter after `distance` units of the curve."""
    walked = _walked(curve)
    after = next((step for step, far in enumerate(walked) if far >= distance), STEPS)
    if after == 0:
        return 0
    near, far = walked[after - 1], walked[after]
    return (after - 1 + (distance - near) / (far - near)) / STEPS


def upright(degrees: float) -> float:
    """The direction of the same line between -90 and 90 degrees, so that nothing is upside down."""
    return (degrees + 90) % 180 - 90


def band(curve: Curve, width: float, steps: int = 12) -> tuple[Polygon, ...]:
    """The area of a stroke of this width along the curve, as convex pieces."""
    points = [curve.at(step / steps) for step in range(steps + 1)]
    return tuple(_piece(a, b, width) for a, b in pairwise(points))


def disc(center: Point, radius: float, corners: int = 24) -> Polygon:
    """A regular polygon round the circle."""
    reach = radius / math.cos(math.pi / corners)
    return tuple(center + cmath.rect(reach, math.tau * k / corners) for k in range(corners))


def along(curve: Curve) -> list[Point]:
    """Points of the curve from its start to its end, a few units apart on any usual board."""
    return [curve.at(step / STEPS) for step in range(STEPS + 1)]


def overlap(one: Polygon, other: Polygon) -> bool:
    """Whether two convex polygons share more than an edge."""
    axes = chain((1, 1j), _axes(one), _axes(other))
    return not any(_apart(one, other, axis) for axis in axes)


def bounds(extent: tuple[float, float, float, float], polygons: Iterable[Polygon]) -> tuple[float, float, float, float]:
    """The extent (left, top, width, height), enlarged to hold all polygons."""
    left, top, width, height = extent
    corners = [complex(left, top), complex(left + width, top + height), *chain.from_iterable(polygons)]
    xs, ys = [corner.real for corner in corners], [corner.imag for corner in corners]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def _mix(a: Point, b: Point, t: float) -> Point:
    return a + (b - a) * t


def _walked(curve: Curve) -> list[float]:
    return [0, *accumulate(abs(b - a) for a, b in pairwise(along(curve)))]


def _piece(a: Point, b: Point, width: float) -> Polygon:
    return Box((a + b) / 2, math.degrees(cmath.phase(b - a)), abs(b - a), width).corners


def _axes(polygon: Polygon) -> Iterator[Point]:
    return ((b - a) * 1j for a, b in pairwise((*polygon, polygon[0])))


def _apart(one: Polygon, other: Polygon, axis: Point) -> bool:
    (low, high), (floor, ceiling) = _shadow(one, axis), _shadow(other, axis)
    slack = 1e-6 * abs(axis)
    return high <= floor + slack or ceiling <= low + slack


def _shadow(polygon: Sequence[Point], axis: Point) -> tuple[float, float]:
    along = [corner.real * axis.real + corner.imag * axis.imag for corner in polygon]
    return min(along), max(along)
