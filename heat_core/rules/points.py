"""The points of places in a championship, and who leads it.

docs/rules.md: Two sets of rules; Championship (CHAMP-2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from heat_core.data.event_cards import EventFacts
from heat_core.race.events import Standing
from heat_core.race.events.parts import Amount, CarNumber, FinalStatus, Place
from heat_core.race.presets import Rules

_PRINTED_POINTS: Final = (9, 6, 4, 3, 2, 1)
_POINTS_A_PLACE: Final = 2


class CarResult(msgspec.Struct, frozen=True):
    """What a race brought a car in the championship.

    Attributes:
        place: From 1.
        status: What it ended the race as.
        points: All of them, the event's too.
        event_points: Those of them that the event gave.
    """

    car: CarNumber
    place: Place
    status: FinalStatus
    points: Amount
    event_points: Amount = 0


class SeasonStanding(msgspec.Struct, frozen=True):
    """A car's place in the championship.

    Attributes:
        place: From 1; no two cars share one.
        points: Of all races so far.
    """

    car: CarNumber
    place: Place
    points: Amount


def place_points(rules: Rules, place: int, cars: int) -> int:
    """Give what a place is worth.

    Args:
        rules: Of the season.
        place: In [1, cars].
        cars: How many started.
    """
    if rules.points == "printed":
        return _PRINTED_POINTS[place - 1] if place <= len(_PRINTED_POINTS) else 0
    return _POINTS_A_PLACE * (cars - place + 1)


def score(rules: Rules, event: EventFacts, standings: Sequence[Standing]) -> tuple[CarResult, ...]:
    """Give each car of a race its points, in the order of the standings.

    A car that gave up scores for its place; one whose race the event ended scores nothing, and the places of
    the others stay as they are.
    """
    results = []
    for standing in standings:
        points = extra = 0
        if standing.status != "spun_out":
            extra = event.points[standing.place - 1] if standing.place <= len(event.points) else 0
            points = place_points(rules, standing.place, len(standings)) + extra
        results.append(CarResult(standing.car, standing.place, standing.status, points, extra))
    return tuple(results)


def rank(races: Sequence[Sequence[CarResult]]) -> tuple[SeasonStanding, ...]:
    """Rank the cars of a season by their points, ties by the better place in the last race.

    Args:
        races: The results of those that were scored, in order; none ranks nobody.
    """
    if not races:
        return ()
    points = {result.car: 0 for result in races[-1]}
    for results in races:
        for result in results:
            points[result.car] += result.points
    ranked = sorted(races[-1], key=lambda last: (-points[last.car], last.place))
    return tuple(SeasonStanding(last.car, place, points[last.car]) for place, last in enumerate(ranked, 1))


def season_grid(rules: Rules, standings: Sequence[SeasonStanding]) -> tuple[int, ...]:
    """Line the cars up for the next race, pole first (CHAMP-3)."""
    leader_first = tuple(standing.car for standing in standings)
    return leader_first if rules.season_grid == "leader_on_pole" else leader_first[::-1]
