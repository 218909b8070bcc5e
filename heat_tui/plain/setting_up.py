"""Setting up a race or a championship at this keyboard: a few questions, then `set` for all the rest.

Each question is about one setting, and Enter alone leaves it as it is. What is chosen is then shown, and each
change of it; Enter begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from heat_core.drivers import BOT_LEVELS
from heat_core.files import box_tracks
from heat_core.names import BadName
from heat_core.options.option import BadOption, bots_text
from heat_core.options.option_table import BOTS, LEGENDS, most_beside
from heat_core.options.table_options import USUAL_BOT
from heat_core.season.setup import YEARS
from heat_core.season.state import Season
from heat_core.table import Table
from heat_core.text import counted, listed
from heat_tui.flow.setup import Begin, CannotBegin, SetupController
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import GoneBack, answered
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.options import chosen_told, options_explained, read_change
from heat_tui.plain.words import sentence_of
from heat_tui.state import Folders, load_settings, save_settings

Made = TypeVar("Made")

_MOST_NAMED_TRACKS: Final = 12
"""More are shown only when they are asked for."""

_LEGENDS: Final = (
    "Legends are automated cars without a hand. One card each round moves them all. They brake for corners, "
    "pay no Heat, and are fast on straights."
)
_BOTS: Final = (
    "Bots are cars that the program drives; they have cards and Heat like you. Their levels are "
    f"{listed(BOT_LEVELS, 'and')}; several kinds are written like this: 2 {USUAL_BOT}, random."
)
_LAPS: Final = "A lap is once around the track."
_NAMES: Final = (
    "Each person you name drives a car, in this order, at this keyboard; the hands are covered in between."
)


async def new_race(terminal: LineTerminal, folders: Folders, *, is_hot_seat: bool) -> Table:
    """Set up a race of one person or, for a hot-seat, of several.

    Raises:
        GoneBack: None is wished.
        Left: Whoever typed is gone.
    """
    begin = SetupController.hot_seat if is_hot_seat else SetupController.race
    setting_up = await _setting_up(terminal, folders, begin)
    table = await (setting_up.hot_seat() if is_hot_seat else setting_up.race())
    _remember(folders, setting_up.setup)
    return table


async def new_season(terminal: LineTerminal, folders: Folders) -> Season:
    """Set up a championship; raises as `new_race` does."""
    setting_up = await _setting_up(terminal, folders, SetupController.championship)
    season = await setting_up.championship()
    _remember(folders, setting_up.setup)
    return season


async def _setting_up(terminal: LineTerminal, folders: Folders, begin: Begin) -> _SettingUp:
    settings = load_settings(folders)
    setup = begin(settings, settings.player_name, box_tracks())
    await setup.find_own_tracks()
    return _SettingUp(terminal, setup)


def _remember(folders: Folders, setup: SetupController) -> None:
    """Offer the same the next time."""
    settings = load_settings(folders)
    if (changed := setup.remembered(settings)) != settings:
        save_settings(folders, changed)


class _SettingUp:
    """The questions.

    Attributes:
        setup: What is chosen so far.
    """

    def __init__(self, terminal: LineTerminal, setup: SetupController) -> None:
        self.setup = setup
        self._terminal = terminal

    async def race(self) -> Table:
        """Set up a race against Legends and bots."""
        await self._ask_track()
        await self._ask_number_of_cars()
        return await self._begun("Enter starts the race", self.setup.begin_race)

    async def hot_seat(self) -> Table:
        """Set up a race of several people."""
        question = "Who drives? Type the names, separated by commas. For example: Ana, Ben"
        await self._ask("names", question, lambda: [_NAMES], needs_answer=True)
        await self._ask_track()
        await self._ask_number_of_cars()
        return await self._begun("Enter starts the race", self.setup.begin_race)

    async def championship(self) -> Season:
        """Set up a championship."""
        years = listed([str(year) for year in YEARS], "or")
        first = ", ".join(facts.name for facts in list(self.setup.facts.values())[:3])
        question = (
            f"Which season: {years}, or 3 or 4 tracks of your choice? Enter takes {YEARS[0]}. "
            f"For example: {first}"
        )
        await self._ask("season", question, lambda: ["The years are printed seasons.", *self._tracks_told()])
        question = "How many laps, 1 to 4? Enter takes the printed number. For example: 1"
        await self._ask("laps", question, lambda: [_LAPS])
        names = ", ".join(self.setup.options.names)
        question = f"Who drives? Type names, separated by commas; Enter takes {names}. For example: Ana, Ben"
        await self._ask("names", question, lambda: [_NAMES])
        await self._ask_number_of_cars()
        return await self._begun("Enter begins the championship", self.setup.begin_season)

    # --- questions -----------------------------------------------------------------------------------------

    async def _ask(
        self,
        setting: str,
        question: str,
        explain: Callable[[], Sequence[str]],
        *,
        needs_answer: bool = False,
    ) -> None:
        def take(line: str) -> None:
            if line or needs_answer:
                self._change(f"{setting} {line}")

        await answered(self._terminal, question, take, explain)

    def _change(self, typed: str) -> None:
        self.setup.change(*read_change(self.setup.options, typed, self.setup.labels))

    async def _ask_track(self) -> None:
        named = [facts.name for facts in self.setup.facts.values()]
        which = (
            listed(named, "or")
            if len(named) <= _MOST_NAMED_TRACKS
            else f"one of {len(named)}; help lists them"
        )
        usual, example = self.setup.facts[self.setup.options.track].name, named[-1]
        question = f"Which track: {which}? Enter takes {usual}. For example: {example}"
        await self._ask("track", question, self._tracks_told)
        laps = self.setup.facts[self.setup.options.track].laps
        question = f"How many laps, 1 to 4? Enter takes {laps}, as printed. For example: 1"
        await self._ask("laps", question, lambda: [_LAPS])

    def _tracks_told(self) -> list[str]:
        told = [
            f"{facts.name}: {counted(facts.laps, 'lap')} of {facts.spaces} spaces, corner limits "
            f"{', '.join(str(corner.limit) for corner in facts.corners)}."
            for facts in self.setup.facts.values()
        ]
        faulty = [track for track in self.setup.tracks if track.faults]
        return [*told, *(f"{track.name} cannot be raced on: {track.faults[0]}." for track in faulty)]

    async def _ask_number_of_cars(self) -> None:
        most, usual = most_beside(LEGENDS, self.setup.options), self.setup.legends
        if most:
            question = f"How many Legends, 0 to {most}? Enter takes {usual}. For example: {min(2, most)}"
            await self._ask("legends", question, lambda: [_LEGENDS])
        most = most_beside(BOTS, self.setup.options)
        if most:
            usual_bots = bots_text(self.setup.options.bots) or "none"
            question = (
                f"How many bots, 0 to {most}, or which levels? Enter takes {usual_bots}. "
                f"For example: 1 {USUAL_BOT}"
            )
            await self._ask("bots", question, lambda: [_BOTS])

    # --- all the rest --------------------------------------------------------------------------------------

    def _told(self) -> list[str]:
        options, labels = self.setup.options, self.setup.labels
        if options.season is None:
            return chosen_told(options, labels, self.setup.track.facts)
        told = chosen_told(options, labels, None)
        if options.season.year is not None:
            races = self.setup.planned_races()
            told.insert(1, f"Its races: {', '.join(race.track.name for race in races)}.")
        return told

    async def _begun(self, enter: str, make: Callable[[], Made]) -> Made:
        """Tell what is chosen and change it, until it may begin and does."""
        told: list[str] = []
        question = (
            f"{enter}; set changes an option; help lists them all; leave goes back. "
            "For example: set weather on"
        )
        while True:
            before, told = told, self._told()
            for line in told:
                if line not in before:
                    self._terminal.say(line)
            line = await self._terminal.ask(question)
            word, _, rest = line.partition(" ")
            try:
                if is_leaving(line):
                    raise GoneBack
                if not line:
                    return make()
                if is_asking(line):
                    for told_of_one in options_explained(self.setup.options, self.setup.labels):
                        self._terminal.say(told_of_one)
                elif word.casefold() == "set":
                    self._change(rest)
                else:
                    self._terminal.say("Type set, help or leave, or press Enter.")
            except (BadOption, BadName, CannotBegin) as error:
                self._terminal.say(sentence_of(str(error)))
