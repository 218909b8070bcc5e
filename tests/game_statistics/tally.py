"""What many races came to, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt

from heat_core.cards import CardName
from heat_core.tournament.rates import Estimate, wilson
from tests.game_statistics.races import BOARDS, CARS, CornerFigures, Outcome
from tests.soak.tally import mean

_NORMAL_95 = 1.96


@dataclass
class Tally:
    """The counts of the races of one bot and kind.

    Attributes:
        seconds: What all races took of a processor.
        rounds: Board -> rounds -> how many races.
        gaps: By place from the 1st, spaces behind the winner -> how many races.
        leaders: How many cars led at the end of a round -> how many races.
        places: By grid place from pole, place from 1 -> how many races.
        corners: Board -> by the corner's number.
        upgrades: Card -> its owner's place -> how often.
    """

    races: int = 0
    seconds: float = 0.0
    rounds: dict[str, Counter[int]] = field(default_factory=lambda: {board: Counter() for board in BOARDS})
    gaps: list[Counter[int]] = field(default_factory=lambda: [Counter() for _ in range(CARS)])
    leaders: Counter[int] = field(default_factory=Counter)
    places: list[Counter[int]] = field(default_factory=lambda: [Counter() for _ in range(CARS)])
    corners: dict[str, list[CornerFigures]] = field(default_factory=dict)
    upgrades: dict[CardName, Counter[int]] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """Count one race."""
        self.races += 1
        self.seconds += outcome.seconds
        self.rounds[outcome.board][outcome.rounds] += 1
        self.leaders[outcome.leaders] += 1
        place_of = {car: place for place, car in enumerate(outcome.order, start=1)}
        for gap, counts in zip(outcome.gaps, self.gaps, strict=True):
            counts[gap] += 1
        for car, counts in zip(outcome.grid, self.places, strict=True):
            counts[place_of[car]] += 1
        corners = self.corners.setdefault(outcome.board, [CornerFigures() for _ in outcome.corners])
        for total, own in zip(corners, outcome.corners, strict=True):
            total.passed += own.passed
            total.heat += own.heat
            total.spin_outs += own.spin_outs
        for car, cards in enumerate(outcome.upgrades):
            for card in cards:
                self.upgrades.setdefault(card, Counter())[place_of[car]] += 1


def tally(outcomes: Iterable[Outcome]) -> Tally:
    """Count races."""
    total = Tally()
    for outcome in outcomes:
        total.add(outcome)
    return total


def mean_estimate(counts: Counter[int]) -> Estimate:
    """Estimate the mean of what was counted, at least once."""
    middle = mean(counts)
    variance = sum(count * (value - middle) ** 2 for value, count in counts.items()) / counts.total()
    reach = _NORMAL_95 * sqrt(variance / counts.total())
    return Estimate(middle, middle - reach, middle + reach)


def share_of(counts: Counter[int], value: int) -> Estimate:
    """Estimate how often a value comes, as a share in [0, 1]."""
    return wilson(counts[value] / counts.total(), counts.total())


def spin_out_rate(corner: CornerFigures) -> Estimate:
    """Estimate how many of 1,000 cars that pass a corner spin out there."""
    return Estimate(*(1000 * share for share in wilson(corner.spin_outs / corner.passed, corner.passed)))


def places_gained(counts: Counter[int]) -> Estimate:
    """Estimate by how many places a card's owner is better than the middle of the field."""
    middle, low, high = mean_estimate(counts)
    average = (CARS + 1) / 2
    return Estimate(average - middle, average - high, average - low)
