"""Setting up a race or a championship at this keyboard: a few questions, then `set` for all the rest.

Each question is about one setting, and Enter alone leaves it as it is. What is chosen is then told, and each
change of it; Enter begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import msgspec

from heat_core.files import FoundTrack, box_tracks, own_track_folder, own_tracks
from heat_core.names import BadName
from heat_core.options.option_table import BOTS, LEGENDS, BadOption, most_beside
from heat_core.options.table_options import LocalOptions, SeasonOptions, change, plan_races
from heat_core.race.setup import BadSetup
from heat_core.season.setup import YEARS
from heat_core.season.state import Season
from heat_core.table import Table
from heat_core.text import counted, listed
from heat_core.track import TrackFacts
from heat_tui.flow.table_factory import legends_of, make_season_of, make_table
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import GoneBack, answered
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.options import chosen_told, options_explained, read_change
from heat_tui.plain.words import sentence_of
from heat_tui.state import Settings
from heat_tui.words.labels import track_labels

Made = TypeVar("Made")

_MOST_NAMED_TRACKS: Final = 12
"""More are told only when they are asked for."""

_LEGENDS: Final = (
    "Legends are cars without a hand: one card a round moves them all. They brake for corners, pay nothing, "
    "and are fast on straights."
)
_BOTS: Final = "Bots are cars that the program drives, with cards and Heat like yours."
_LAPS: Final = "A lap is once around the track."
_NAMES: Final = (
    "Each person you name drives a car, in this order, at this keyboard; the hands are covered in between."
)


class SettingUp:
    """The questions.

    Attributes:
        chosen: So far.
    """

    def __init__(
        self, voice: LineTerminal, settings: Settings, name: str, tracks: Sequence[FoundTrack]
    ) -> None:
        """Begin with what is usual.

        Args:
            name: The player's.
            tracks: All that there are, faulty ones too.
        """
        self._voice = voice
        self._facts: dict[str, TrackFacts] = {t.name: t.facts for t in tracks if t.facts is not None}
        self._faulty = [track for track in tracks if track.facts is None]
        self._labels = track_labels([(track, facts.name) for track, facts in self._facts.items()])
        self.chosen = LocalOptions(names=(name,), colour=settings.colour)

    async def race(self) -> Table:
        """Set up a race against Legends and bots.

        Raises:
            GoneBack: None is wished.
            Left: Whoever typed is gone.
        """
        await self._ask_track()
        await self._ask_number_of_cars()
        return await self._begun("Enter starts the race", self._table)

    async def hot_seat(self) -> Table:
        """Set up a race of several people; raises as `race` does."""
        self.chosen = msgspec.structs.replace(self.chosen, names=(), are_friends=True)
        question = "Who drives? Type the names, separated by commas. For example: Ana, Ben"
        await self._ask("names", question, lambda: [_NAMES], needs_answer=True)
        await self._ask_track()
        await self._ask_number_of_cars()
        return await self._begun("Enter starts the race", self._table)

    async def championship(self) -> Season:
        """Set up a championship; raises as `race` does."""
        season = SeasonOptions(year=YEARS[0], events=True)
        self.chosen = msgspec.structs.replace(self.chosen, season=season)
        years = listed([str(year) for year in YEARS], "or")
        first = ", ".join(list(self._facts)[:3])
        question = (
            f"Which season: {years}, or 3 or 4 tracks of your choice? Enter takes {YEARS[0]}. "
            f"For example: {first}"
        )
        await self._ask("season", question, lambda: ["The years are printed seasons.", *self._tracks_told()])
        question = "How many laps, 1 to 4? Enter takes as many as printed. For example: 1"
        await self._ask("laps", question, lambda: [_LAPS])
        names = ", ".join(self.chosen.names)
        question = f"Who drives? Names separated by commas; Enter takes {names}. For example: Ana, Ben"
        await self._ask("names", question, lambda: [_NAMES])
        await self._ask_number_of_cars()
        return await self._begun("Enter begins the championship", self._season)

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
                self.chosen = change(
                    self.chosen, *read_change(self.chosen, f"{setting} {line}", self._labels)
                )

        await answered(self._voice, question, take, explain)

    async def _ask_track(self) -> None:
        named = list(self._facts)
        which = (
            listed(named, "or") if len(named) <= _MOST_NAMED_TRACKS else f"one of {len(named)}; ? tells them"
        )
        usual, example = self.chosen.track, named[-1]
        question = f"Which track: {which}? Enter takes {usual}. For example: {example}"
        await self._ask("track", question, self._tracks_told)
        laps = self._facts[self.chosen.track].laps
        question = f"How many laps, 1 to 4? Enter takes {laps}, as printed. For example: 1"
        await self._ask("laps", question, lambda: [_LAPS])

    def _tracks_told(self) -> list[str]:
        told = [
            f"{track}: {facts.name}, {counted(facts.laps, 'lap')} of {facts.spaces} spaces, corner limits "
            f"{', '.join(str(corner.limit) for corner in facts.corners)}."
            for track, facts in self._facts.items()
        ]
        return [*told, *(f"{track.name} cannot be raced on: {track.faults[0]}." for track in self._faulty)]

    async def _ask_number_of_cars(self) -> None:
        most, usual = most_beside(LEGENDS, self.chosen), legends_of(self.chosen)
        if most:
            question = f"How many Legends, 0 to {most}? Enter takes {usual}. For example: {min(2, most)}"
            await self._ask("legends", question, lambda: [_LEGENDS])
        most = most_beside(BOTS, self.chosen)
        if most:
            question = f"How many bots, 0 to {most}? Enter takes none. For example: 1"
            await self._ask("bots", question, lambda: [_BOTS])

    # --- all the rest --------------------------------------------------------------------------------------

    def _told(self) -> list[str]:
        chosen = self.chosen
        if chosen.season is None:
            return chosen_told(chosen, self._labels, self._facts[chosen.track])
        told = chosen_told(chosen, self._labels, None)
        if chosen.season.year is not None:
            races = plan_races(chosen, self._facts.__getitem__)
            told.insert(1, f"Its races: {', '.join(race.track.name for race in races)}.")
        return told

    async def _begun(self, enter: str, make: Callable[[], Made]) -> Made:
        """Tell what is chosen and change it, until it may begin and does."""
        told: list[str] = []
        question = (
            f"{enter}; set changes a setting; ? tells all of them; leave leads back. "
            "For example: set weather on"
        )
        while True:
            before, told = told, self._told()
            for line in told:
                if line not in before:
                    self._voice.say(line)
            line = await self._voice.ask(question)
            word, _, rest = line.partition(" ")
            try:
                if is_leaving(line):
                    raise GoneBack
                if not line:
                    return make()
                if is_asking(line):
                    for told_of_one in options_explained(self.chosen, self._labels):
                        self._voice.say(told_of_one)
                elif word.casefold() == "set":
                    self.chosen = change(self.chosen, *read_change(self.chosen, rest, self._labels))
                else:
                    self._voice.say("Type set, ? or leave, or Enter alone.")
            except (BadOption, BadName, BadSetup) as error:
                self._voice.say(sentence_of(str(error)))

    def _table(self) -> Table:
        return make_table(self.chosen, self._facts.__getitem__)

    def _season(self) -> Season:
        return make_season_of(self.chosen, self._facts.__getitem__)


async def all_tracks() -> list[FoundTrack]:
    """List the tracks of the box, then the player's own."""
    return box_tracks() + await asyncio.to_thread(own_tracks, own_track_folder())
