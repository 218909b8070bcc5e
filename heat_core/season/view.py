"""What one seat, or a spectator, may see of a season: standings, races done, what comes next (CHAMP-6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from heat_core.cards import Cards
from heat_core.drivers import DriverName
from heat_core.race.events import EndReason
from heat_core.race.events.parts import Amount, Amounts, CarNumbers, Commitment, EventNumber, Lap, SeedText
from heat_core.race.setup import MAX_CARS, CarsCards, EventName, Modules, length_of
from heat_core.rules.points import CarResult, SeasonStanding
from heat_core.season.events import SeasonEnd
from heat_core.season.setup import RACES_OF_A_SEASON
from heat_core.season.state import Season, SeasonStatus
from heat_core.sentences.events import seed_text
from heat_core.text import ordinal

_A_CAR_EACH: Final = msgspec.Meta(max_length=MAX_CARS)


class SeasonRaceView(msgspec.Struct, frozen=True):
    """A race of a season, planned, under way or done.

    Attributes:
        track: The track's name.
        laps: The event's counted where it is known.
        event: Its event card; None: none, or not drawn yet.
        grid: Cars, pole first; None: by lot, or the race has not begun.
        end: Why it ended, None before.
        results: Best first; empty before its end.
    """

    track: Annotated[str, msgspec.Meta(max_length=40)]
    laps: Lap
    event: EventName | None
    grid: CarNumbers | None
    end: EndReason | None
    results: Annotated[tuple[CarResult, ...], _A_CAR_EACH]


class SeasonView(msgspec.Struct, frozen=True):
    """A season as one seat or a spectator sees it.

    Attributes:
        event_number: Number of the last event that it contains.
        race: How many races have begun; while one runs, it is that one, counted from 1.
        races: All, in order.
        standings: Best first; empty before the first race is over.
        drivers: Who drives each car, by number; None for a Legend.
        upgrades: What each car keeps for the next race, by number; empty where none are kept.
        sponsorship_counts: How many Sponsorships each car keeps, by number; empty where none are kept.
        sponsorships: Which those of the own seat are.
        commitment: Hash of the seed.
        seed: None before the end.
    """

    event_number: EventNumber
    status: SeasonStatus
    race: Amount
    races: Annotated[tuple[SeasonRaceView, ...], msgspec.Meta(max_length=RACES_OF_A_SEASON[-1])]
    standings: Annotated[tuple[SeasonStanding, ...], _A_CAR_EACH]
    drivers: Annotated[tuple[DriverName | None, ...], _A_CAR_EACH]
    upgrades: CarsCards
    sponsorship_counts: Amounts
    sponsorships: Cards
    commitment: Commitment
    end: SeasonEnd | None
    seed: SeedText | None


def view_season(season: Season, seat: int | None) -> SeasonView:
    """Build what a seat, or with None a spectator, may see of a season."""
    state = season.state
    kept = state.sponsorships
    return SeasonView(
        event_number=state.event_number,
        status=state.status,
        race=len(state.races),
        races=tuple(_race_view(season, number) for number in range(len(season.setup.races))),
        standings=state.standings(),
        drivers=tuple(state.drivers.get(car) for car in range(len(season.setup.cars))),
        upgrades=state.upgrades,
        sponsorship_counts=tuple(len(cards) for cards in kept),
        sponsorships=kept[seat] if kept and seat is not None else (),
        commitment=state.commitment,
        end=state.end,
        seed=state.seed,
    )


def _race_view(season: Season, number: int) -> SeasonRaceView:
    plan = season.setup.races[number]
    begun = season.state.races[number] if number < len(season.state.races) else None
    event = begun.event if begun else plan.event
    laps = length_of(plan.laps or plan.track.laps, Modules(event=event))
    if begun is None:
        return SeasonRaceView(plan.track.name, laps, event, None, None, ())
    return SeasonRaceView(plan.track.name, laps, event, begun.carried.grid, begun.end, begun.results)


def season_text(view: SeasonView, names: Sequence[str]) -> list[str]:
    """Write a season as a table: a line for each car, a column for each race with place and points.

    Args:
        view: Of a season in which at least one race is over.
        names: Of the cars, by number.
    """
    done = [race for race in view.races if race.results]
    lines = [" " * 16 + "".join(f"{race.track[:13]:>14}" for race in done) + f"{'points':>8}"]
    if any(race.event for race in done):
        lines.insert(0, "Events: " + ", ".join(race.event or "none" for race in done))
    for standing in view.standings:
        cells = ""
        for race in done:
            result = next(result for result in race.results if result.car == standing.car)
            cells += f"{ordinal(result.place):>9} {result.points:>4}"
        lines.append(f"{standing.place}. {names[standing.car][:12]:<13}{cells}{standing.points:>8}")
    return lines


def seasons_text(views: Sequence[SeasonView], names: Sequence[str]) -> list[str]:
    """Write seasons one after another, and of several who won how many; the last may not be over."""
    lines = []
    for number, view in enumerate(views, start=1):
        seed = "" if view.seed is None else f", seed {seed_text(view.seed)}"
        lines += [f"Season {number} of {len(views)}{seed}", *season_text(view, names), ""]
    if len(views) > 1:
        titles = Counter(view.standings[0].car for view in views if view.status == "ended")
        lines.append("Titles: " + ", ".join(f"{names[car]} {titles[car]}" for car in range(len(names))))
    else:
        lines.pop()
    return lines
