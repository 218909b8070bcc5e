"""A straight line through points, and how sure its slope is."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean
from typing import Final, NamedTuple

Point = tuple[float, float]

_SURE: Final = NormalDist().inv_cdf(0.975)
"""Standard deviations that hold 95 % on both sides."""


class Fit(NamedTuple):
    """The line that is nearest to some points.

    Attributes:
        first, last: The least and the greatest x.
        mean: Of all y.
        change: How much y rises from the first x to the last, as a share of the mean.
        low, high: Ends of the interval that holds the true change in 95 of 100 runs.
    """

    first: float
    last: float
    mean: float
    change: float
    low: float
    high: float

    def at(self, x: float) -> float:
        """Give the height of the line."""
        middle = (self.first + self.last) / 2
        return self.mean * (1 + self.change * (x - middle) / (self.last - self.first))


def fit(points: Sequence[Point]) -> Fit:
    """Find the line by least squares.

    Args:
        points: At least three, at different x.
    """
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x_mean, y_mean = fmean(xs), fmean(ys)
    width = sum((x - x_mean) ** 2 for x in xs)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in points) / width
    rest = sum((y - y_mean - slope * (x - x_mean)) ** 2 for x, y in points)
    doubt = _SURE * sqrt(rest / (len(points) - 2) / width)
    reach = (max(xs) - min(xs)) / y_mean
    return Fit(min(xs), max(xs), y_mean, slope * reach, (slope - doubt) * reach, (slope + doubt) * reach)


def blocks(points: Sequence[Point], count: int) -> list[Point]:
    """Take the means of as many neighbours as leave about so many points."""
    size = max(1, len(points) // count)
    return [
        (fmean(x for x, _ in part), fmean(y for _, y in part))
        for part in (points[at : at + size] for at in range(0, len(points), size))
    ]
