"""Who finished ahead of whom: rates with intervals, and a rating.

Races of one deal are alike, so an interval is as wide as the deals differ from each other, not as the number
of races alone would have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import log10, sqrt
from typing import Final, NamedTuple, TypeAlias

from heat_core.rng import Stream
from heat_core.tournament.races import Result

Pair: TypeAlias = tuple[str, str]
Ahead: TypeAlias = Counter[Pair]
"""(a, b) -> how often a finished ahead of b."""

DealKey: TypeAlias = tuple[str, int]
"""Board and number."""

Deals: TypeAlias = Mapping[DealKey, Ahead]

_NORMAL_95: Final = 1.959964
_RESAMPLES: Final = 200
_POINTS_A_DECADE: Final = 400
"""Of a chess rating: a driver so many points ahead finishes ahead ten times as often."""
_PRIOR: Final = 0.5
"""Times that each driver is taken to have been ahead of each other besides: one who always was would have a
rating without end."""
_MOST_STEPS: Final = 2000
_CLOSE_ENOUGH: Final = 1e-7


class Estimate(NamedTuple):
    """A value with its interval, in which the truth lies 95 times in 100."""

    value: float
    low: float
    high: float


def count_deals(results: Iterable[Result]) -> dict[DealKey, Ahead]:
    """Count, deal by deal, how often each driver finished ahead of each other one."""
    deals: dict[DealKey, Ahead] = {}
    for result in results:
        finished = [result.race.drivers[seat] for seat in result.order]
        ahead = deals.setdefault((result.race.board, result.race.deal), Ahead())
        ahead.update(pair for pair in combinations(finished, 2) if pair[0] != pair[1])
    return dict(sorted(deals.items()))


def rate(deals: Deals, pair: Pair) -> Estimate | None:
    """Estimate how often the first of a pair finishes ahead of the second.

    The interval is Wilson's for as many independent races as would scatter like these deals (Kish's effective
    sample size), at most the real number.

    Returns:
        Shares in [0, 1]; None where the two never met.
    """
    met = [(ahead[pair], own) for ahead in deals.values() if (own := ahead[pair] + ahead[pair[::-1]])]
    if not met:
        return None
    times = sum(own for _, own in met)
    share = sum(won for won, _ in met) / times
    if len(met) == 1 or share in (0, 1):  # how far deals scatter is not known
        return wilson(share, len(met))
    scatter = sum((won - share * own) ** 2 for won, own in met) * len(met) / (len(met) - 1)
    size = share * (1 - share) * times**2 / scatter if scatter else times
    return wilson(share, min(times, size))


def wilson(share: float, size: float) -> Estimate:
    """Give Wilson's interval of a share in [0, 1] that was seen in so many independent cases, above 0."""
    squared = _NORMAL_95**2
    middle = (share + squared / (2 * size)) / (1 + squared / size)
    reach = _NORMAL_95 * sqrt(share * (1 - share) / size + squared / (4 * size**2)) / (1 + squared / size)
    return Estimate(share, max(0.0, middle - reach), min(1.0, middle + reach))


def rate_drivers(deals: Deals, drivers: Sequence[str], seed: str) -> dict[str, Estimate]:
    """Rate the drivers by the model of Bradley and Terry, best first.

    Args:
        seed: For the intervals, which come from the ratings of deals drawn again and again from the same
            deals (bootstrap).

    Returns:
        Points as in chess; the mean of all drivers is 0.
    """
    strengths = _fit(_total(deals.values()), dict.fromkeys(drivers, 1.0))
    points = _points(strengths)
    own = list(deals.values())
    stream = Stream(f"{seed}/bootstrap")
    drawn: dict[str, list[float]] = {driver: [] for driver in drivers}
    for _ in range(_RESAMPLES):
        sample = [stream.choose(own) for _ in own]
        for driver, value in _points(_fit(_total(sample), strengths)).items():
            drawn[driver].append(value)
    tail = _RESAMPLES // 40
    estimates = {}
    for driver in sorted(drivers, key=lambda driver: -points[driver]):
        values = sorted(drawn[driver])
        estimates[driver] = Estimate(points[driver], values[tail], values[-1 - tail])
    return estimates


def _total(deals: Iterable[Ahead]) -> Ahead:
    total = Ahead()
    for ahead in deals:
        total.update(ahead)
    return total


def _fit(ahead: Ahead, first: Mapping[str, float]) -> dict[str, float]:
    """Find the strengths that make these counts most likely, by Hunter's minorisation steps.

    Args:
        first: Strengths to begin with.
    """
    drivers = list(first)
    others = {
        driver: [other for other in drivers if ahead[driver, other] or ahead[other, driver]]
        for driver in drivers
    }
    times = {
        (driver, other): ahead[driver, other] + ahead[other, driver] + 2 * _PRIOR
        for driver in drivers
        for other in others[driver]
    }
    wins = {driver: sum(ahead[driver, other] + _PRIOR for other in others[driver]) for driver in drivers}
    strengths = dict(first)
    for _ in range(_MOST_STEPS):
        moved = 0.0
        for driver in filter(others.get, drivers):
            own = strengths[driver]
            expected = sum(times[driver, other] / (own + strengths[other]) for other in others[driver])
            strengths[driver] = wins[driver] / expected
            moved = max(moved, abs(strengths[driver] / own - 1))
        if moved < _CLOSE_ENOUGH:
            break
    return strengths


def _points(strengths: Mapping[str, float]) -> dict[str, float]:
    points = {driver: _POINTS_A_DECADE * log10(strength) for driver, strength in strengths.items()}
    middle = sum(points.values()) / len(points)
    return {driver: value - middle for driver, value in points.items()}


def mean_places(results: Iterable[Result]) -> dict[str, float]:
    """Give each driver's mean place."""
    places: dict[str, list[int]] = {}
    for result in results:
        for place, seat in enumerate(result.order, start=1):
            places.setdefault(result.race.drivers[seat], []).append(place)
    return {driver: sum(own) / len(own) for driver, own in places.items()}
