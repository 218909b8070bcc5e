"""What is played in lines at this keyboard: races and championships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import msgspec

from heat_core.bots import BOTS, DriverName
from heat_core.season.setup import SeasonSetup
from heat_core.season.state import Season
from heat_core.season.view import SeasonView
from heat_core.table import Table
from heat_core.text import counted, listed, ordinal
from heat_tui.flow.menu import CONTINUE, another_race_question, saved_too
from heat_tui.flow.table_factory import own_lesson
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import BadAnswer, GoneBack, answered
from heat_tui.plain.hints import race_with_hints
from heat_tui.plain.line_terminal import Left, LineTerminal
from heat_tui.plain.words import sentence_of
from heat_tui.saved.championship import Championship, SeasonSession
from heat_tui.saved.continuing import newest_race
from heat_tui.saved.own_race import OwnRace, OwnRaceSession
from heat_tui.saved.records import keep_records
from heat_tui.state import Folders, load_settings, login_name, save_settings
from heat_tui.words.result_table import promise_text
from heat_tui.words.season_table import (
    end_line,
    kept_lines,
    leader_line,
    next_race_lines,
    season_title,
    tie_lines,
)

_AGAIN: Final = "again starts a race with the same cars on the same track and other cards; leave goes back."
_SEASON_EXPLAINED: Final = (
    "Enter begins the next race. drive hands a car over from now on: to human, who sits at this keyboard, or "
    f"to a bot, {listed(list(BOTS), 'or')}. end ends the championship for good, and tells the table as it "
    "stands; leave keeps it saved, and home continues it."
)
_SAVED_EXPLAINED: Final = (
    "Of races that belong to no championship one is saved at a time. Enter races on from the moment in which "
    "you left it; new removes it, and begins the race that you asked for; leave does neither."
)


async def race_here(
    voice: LineTerminal, folders: Folders, table: Table | None, *, is_lesson: bool = False
) -> None:
    """Race at a new table in this process, and again as long as that is wished; ask first where one is saved.

    Args:
        table: None: no race is wished.
        is_lesson: Explain each question of the first race, whatever the settings say.

    Raises:
        GoneBack: The saved race stays, and none is begun.
        Left: Whoever typed is gone.
    """
    while table is not None:
        race = await _saved_or_begun(voice, folders, table)
        table, is_lesson = await _raced(voice, folders, race, is_lesson=is_lesson), False


async def continue_race_here(voice: LineTerminal, folders: Folders, race: OwnRace) -> None:
    """Race a saved race on, and again as long as that is wished; raises as `race_here` does."""
    await race_here(voice, folders, await _raced(voice, folders, race))


async def _saved_or_begun(voice: LineTerminal, folders: Folders, table: Table) -> OwnRace:
    """Begin a race; where one is saved, ask which of them is raced, and remove it if it is the other."""
    saved = newest_race(folders, voice.say)
    if saved is not None:
        question = f"{another_race_question(saved.text)} Enter continues it; new starts another."
        try:
            if await continues(voice, f"{question} For example: new", _SAVED_EXPLAINED):
                return saved
        except (GoneBack, Left):
            saved.close()
            raise
        saved.delete()
    return OwnRace.begin(folders, table)


async def _raced(
    voice: LineTerminal, folders: Folders, race: OwnRace, *, is_lesson: bool = False
) -> Table | None:
    """Race a race from wherever it stands; give the table of another one where that is wished."""
    session = OwnRaceSession(race)
    try:
        end = await race_with_hints(session, voice, folders, is_lesson=is_lesson)
        await keep_records(folders, load_settings(folders), await session.records())
    except Left:
        race.close()
        raise
    await session.close()
    voice.farewell = ""
    return session.another_table() if end == "over" and await _wishes_another(voice) else None


async def continues(voice: LineTerminal, question: str, explained: str) -> bool:
    """Ask whether to continue what is saved, or to begin anew.

    Raises:
        GoneBack: Neither is wished.
        Left: Whoever typed is gone.
    """
    return await answered(voice, question, _is_continuing, lambda: [explained])


def _is_continuing(line: str) -> bool:
    if line.casefold() in ("", CONTINUE.label.casefold()):
        return True
    if line.casefold() == "new":
        return False
    raise BadAnswer("Type new, or Enter alone.")


async def lesson_here(voice: LineTerminal, folders: Folders, name: str = "") -> None:
    """Race the race that explains itself; until it is over or hints are off, other races do so too.

    Args:
        name: Instead of the settings' name.
    """
    settings = load_settings(folders)
    save_settings(folders, msgspec.structs.replace(settings, hints=True))
    table = own_lesson(name or settings.name or login_name(), settings.colour)
    await race_here(voice, folders, table, is_lesson=True)


async def _wishes_another(voice: LineTerminal) -> bool:
    def take(line: str) -> None:
        if line.casefold() != "again":
            raise BadAnswer("Type again or leave.")

    question = "Type again for another race, or leave, for example: leave"
    try:
        await answered(voice, question, take, lambda: [_AGAIN])
    except GoneBack:
        return False
    return True


async def begin_championship_here(voice: LineTerminal, folders: Folders, season: Season) -> None:
    """Race a championship that begins; what is saved of others stays saved."""
    if news := saved_too(folders, voice.say):
        voice.say(news)
    await championship_here(voice, folders, Championship.begin(folders, season))


async def championship_here(voice: LineTerminal, folders: Folders, championship: Championship) -> None:
    """Race a championship on, from wherever it stands."""
    championship.settle()
    try:
        while await _race_on(voice, folders, championship):
            pass
    finally:
        if championship.season.is_over:
            await keep_records(folders, load_settings(folders), championship.records())
            championship.delete()  # it has been told: there is nothing to come back to
        else:
            championship.close()


async def _race_on(voice: LineTerminal, folders: Folders, championship: Championship) -> bool:
    """Tell the table, and race once more; False: it is over, or left for later."""
    voice.farewell = "" if championship.season.is_over else "The championship is saved."
    own = [seat for seat, driver in championship.season.drivers.items() if driver == "human"]
    for line in season_told(championship.season.setup, championship.view(), own):
        voice.say(line)
    if championship.season.is_over or not await _is_ready(voice, championship):
        return False
    session = SeasonSession(championship)
    end = await race_with_hints(session, voice, folders)
    await session.close()
    return end == "over"


async def _is_ready(voice: LineTerminal, championship: Championship) -> bool:
    """Ask what to do before the next race; False: not now."""
    names = [car.name for car in championship.season.setup.cars]
    while True:
        line = (
            await voice.ask(
                "Enter races. drive, a name and human or a bot hands a car over; end ends the championship; "
                f"leave keeps it for later. For example: drive {names[0]} {next(iter(BOTS))}"
            )
        ).casefold()
        words = line.split()
        if not line:
            return True
        if is_leaving(line):
            return False
        if is_asking(line):
            voice.say(_SEASON_EXPLAINED)
            continue
        if line == "end":
            if await voice.agrees("End this championship for good? Unfinished races score nothing."):
                championship.abandon()
                for told in season_told(championship.season.setup, championship.view(), ()):
                    voice.say(told)
                return False
        elif words[0] == "drive" and len(words) > 2:
            voice.say(_hand_over(championship, names, " ".join(words[1:-1]), words[-1]))
        else:
            voice.say("Type drive, end or leave, or Enter alone.")


def _hand_over(championship: Championship, names: Sequence[str], name: str, driver: str) -> str:
    """Hand a seat to a person or a bot, and say so or why not."""
    drivers = championship.season.drivers
    seat = next((seat for seat in drivers if names[seat].casefold() == name), None)
    if seat is None:
        return f"You can give these cars to another driver: {', '.join(names[seat] for seat in drivers)}."
    if driver not in ("human", *BOTS):
        return f"A car is driven by {listed(['human', *BOTS], 'or')}."
    if "human" not in (drivers | {seat: driver}).values():
        return "At least one car must be driven at this keyboard."
    championship.set_driver(seat, cast(DriverName, driver))
    return f"{names[seat]} is driven by {driver} from now on."


def season_told(setup: SeasonSetup, view: SeasonView, own: Sequence[int]) -> list[str]:
    """Tell a season: who leads or has won, each car's results, the next race, what cars keep, the seed."""
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
