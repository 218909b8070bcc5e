"""A championship in lines: its table, and the question before each race."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from heat_core.drivers import BOT_LEVELS
from heat_core.season.setup import SeasonSetup
from heat_core.season.state import Season
from heat_core.season.view import SeasonView
from heat_core.text import counted, listed, ordinal
from heat_tui.flow.own_games import OwnGames
from heat_tui.flow.season import END_QUESTION, SeasonController
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.hints import race_with_hints
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.raced import RACED_WORDS
from heat_tui.plain.review import Review
from heat_tui.plain.words import sentence_of
from heat_tui.state import Folders, load_settings
from heat_tui.words.result_table import promise_text
from heat_tui.words.season_table import (
    end_line,
    kept_lines,
    leader_line,
    next_race_lines,
    season_title,
    tie_lines,
)

_EXPLAINED: Final = (
    "Enter begins the next race. drive gives a car to another driver: human, at this keyboard, or a bot, "
    f"{listed(BOT_LEVELS, 'or')}. end ends the championship for good and shows the standings; leave keeps it "
    "saved, and home continues it."
)


async def begin_championship_here(terminal: LineTerminal, folders: Folders, season: Season) -> None:
    """Race a championship that begins; what is saved of others stays saved."""
    controller, news = OwnGames(folders, terminal.say).begin_championship(season)
    if news:
        terminal.say(news)
    await championship_here(terminal, folders, controller)


async def championship_here(terminal: LineTerminal, folders: Folders, season: SeasonController) -> None:
    """Race a championship on, from wherever it stands."""
    review: Review | None = None
    end = "over"
    try:
        while end == "over" and await _wishes_race(terminal, season, review):
            session = season.race()
            end = await race_with_hints(session, terminal, folders)
            if end == "over":
                review = Review(terminal, folders, session, None)
            await session.close()
    finally:
        if season.is_over:
            await season.finish(folders, load_settings(folders))
        season.close()


async def _wishes_race(terminal: LineTerminal, season: SeasonController, review: Review | None) -> bool:
    """Show the table, and ask whether to race; where the championship is ended, show its final table.

    Args:
        review: The look back at the race before; None: none was raced yet.
    """
    while True:
        terminal.farewell = "" if season.is_over else season.trouble or "The championship is saved."
        for line in season_told(*season.page):
            terminal.say(line)
        if season.is_over:
            return False
        chosen = await _chosen(terminal, season, review)
        if chosen != "end":
            return chosen == "race"


async def _chosen(
    terminal: LineTerminal, season: SeasonController, review: Review | None
) -> Literal["race", "end", "leave"]:
    """Ask what to do before the next race, and end the championship where that is chosen."""
    while True:
        line = (
            await terminal.ask(
                "Enter races. drive, a name and human or a bot hands a car over; end ends the championship; "
                f"leave keeps it for later. For example: drive {season.names[0]} {BOT_LEVELS[0]}"
            )
        ).casefold()
        words = line.split()
        if not line:
            return "race"
        if is_leaving(line):
            return "leave"
        if is_asking(line):
            terminal.say(_EXPLAINED)
            if review is not None:
                terminal.say(f"{RACED_WORDS} say more of the race before.")
        elif line == "end":
            if await terminal.agrees(END_QUESTION):
                season.abandon()
                return "end"
        elif words[0] == "drive" and len(words) > 2:
            terminal.say(_hand_over(season, " ".join(words[1:-1]), words[-1]))
        elif review is None or not await review.takes(line):
            terminal.say("Type drive, end or leave, or press Enter.")


def _hand_over(season: SeasonController, name: str, driver: str) -> str:
    """Hand a seat to a person or a bot, and say so or why not."""
    names = {season.names[seat]: seat for seat in season.drivers}
    same = [known for known in names if known.casefold() == name]
    found = same or [known for known in names if name and known.casefold().startswith(name)]
    if len(found) != 1:
        return f"You can give these cars to another driver: {', '.join(names)}."
    return season.hand_over(names[found[0]], driver) or f"{found[0]} is now driven by {driver}."


def season_told(setup: SeasonSetup, view: SeasonView, own: Sequence[int]) -> list[str]:
    """Give in sentences: who leads or has won, each car's results, the next race, what is kept, the seed."""
    names = [car.name for car in setup.cars]
    told = [
        sentence_of(season_title(setup, view)),
        end_line(view, names) or leader_line(view.standings, names),
    ]
    done = [race for race in view.races if race.results]
    for standing in view.standings:
        results = [
            f"{race.track} {ordinal(result.place)} for {result.points}"
            for race in done
            for result in race.results
            if result.car == standing.car
        ]
        name = names[standing.car] + (", yours" if standing.car in own else "")
        points = counted(standing.points, "point")
        told.append(f"{ordinal(standing.place)} {name}: {points}. {', '.join(results)}.")
    told += tie_lines(view, names)
    told += next_race_lines(view, names, has_sponsorships=setup.modules.sponsorships)
    told += kept_lines(setup, view, names)
    if view.seed is not None:
        seed = promise_text(view.seed, view.commitment).plain.strip()
        told += [sentence_of(line) for line in seed.splitlines()]
    return [line for line in told if line]
