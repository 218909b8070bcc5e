"""What a choice leads to on average, and by which of its parts another one is worse.

The parts are taken apart by the value table: how far the car gets, what Heat is worth there, the gear, the
place before the next corner, the odds of a spin-out and of a slipstream. What a turn leads to is worked out
by the forecasts, so that a sentence says the same as the screen.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from heat_core.cards import DIRECT_CARDS, VALUE_CHOICES, CardName, playable_cards
from heat_core.planner.hands import without
from heat_core.planner.own_turn import OwnTurn, Play
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.planner.value_table import ValueTable
from heat_core.planner.ways import sum_of, ways_to_play
from heat_core.view.forecast import forecast_cards, sure_cooling
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast, Outcome

Term: TypeAlias = Literal["distance", "heat", "gear", "place", "spin-out", "slipstream", "boost", "cards"]
"""A part of the difference between two choices."""

LEAST_SPACES: Final = 0.3
"""Smaller differences come from the hands that were drawn to weigh a choice."""


class Prospect(NamedTuple):
    """What a choice leads to, as a mean over its outcomes.

    Attributes:
        forecast: What it is a mean of.
        gear: Of the turn.
        end: Progress, as if no corner spun the car out.
        engine: Heat in it after all corners, what a spin-out would take included.
        turns: To the finish from there, without what follows here.
        spin_outs: Their chance, in [0, 1].
        spin_out_spaces: What they cost, that chance counted.
        slipstream: The chance of one, in [0, 1].
        slipstream_spaces: What it brings, that chance counted.
        boost_spaces: What a boost later in the turn brings.
        cards_spaces: How much better the cards are that stay in the hand than usual ones.
        cooled: Heat that the gear and the cards cool for sure.
    """

    forecast: Forecast
    gear: int
    end: float
    engine: float
    turns: float
    spin_outs: float
    spin_out_spaces: float
    slipstream: float
    slipstream_spaces: float
    boost_spaces: float = 0.0
    cards_spaces: float = 0.0
    cooled: int = 0


class PlayedCards(NamedTuple):
    """The cards of a play.

    Attributes:
        cards: Those of phase 2.
        direct: Those of phase 5.
        values: What is chosen for those of both that have a choice.
    """

    cards: tuple[CardName, ...]
    direct: tuple[CardName, ...]
    values: tuple[int, ...]


class Prospects:
    """Works them out for an open decision."""

    def __init__(self, observation: Observation, table: ValueTable, turn: OwnTurn) -> None:
        """Begin with what the choices were weighed by."""
        self._observation = observation
        self._table = table
        self._turn = turn

    def of_play(self, play: Play) -> Prospect:
        """Work out what a way to play the hand leads to, in a gear that it may have to be shifted to."""
        observation = _in_gear(self._observation, play)
        cards, direct, values = self.cards_of(play)
        cooled = sure_cooling(observation, cards)
        forecast = forecast_cards(observation, (*cards, *direct), values, cooled=cooled)
        boost = self._turn.played(play, may_boost=False) - self._turn.played(play)
        return self.of_forecast(forecast, play.gear)._replace(
            boost_spaces=boost * SPACES_A_TURN,
            cards_spaces=-(self._turn.rest_matters(play) or 0.0) * SPACES_A_TURN,
            cooled=cooled,
        )

    def of_forecast(self, forecast: Forecast, gear: int | None = None) -> Prospect:
        """Take the mean of what a forecast says.

        Args:
            gear: None: the present one.
        """
        gear = gear or self._observation.own_car.gear
        means = [0.0] * 7
        for outcome in forecast.outcomes:
            for number, value in enumerate(self._figures(outcome, gear)):
                means[number] += outcome.probability * value
        end, engine, turns, *chances = means
        spin_outs, cost, slipstream, gained = chances
        return Prospect(forecast, gear, end, engine, turns, spin_outs, cost, slipstream, gained)

    def _figures(self, outcome: Outcome, gear: int) -> tuple[float, ...]:
        """Give the fields of a prospect from `end` on, of one outcome."""
        table, end = self._table, outcome.end
        # All that a spin-out costs is told as its own: the Heat that it takes, too.
        engine = outcome.engine if outcome.spins_out else outcome.engine_left
        turns = table.turns(end, gear, engine)
        if outcome.spins_out:
            line = outcome.bills[-1].line
            start = min(self._observation.own_car.progress, line - 1)
            cost = (table.turn.spun_out(start, line, gear) - turns) * SPACES_A_TURN
            return end, engine, turns, 1.0, cost, 0.0, 0.0
        ends = table.road.slipstreams(end) if gear in table.key.slipstream_gears else ()
        gains = [turns - table.turns(end + each, gear, engine) for each in ends]
        chance = self._turn.rivals.partner_chance(end) if max(gains, default=0.0) > 0 else 0.0
        return end, engine, turns, 0.0, 0.0, chance, chance * max(gains, default=0.0) * SPACES_A_TURN

    def cards_of(self, play: Play) -> PlayedCards:
        """Name the cards of a play, those too that are played in phase 5, and their values."""
        rest = without(playable_cards(self._observation.own.hand), play.cards)
        extra = [card for card in rest if card in DIRECT_CARDS]
        for count in range(len(extra) + 1):
            for direct in combinations(extra, count):
                cards = (*play.cards, *direct)
                for ways in product(*[ways_to_play((card,))[1] for card in cards]):
                    if sum_of(ways) == play.way:
                        chosen = zip(cards, ways, strict=True)
                        values = tuple(way.speed for card, way in chosen if card in VALUE_CHOICES)
                        return PlayedCards(play.cards, direct, values)
        raise ValueError(f"{play} is no way to play the hand")

    def terms(self, better: Prospect, other: Prospect) -> dict[Term, float]:
        """Take the difference of two choices apart: in spaces, above 0 where it speaks for the better one."""
        table = self._table
        end, engine, kept = round(other.end), round(other.engine), round(better.engine)
        gear = table.turns(end, other.gear, engine) - table.turns(end, better.gear, engine)
        heat = table.turns(end, better.gear, engine) - table.turns(end, better.gear, kept)
        distance = better.end - other.end
        place = (other.turns - better.turns - gear - heat) * SPACES_A_TURN - distance
        # As far as this round may be the last, nothing counts but how far the car gets.
        going_on = 1.0 - self._turn.rivals.ending
        return {
            "distance": distance,
            "heat": heat * SPACES_A_TURN * going_on,
            "gear": gear * SPACES_A_TURN * going_on,
            "place": place * going_on,
            "spin-out": other.spin_out_spaces - better.spin_out_spaces,
            "slipstream": better.slipstream_spaces - other.slipstream_spaces,
            "boost": better.boost_spaces - other.boost_spaces,
            "cards": better.cards_spaces - other.cards_spaces,
        }

    def reason(self, better: Prospect, other: Prospect, spaces: float) -> Term | None:
        """Name what speaks most for the better of two choices; None where nothing of it explains them.

        Args:
            spaces: By how many spaces it is better.
        """
        terms = self.terms(better, other)
        reason = max(terms, key=terms.__getitem__)
        unexplained = abs(spaces - sum(terms.values()))
        return reason if terms[reason] > max(LEAST_SPACES, unexplained) else None


def _in_gear(observation: Observation, play: Play) -> Observation:
    """Give what is seen once the gear of a play is shifted to and paid."""
    view, number = observation.view, observation.own.seat
    car = msgspec.structs.replace(view.cars[number], gear=play.gear, engine=play.engine)
    cars = (*view.cars[:number], car, *view.cars[number + 1 :])
    return Observation(observation.setup, msgspec.structs.replace(view, cars=cars))
