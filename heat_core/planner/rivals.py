"""Where the other cars will be: the chance of a slipstream by place, and that the race ends this round.

Cars behind in the turn order stand still when the own one moves. Those ahead have moved: a Legend as one of
the ten cards leads it, a driver by what cards of its gear come to on average, slowed down for corners that
its engine cannot pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from heat_core.data.legends import LEGEND_CARDS
from heat_core.planner.legend_turns import legend_ends
from heat_core.planner.road import Road
from heat_core.race.phase import Phase
from heat_core.race.setup import LegendSetup
from heat_core.rules.shifting import GEARS
from heat_core.view.observation import Observation
from heat_core.view.race_view import CarView
from heat_core.view.traffic import cars_before


class Rivals:
    """What the other cars may do before the own one moves.

    Attributes:
        ending: The chance that one of them finishes before, so that this round is the last.
    """

    def __init__(self, observation: Observation, road: Road) -> None:
        """Judge them by what the own seat sees."""
        view, own = observation.view, observation.seat
        track = observation.track
        self._spaces = track.spaces
        before = cars_before(observation)
        moving = {car.number for car in before}
        self._absent: dict[int, float] = {}
        for car in view.cars:
            if car.number != own and car.is_on_track and car.number not in moving:
                self._absent[car.space] = 0.0
        unfinished = 1.0
        for car in before:
            legend = observation.setup.cars[car.number].legend
            places = (
                _places_of_seat(observation, road, car)
                if legend is None
                else _places_of_legend(observation, car, legend)
            )
            by_space: dict[int, float] = {}
            behind_line = 0.0
            for progress, chance in places.items():
                space = track.space(progress)
                by_space[space] = by_space.get(space, 0.0) + chance
                if progress > road.finish_line:
                    behind_line += chance
            for space, chance in by_space.items():
                self._absent[space] = self._absent.get(space, 1.0) * (1.0 - min(1.0, chance))
            unfinished *= 1.0 - min(1.0, behind_line)
        ends_by_first = observation.setup.rules.race_end == "first_finisher"
        self.ending = 0.0
        if ends_by_first:
            self.ending = 1.0 if view.is_last_round else 1.0 - unfinished

    def partner_chance(self, progress: int) -> float:
        """Give the chance that a car is beside a place or in the very next space."""
        space = (progress - 1) % self._spaces + 1
        ahead = space % self._spaces + 1
        return 1.0 - self._absent.get(space, 1.0) * self._absent.get(ahead, 1.0)


def _places_of_legend(observation: Observation, car: CarView, legend: LegendSetup) -> dict[int, float]:
    setup, roads, turned = observation.setup, observation.roads, observation.view.legend_card
    ends = legend_ends(setup.track, car.progress, observation.finish_line, roads, legend)
    if turned is not None:
        return {ends[turned]: 1.0}
    places: dict[int, float] = {}
    for end in ends:
        places[end] = places.get(end, 0.0) + 1.0 / len(LEGEND_CARDS)
    return places


@lru_cache
def _speeds_of_gear(gear: int) -> Mapping[int, float]:
    """Give how fast drivers are in a gear: by the cards 1 to 4, the faster ones played more often."""
    speeds = {0: 1.0}
    for _ in range(gear):
        added: dict[int, float] = {}
        for speed, chance in speeds.items():
            for card, weight in _CARD_WEIGHTS.items():
                added[speed + card] = added.get(speed + card, 0.0) + chance * weight
        speeds = added
    return speeds


_CARD_WEIGHTS: Final = {1: 0.2, 2: 0.25, 3: 0.25, 4: 0.3}


def _places_of_seat(observation: Observation, road: Road, car: CarView) -> dict[int, float]:
    """Judge where a driver ends: who would owe more Heat than there is stops before the line instead."""
    gears = [car.gear]
    if observation.phase <= Phase.SHIFT_GEARS:
        gears = [gear for gear in GEARS if abs(gear - car.gear) <= 1]
    places: dict[int, float] = {}
    for gear in gears:
        for speed, chance in _speeds_of_gear(gear).items():
            end = car.progress + speed
            owed = 0
            for line in road.lines_crossed(car.progress, end):
                owed += max(0, speed - line.limit)
                if owed > car.engine:
                    end = line.progress
                    break
            places[end] = places.get(end, 0.0) + chance / len(gears)
    return places
