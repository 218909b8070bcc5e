"""The set-up of a season: its races, cars, rules, modules and seed (CHAMP-1, CHAMP-5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Final

import msgspec

from heat_core.data.event_cards import EVENTS, EXPANSION_YEARS
from heat_core.race.events.parts import SeedText
from heat_core.race.presets import STANDARD, Rules
from heat_core.race.rules_version import RULES_VERSION
from heat_core.race.setup import (
    BASE_GAME,
    MAX_CARS,
    MIN_CARS,
    BadSetup,
    CarSetup,
    EventName,
    Modules,
    RulesVersion,
    setup_problems,
)
from heat_core.rng import seed_key, shuffled
from heat_core.track_facts import TrackFacts
from heat_core.track_files.checks import track_problems

RACES_OF_A_SEASON: Final = (3, 4)

YEARS: Final = tuple(dict.fromkeys(event.year for event in EVENTS.values()))
"""The printed seasons, first to last."""


class PlannedRace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One race of a season as it is planned before the season begins.

    Attributes:
        track: The whole track.
        laps: In [1, 5), without those of an event; None: the track's own.
        event: Its event card, as a year has it printed; None: drawn, where the season draws events.
    """

    track: TrackFacts
    laps: Annotated[int, msgspec.Meta(ge=1, le=4)] | None = None
    event: EventName | None = None


class SeasonSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything from which a season follows.

    Attributes:
        races: 3 or 4, in order.
        cars: Numbered from 0 in this order, the same in all races.
        rules: The settings of this table.
        seed: The text that all shuffles of all races come from; None in what clients see before the end.
        modules: What each race has besides the base game; the draft as the rules have it for a season.
        draws_events: Whether each race without a printed event draws one.
        rules_version: By which the next race is raced; see `heat_core.race.rules_version.RULES_VERSION`.
    """

    races: Annotated[
        tuple[PlannedRace, ...],
        msgspec.Meta(min_length=RACES_OF_A_SEASON[0], max_length=RACES_OF_A_SEASON[-1]),
    ]
    cars: Annotated[tuple[CarSetup, ...], msgspec.Meta(min_length=MIN_CARS, max_length=MAX_CARS)]
    rules: Rules = STANDARD
    seed: SeedText | None = None
    modules: Modules = BASE_GAME
    draws_events: bool = False
    rules_version: RulesVersion = RULES_VERSION

    def seats(self) -> tuple[int, ...]:
        """List the numbers of the cars that are seats."""
        return tuple(number for number, car in enumerate(self.cars) if car.legend is None)


def plan_year(
    year: int, track: Callable[[str], TrackFacts], laps: int | None = None
) -> tuple[PlannedRace, ...]:
    """Plan the races of a printed season: its tracks and events in order.

    Args:
        year: One of `YEARS`.
        track: Gives a board by its identifier.
        laps: Instead of each track's own.
    """
    return tuple(
        PlannedRace(track(event.track), laps, name) for name, event in EVENTS.items() if event.year == year
    )


def make_season(
    races: Sequence[PlannedRace],
    cars: Sequence[CarSetup],
    *,
    seed: str,
    rules: Rules = STANDARD,
    modules: Modules = BASE_GAME,
    draws_events: bool = False,
) -> SeasonSetup:
    """Make a complete set-up of a season.

    Args:
        races: 3 or 4, on checked tracks.
        cars: As for a race; they must fit every track.
        seed: Any text.
        rules: The table's settings.
        modules: Without an event; the form of the draft is the rules'.
        draws_events: Whether each race without a printed event draws one.

    Raises:
        BadSetup: The races do not make a season, or the cars do not fit the rules or a track; every
            problem is named once.
    """
    problems = []
    if len(races) not in RACES_OF_A_SEASON:
        problems.append(f"{len(races)} races; a season has 3 or 4")
    if modules.event is not None:
        problems.append("a season plans its events race by race")
    for race in races:
        problems += setup_problems(
            race.track,
            cars,
            seed=seed,
            laps=race.laps,
            rules=rules,
            modules=Modules(event=race.event),
        )
    if problems:
        raise BadSetup("; ".join(dict.fromkeys(problems)))
    modules = msgspec.structs.replace(modules, draft=rules.season_draft)
    return SeasonSetup(tuple(races), tuple(cars), rules, seed, modules, draws_events)


def season_setup_problems(setup: SeasonSetup) -> list[str]:
    """List why no season can begin from a set-up that was read, whose single values are in range."""
    if problems := [problem for race in setup.races for problem in track_problems(race.track)]:
        return list(dict.fromkeys(problems))
    if setup.seed is None:
        return ["it has no seed to deal on from"]
    try:
        again = make_season(
            setup.races,
            setup.cars,
            seed=setup.seed,
            rules=setup.rules,
            modules=setup.modules,
            draws_events=setup.draws_events,
        )
    except BadSetup as error:
        return [str(error)]
    return [] if again == setup else ["its draft is not that of its rules"]


def event_deck(setup: SeasonSetup) -> list[str]:
    """Name the events that a season draws from: those that no race has printed.

    The events of the expansion's years are in where its cards are.
    """
    planned = {race.event for race in setup.races}
    return [
        name
        for name, event in EVENTS.items()
        if name not in planned and (setup.modules.expansion or event.year not in EXPANSION_YEARS)
    ]


def draw_event(season_seed: str, race: int, events: Sequence[str]) -> str:
    """Draw the event of a race from those left; the races' numbers count the draws."""
    return shuffled(seed_key(season_seed), race, events)[0]


def public_season_setup(setup: SeasonSetup) -> SeasonSetup:
    """Give the set-up without its seed."""
    return msgspec.structs.replace(setup, seed=None)
