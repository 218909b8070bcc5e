"""The possible outcomes of a choice: what is certain, and what else can happen."""

from __future__ import annotations

import msgspec

from heat_core.rules.corner_bills import CornerBill


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """One way in which a choice may turn out.

    Attributes:
        probability: In (0, 1].
        speed: What corners check.
        aim: Progress where the car would be if no space were full.
        end: Progress where the car is before corners are checked.
        spot: The one that it takes there; another if a car that drives before has taken it.
        bills: One for each corner line crossed this turn, up to one that spins the car out.
        owed: Heat that all of them ask for.
        engine_left: Heat in the engine after what can be paid.
        spin_ends: Progress after a spin-out: the nearest to the line, then where cars that drive before may
            make it end. Empty without a spin-out.
        stress: Stress cards that a spin-out brings.
        slipstream_end: Progress after the shortest slipstream from `end`, None where none is sure.
        may_slipstream: Whether phase 6 may offer one, if cars that drive before stop where it needs them.
        finishes: Whether the car ends beyond the finish line of the last lap.
        full: Progress of the spaces that must all be full, by cars that drive before, that this happens.
        instead: What happens if the space of `end` is full, nearest first. They say what they need in `full`.
    """

    probability: float
    speed: int
    aim: int
    end: int
    spot: int
    bills: tuple[CornerBill, ...]
    owed: int
    engine_left: int
    spin_ends: tuple[int, ...]
    stress: int
    slipstream_end: int | None
    may_slipstream: bool
    finishes: bool
    full: tuple[int, ...] = ()
    instead: tuple[Outcome, ...] = ()

    @property
    def spins_out(self) -> bool:
        """Tell whether the engine cannot pay."""
        return bool(self.spin_ends)

    @property
    def engine(self) -> int:
        """Heat in the engine when corners are checked."""
        return self.engine_left + sum(bill.paid for bill in self.bills)

    @property
    def ways(self) -> tuple[Outcome, ...]:
        """This and what may happen instead."""
        return (self, *self.instead)

    @property
    def is_certain(self) -> bool:
        """Tell whether nobody else can change it; a slipstream later on does not count."""
        return not self.instead and len(self.spin_ends) < 2


class Forecast(msgspec.Struct, frozen=True, gc=False):
    """All ways in which a choice may turn out.

    Attributes:
        heat: What the choice itself costs before any corner.
        outcomes: By speed, slowest first; never empty.
        cards_heat: Heat that the turn's cards ask for besides, before any corner.
        lacking: How much of all that the engine cannot pay: unless something cools first, cards will have to
            go for flips, which the outcomes do not count in.
    """

    heat: int
    outcomes: tuple[Outcome, ...]
    cards_heat: int = 0
    lacking: int = 0

    @property
    def has_one_speed(self) -> bool:
        """Tell whether there are no flips in it whose sum is not known."""
        return len(self.outcomes) == 1

    @property
    def is_certain(self) -> bool:
        """Tell whether neither flips nor other cars can change anything."""
        return self.has_one_speed and self.slowest.is_certain

    @property
    def ways(self) -> tuple[Outcome, ...]:
        """All outcomes, each with what may happen instead."""
        return tuple(way for outcome in self.outcomes for way in outcome.ways)

    @property
    def slowest(self) -> Outcome:
        """The outcome of least speed."""
        return self.outcomes[0]

    @property
    def fastest(self) -> Outcome:
        """The outcome of greatest speed."""
        return self.outcomes[-1]

    @property
    def spin_out_probability(self) -> float:
        """Add up the chances of a spin-out that no other car can prevent, in [0, 1]."""
        return sum(each.probability for each in self.outcomes if all(way.spins_out for way in each.ways))

    @property
    def spin_out_at_most(self) -> float:
        """Add up the chances of a spin-out if the other cars stop where they do most harm, in [0, 1]."""
        return sum(each.probability for each in self.outcomes if any(way.spins_out for way in each.ways))

    @property
    def slipstream_probability(self) -> float:
        """Add up the chances that phase 6 will offer a slipstream for sure, whatever corners then cost."""
        return sum(outcome.probability for outcome in self.outcomes if outcome.slipstream_end is not None)


class GearForecast(msgspec.Struct, frozen=True, gc=False):
    """What a gear makes possible with the present hand.

    Attributes:
        heat: What the shift costs.
        fills: Whether the hand has enough playable cards; if not, the hand will be cluttered.
        least_speed: Of the slowest cards, a flip counted as 1.
        most_speed: Of the fastest cards, a flip counted as 4.
    """

    gear: int
    heat: int
    fills: bool
    least_speed: int
    most_speed: int
