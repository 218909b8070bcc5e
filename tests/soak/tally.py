"""What many races came to: counts that do not depend on the order in which the races ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate

from heat_core.race.setup import BASE_GAME
from tests.soak.races import Outcome

MOST_CARS = 8


def kind_of(driver: str) -> str:
    """Name a driver as tables do: `Legend, hard`."""
    kind, _, level = driver.partition(":")
    return f"{kind.capitalize()}, {level}" if level else kind


KINDS = ("steady", "random", "Legend, easy", "Legend, medium", "Legend, hard")


@dataclass
class KindTally:
    """What the cars of one kind of driver did.

    Attributes:
        places: Place -> how often.
        lasts: How often it came last.
        by_chance: The wins it would have had if all cars were equally good.
        beaten: Sum over the races of the share of the other cars that it beat.
        spin_outs: Spin-outs in a race -> in how many races.
    """

    cars: int = 0
    lasts: int = 0
    by_chance: float = 0.0
    beaten: float = 0.0
    gave_up: int = 0
    heat_paid: int = 0
    slipstreams: int = 0
    places: Counter[int] = field(default_factory=Counter)
    spin_outs: Counter[int] = field(default_factory=Counter)


@dataclass
class Tally:
    """Everything that is told of a soak.

    Attributes:
        rounds: (track, preset, laps) -> rounds -> how many races.
        cars: How many cars a race had -> how many races.
    """

    seed: str
    races: int = 0
    verified: int = 0
    with_modules: int = 0
    decisions: int = 0
    events: int = 0
    faults: list[Outcome] = field(default_factory=list)
    rounds: dict[tuple[str, str, int], Counter[int]] = field(default_factory=dict)
    cars: Counter[int] = field(default_factory=Counter)
    kinds: dict[str, KindTally] = field(default_factory=lambda: {kind: KindTally() for kind in KINDS})

    def add(self, outcome: Outcome) -> None:
        """Count one race."""
        self.races += 1
        if outcome.fault is not None:
            self.faults.append(outcome)
            return
        plan = outcome.plan
        self.verified += outcome.is_verified
        self.with_modules += plan.modules != BASE_GAME
        self.decisions += outcome.decisions
        self.events += outcome.events
        self.cars[len(outcome.cars)] += 1
        self.rounds.setdefault((plan.track, plan.preset, outcome.laps), Counter())[outcome.rounds] += 1
        others = len(outcome.cars) - 1
        for car in outcome.cars:
            kind = self.kinds[kind_of(car.driver)]
            kind.cars += 1
            kind.places[car.place] += 1
            kind.lasts += car.place == others + 1
            kind.by_chance += 1 / (others + 1)
            kind.beaten += (others + 1 - car.place) / others
            kind.gave_up += car.status == "gave_up"
            kind.heat_paid += car.heat_paid
            kind.slipstreams += car.slipstreams
            kind.spin_outs[car.spin_outs] += 1

    def rounds_of(
        self, *, track: str | None = None, preset: str | None = None, laps: int | None = None
    ) -> Counter[int]:
        """Add up the rounds of the races of a track, preset and number of laps; None: of all."""
        total: Counter[int] = Counter()
        for (its_track, its_preset, its_laps), counts in self.rounds.items():
            if track in (None, its_track) and preset in (None, its_preset) and laps in (None, its_laps):
                total += counts
        return total


def quantile(counts: Counter[int], share: float) -> int:
    """Give the least value that at least this share of the counts does not exceed; 0 of nothing."""
    values = sorted(counts)
    for value, sofar in zip(values, accumulate(counts[value] for value in values), strict=True):
        if sofar >= share * counts.total():
            return value
    return 0


def mean(counts: Counter[int]) -> float:
    """Give the mean of counted values; 0 of nothing."""
    return sum(value * count for value, count in counts.items()) / max(1, counts.total())


def tally(seed: str, outcomes: Iterable[Outcome]) -> Tally:
    """Count many races."""
    total = Tally(seed)
    for outcome in outcomes:
        total.add(outcome)
    total.faults.sort(key=lambda outcome: outcome.plan.number)
    return total
