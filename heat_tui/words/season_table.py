"""A championship as text: standings race by race, how ties were broken, the next race, what cars keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from heat_core.data.event_cards import EVENTS
from heat_core.rules.points import CarResult, SeasonStanding
from heat_core.season.setup import SeasonSetup
from heat_core.season.view import SeasonRaceView, SeasonView
from heat_core.sentences.card_words import cards_text
from heat_core.text import counted, ordinal
from heat_tui.race.letters import car_letters
from heat_tui.theme.colours import CAR_STYLES, GOLD, GREEN
from heat_tui.words.result_table import PLACE_STYLES, own_row, promise_text

_BEFORE_NAMES: Final = 7
_NAME_CELLS: Final = 16
_RACE_CELLS: Final = 12
"""Of a race's column, at least."""
_GAIN_CELLS: Final = 4
"""Of the points that a race brought."""
_POINTS_CELLS: Final = 7
_MOST_RACES_CELLS: Final = 48
"""Of all races' columns, where names are to be whole: what a line of 80 cells leaves."""
_DIM = Style(dim=True)
_GAINED: Final = Style(bold=True, color=GREEN)


def season_page(setup: SeasonSetup, view: SeasonView, own: Sequence[int]) -> Text:
    """Tell all of a season: who leads or has won, the table, ties, the next race, what cars keep, the seed.

    Args:
        own: The seats played here.
    """
    names = [car.name for car in setup.cars]
    text = Text()
    if line := end_line(view, names) or leader_line(view.standings, names):
        text.append(f"{line}\n\n", Style(bold=True, color=GOLD if view.end == "finished" else None))
    if view.standings:
        text.append_text(season_table(setup, view, own))
    for line in tie_lines(view, names):
        text.append(f"{line}\n")
    following = next_race_lines(view, names, has_sponsorships=setup.modules.sponsorships)
    if following and view.standings:
        text.append("\n")
    for number, line in enumerate(following):
        text.append(f"{line}\n", "" if number else "bold")
    for line in kept_lines(setup, view, names):
        text.append(f"{line}\n")
    text.append_text(seed_lines(view))
    return text


def season_title(setup: SeasonSetup, view: SeasonView) -> str:
    """Say which season it is and how far it has come."""
    done = sum(bool(race.results) for race in view.races)
    if view.status == "ended":
        where = "the final table"
    elif done:
        where = f"after race {done} of {len(view.races)}"
    else:
        where = f"before the first of {len(view.races)} races"
    return f"{season_name(setup)}: {where}"


def season_name(setup: SeasonSetup) -> str:
    """Name a season: `Championship 1961` where all its events are those of one year."""
    years = {EVENTS[race.event].year for race in setup.races if race.event is not None}
    is_printed = len(years) == 1 and all(race.event is not None for race in setup.races)
    return f"Championship {years.pop()}" if is_printed else "Championship"


def season_table(setup: SeasonSetup, view: SeasonView, own: Sequence[int]) -> Text:
    """Make the table: a line a car, best first; place and points gained in each race, then all points.

    Args:
        own: The seats played here.
    """
    done = [race for race in view.races if race.results]
    letters = car_letters([car.name for car in setup.cars])
    cells = _race_cells([race.track for race in done])
    head = " " * (_BEFORE_NAMES + _NAME_CELLS)
    for race, room in zip(done, cells, strict=True):
        track = _cut(race.track, room - 1)
        head += " " * (room - cell_len(track)) + track
    text = Text.assemble((f"{head}{'points':>{_POINTS_CELLS}}\n", _DIM))
    for standing in view.standings:
        car, place = setup.cars[standing.car], standing.place
        row = Text.assemble(
            " ",
            (f"{place:<2}", PLACE_STYLES.get(place, Style())),
            (f" {letters[standing.car]} ", CAR_STYLES[car.colour]),
            f" {set_cell_size(car.name, _NAME_CELLS)}",
        )
        for race, room in zip(done, cells, strict=True):
            result = _result(race, standing.car)
            row.append(f"{_place(result):>{room - _GAIN_CELLS}}")
            row.append(f"{f'+{result.points}':>{_GAIN_CELLS}}", _GAINED if race is done[-1] else _DIM)
        row.append(f"{standing.points:>{_POINTS_CELLS}}", Style(bold=True))
        width = row.cell_len
        text.append_text(own_row(row, width) if standing.car in own else row).append("\n")
    return text


def _race_cells(tracks: Sequence[str]) -> list[int]:
    """Give each race's column its width: of the whole name where a line has room for all."""
    whole = [max(_RACE_CELLS, cell_len(track) + 2) for track in tracks]
    return whole if sum(whole) <= _MOST_RACES_CELLS else [_RACE_CELLS] * len(tracks)


def _cut(text: str, cells: int) -> str:
    return set_cell_size(text, cells).rstrip()


def _result(race: SeasonRaceView, car: int) -> CarResult:
    return next(result for result in race.results if result.car == car)


def _place(result: CarResult) -> str:
    return {"gave_up": "gave up", "spun_out": "out"}.get(result.status) or ordinal(result.place)


def tie_lines(view: SeasonView, names: Sequence[str]) -> list[str]:
    """Say which cars have the same points, and why they are as they do."""
    last = next((race for race in reversed(view.races) if race.results), None)
    lines = []
    for points in dict.fromkeys(standing.points for standing in view.standings):
        tied = [standing for standing in view.standings if standing.points == points]
        if last is not None and len(tied) > 1:
            places = ", ".join(
                f"{names[standing.car]} {ordinal(_result(last, standing.car).place)}" for standing in tied
            )
            lines.append(f"Equal on {counted(points, 'point')}; the last race decides: {places}.")
    return lines


def next_race_lines(view: SeasonView, names: Sequence[str], *, has_sponsorships: bool) -> list[str]:
    """Tell the race that has been set up: track, laps, event card, grid; nothing where none is to come."""
    if view.status != "racing":
        return []
    race = view.races[view.race - 1]
    lines = [f"Race {view.race} of {len(view.races)}: {race.track}, {counted(race.laps, 'lap')}."]
    if race.event is not None:
        lines += event_lines(race.event, has_sponsorships=has_sponsorships)
    if race.grid is None:
        lines.append("Grid: drawn by lot.")
    else:
        lines.append("Grid, pole first: " + ", ".join(names[car] for car in race.grid) + ".")
    return lines


def event_lines(event: str, *, has_sponsorships: bool) -> list[str]:
    """Explain an event card in plain sentences."""
    facts = EVENTS[event]
    title = event.replace("-", " ").capitalize()
    lines = [f"Event: {title}. {facts.text or 'No special rule.'}"]
    is_about_them = facts.trigger is not None or facts.press_cards != 1 or facts.presses_by_slowness
    if not has_sponsorships:
        if is_about_them:
            lines.append("It has no effect without Sponsorship cards.")
    else:
        corners = " and ".join(str(corner) for corner in facts.press_corners)
        where = f"The press is at {'corner' if len(facts.press_corners) == 1 else 'corners'} {corners}"
        lines.append(
            f"{where if corners else 'No corner has the press'}; "
            f"everybody starts with {_sponsorships(facts.sponsorships)}."
        )
    return lines


def _sponsorships(number: int) -> str:
    return "1 Sponsorship" if number == 1 else f"{number or 'no'} Sponsorships"


def kept_lines(setup: SeasonSetup, view: SeasonView, names: Sequence[str]) -> list[str]:
    """Say what each seat takes along into the next race, or that all goes back."""
    if view.status != "racing":
        return []
    lines = []
    if setup.modules.garage != "none" and setup.modules.draft == "three":
        lines.append("Three upgrades are drafted before each race and returned after it.")
    for seat in setup.seats():
        kept = []
        if view.upgrades and view.upgrades[seat]:
            kept.append(cards_text(view.upgrades[seat]))
        if view.sponsorship_counts and view.sponsorship_counts[seat]:
            kept.append(_sponsorships(view.sponsorship_counts[seat]))
        if kept:
            lines.append(f"{names[seat]} keeps {', '.join(kept)}.")
    return lines


def end_line(view: SeasonView, names: Sequence[str]) -> str:
    """Say in one sentence how a season ended; empty while it runs."""
    if view.end is None:
        return ""
    if view.end == "abandoned":
        return "The championship ended before its last race."
    return f"{names[view.standings[0].car]} is champion with {counted(view.standings[0].points, 'point')}."


def leader_line(standings: Sequence[SeasonStanding], names: Sequence[str]) -> str:
    """Say who leads; empty before the first race is over."""
    if not standings:
        return ""
    return f"{names[standings[0].car]} leads with {counted(standings[0].points, 'point')}."


def seed_lines(view: SeasonView) -> Text:
    """Tell the seed of all races once it is shown, and whether it is the promised one."""
    return Text() if view.seed is None else promise_text(view.seed, view.commitment)
