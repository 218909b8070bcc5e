"""What is chosen for a race or a championship at this keyboard, and what follows from it.

A form reads its rows into the controller, typed lines change one option after another. Either way `options`
are what the race is made from, and `begin_race` or `begin_season` makes it or says why not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from heat_core.data.race_lengths import RACE_LENGTHS
from heat_core.drivers import BOT_LEVELS, BotName
from heat_core.files import FoundTrack, own_track_folder, own_tracks
from heat_core.names import BadName
from heat_core.options.option import Option
from heat_core.options.option_table import LAPS, values_of
from heat_core.options.settings import Value
from heat_core.options.table_options import (
    FindTrack,
    LocalOptions,
    SeasonOptions,
    change,
    plan_races,
    shown_rules,
    with_rules,
)
from heat_core.race.presets import Rules
from heat_core.race.setup import USUAL_CARS, BadSetup, Colour
from heat_core.season.setup import YEARS, PlannedRace
from heat_core.season.state import Season
from heat_core.table import Table
from heat_core.text import counted, listed
from heat_core.track_facts import TrackFacts
from heat_tui.flow.first_race import FirstRace, make_first_race
from heat_tui.flow.table_factory import cars_problem, colours_of, legends_of, make_season_of, make_table
from heat_tui.state import Settings
from heat_tui.words.labels import opponents, track_labels

Made = TypeVar("Made")
Begin: TypeAlias = "Callable[[Settings, str, Sequence[FoundTrack]], SetupController]"
"""Settings, the player's name and the tracks that are known -> what it begins with."""

Opponent: TypeAlias = BotName | Literal["legend", "nobody"]
"""What drives a place where no person sits."""

OPPONENTS: Final[dict[Opponent, str]] = {
    "legend": "Legend",
    **{level: f"{level} bot" for level in BOT_LEVELS},
    "nobody": "nobody",
}
"""What they are called, in the order in which a form offers them."""


class GridCar(NamedTuple):
    """A car that will start.

    Attributes:
        letter: That it will probably have.
        is_own: Whether a person drives it.
    """

    letter: str
    colour: Colour
    is_own: bool


_TURN_SECONDS: Final = 20
"""What somebody who knows the game takes for all choices of a turn."""
_MOVE_SECONDS: Final = 0.6
"""In which the car of a bot or a Legend drives, at the normal pace."""
NO_DRIVERS = "Who drives? Type the names, separated by commas."


class CannotBegin(Exception):
    """What is chosen makes no race; the text says why, in one sentence."""


class SetupController:
    """The options of a race or a championship, as they are chosen so far.

    Attributes:
        options: The choices.
        tracks: All that were found, those that cannot be raced on too.
        are_many: Whether several people can be named, with commas between them.
    """

    def __init__(self, options: LocalOptions, tracks: Sequence[FoundTrack], *, are_many: bool) -> None:
        """Begin with what is usual; see `race`, `hot_seat` and `championship`."""
        self.options = options
        self.tracks = list(tracks)
        self.are_many = are_many

    @classmethod
    def race(cls, settings: Settings, name: str, tracks: Sequence[FoundTrack]) -> SetupController:
        """Set up a race of one person, against the same as the last one."""
        bots = settings.bots[: USUAL_CARS - 1]
        legends = settings.legends
        if legends is not None:  # the file can hold more than there is room for
            legends = max(0, min(legends, USUAL_CARS - 1 - len(bots)))
        options = LocalOptions(names=(name,), colour=settings.colour, bots=bots, legends=legends)
        return cls(options, tracks, are_many=False)

    @classmethod
    def hot_seat(cls, settings: Settings, name: str, tracks: Sequence[FoundTrack]) -> SetupController:
        """Set up a race of several people, who have yet to be named."""
        return cls(LocalOptions(colour=settings.colour, are_friends=True), tracks, are_many=True)

    @classmethod
    def championship(cls, settings: Settings, name: str, tracks: Sequence[FoundTrack]) -> SetupController:
        """Set up a championship, of one person or several."""
        season = SeasonOptions(year=YEARS[0], events=True)
        options = LocalOptions(names=(name,), colour=settings.colour, season=season)
        return cls(options, tracks, are_many=True)

    # --- tracks -------------------------------------------------------------------------------------------

    async def find_own_tracks(self) -> bool:
        """Add the player's own tracks, and return whether there are any; this can take a while."""
        found = await asyncio.to_thread(own_tracks, own_track_folder())
        self.tracks += found
        return bool(found)

    @property
    def facts(self) -> dict[str, TrackFacts]:
        """The tracks that can be raced on, by the name that options have for them."""
        return {track.name: track.facts for track in self.tracks if track.facts is not None}

    @property
    def labels(self) -> dict[str, str]:
        """What to call those, so that they can be distinguished."""
        return track_labels([(track, facts.name) for track, facts in self.facts.items()])

    @property
    def track(self) -> FoundTrack:
        """The one that is chosen for a race."""
        return next(track for track in self.tracks if track.name == self.options.track)

    # --- choosing -----------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules that the options come to."""
        return shown_rules(self.options)

    @property
    def legends(self) -> int:
        """How many Legends race."""
        return legends_of(self.options)

    @property
    def opponents(self) -> list[Opponent]:
        """What drives each place besides the first: as many as the rules allow."""
        legends: list[Opponent] = ["legend"] * self.legends
        empty: list[Opponent] = ["nobody"] * (
            self.rules.most_cars - 1 - len(self.options.bots) - self.legends
        )
        return [*self.options.bots, *legends, *empty]

    def take_opponents(self, opponents: Sequence[Opponent]) -> None:
        """Choose what drives each place besides those of people."""
        bots = tuple(one for one in opponents if one != "legend" and one != "nobody")
        legends = sum(opponent == "legend" for opponent in opponents)
        self.options = msgspec.structs.replace(self.options, bots=bots, legends=legends)

    def change(self, field: str, value: object) -> None:
        """Give an option another value; see `heat_core.options.table_options.change`."""
        self.options = change(self.options, field, value)

    def change_rules(self, rules: Rules) -> None:
        """Race by other rules."""
        self.options = with_rules(self.options, rules)

    def take_names(self, typed: str) -> None:
        """Name who drives, as typed; what cannot be shown is refused when the race begins."""
        names = [name for name in typed.split(",") if name.strip()] if self.are_many else [typed]
        self.options = msgspec.structs.replace(self.options, names=tuple(names))

    def values(self, option: Option) -> Sequence[Value]:
        """List the values that an option can have beside the others."""
        return values_of(option, self.options, self.labels)

    def lap_values(self) -> Sequence[Value]:
        """List how many laps there can be, those of the chosen track first."""
        facts = self.track.facts
        if facts is None:
            return LAPS.values
        others = [value for value in LAPS.values if value.value not in (None, facts.laps)]
        return [LAPS.values[0]._replace(label=f"{facts.laps} (printed)"), *others]

    def planned_races(self) -> tuple[PlannedRace, ...]:
        """Plan the race, or those of the championship."""
        return plan_races(self.options, self.facts.__getitem__)

    def first_race(self) -> FirstRace | None:
        """Give the race, or the first of the championship; None: its track cannot be raced on."""
        season = self.options.season
        if season is None and self.track.facts is None:
            return None
        race = self.planned_races()[0]
        return make_first_race(race.track, race.laps, race.event, is_in_season=season is not None)

    def remembered(self, settings: Settings) -> Settings:
        """Give settings that offer the same the next time: the colour, the name where it is the player's, and
        for a race of one person whom it was against.
        """
        options = self.options
        is_named = options.season is not None or not self.are_many
        name = options.names[0] if is_named and len(options.names) == 1 else settings.name
        if not self.are_many:
            settings = msgspec.structs.replace(settings, bots=options.bots, legends=options.legends)
        return msgspec.structs.replace(settings, colour=options.colour, name=name)

    # --- what it will be like -------------------------------------------------------------------------------

    def grid(self) -> list[GridCar]:
        """List the cars that will start; who starts where is drawn later."""
        options = self.options
        letters = [name.strip()[:1].upper() or "?" for name in options.names]
        letters += [level[0].upper() for level in options.bots] + ["L"] * self.legends
        people = len(options.names)
        cars = zip(letters, colours_of(options), strict=False)
        return [GridCar(letter, colour, number < people) for number, (letter, colour) in enumerate(cars)]

    def field_text(self) -> str:
        """Say who races: `You and 5 Legends.`"""
        people = {0: "", 1: "You"}.get(len(self.options.names), f"{len(self.options.names)} people")
        told = [*filter(None, [people]), *opponents(self.options.bots, self.legends)]
        return f"{listed(told, 'and')}." if told else "Nobody."

    def length_text(self) -> str:
        """Say how long the race will be, by races of normal bots; empty: unknown, or nobody drives yet.

        `About 17 rounds, 7 minutes at 20 seconds a turn.`
        """
        facts, people = self.track.facts, len(self.options.names)
        length = None if facts is None else RACE_LENGTHS.get(facts.id)
        if facts is None or length is None or not people:
            return ""
        rounds = round(length.rounds * (self.options.laps or facts.laps) / facts.laps)
        others = len(self.options.bots) + self.legends
        seconds = rounds * (people * _TURN_SECONDS + others * _MOVE_SECONDS)
        minutes = counted(max(1, round(seconds / 60)), "minute")
        return f"About {rounds} rounds, {minutes} at {_TURN_SECONDS} seconds a turn."

    def heat_text(self) -> str:
        """Say what a lap costs, by races of normal bots; empty: unknown."""
        length = None if self.track.facts is None else RACE_LENGTHS.get(self.track.facts.id)
        return "" if length is None else f"The corners of a lap cost about {length.heat} Heat."

    # --- beginning ----------------------------------------------------------------------------------------

    def problem(self) -> str:
        """Say why the race cannot begin as it is chosen, as far as that is seen without making it."""
        options = self.options
        if options.season is None and self.track.faults:
            return f"{self.track.name} cannot be raced on: {self.track.faults[0]}"
        if not options.names:
            return NO_DRIVERS
        tracks = [race.track for race in self.planned_races()]
        cars = len(options.names) + len(options.bots) + legends_of(options, tracks)
        problems = [cars_problem(cars, track, self.rules) for track in tracks]
        return next((problem for problem in problems if problem), "")

    def begin_race(self) -> Table:
        """Make the table of the race.

        Raises:
            CannotBegin: Something does not fit.
        """
        return self._begin(make_table)

    def begin_season(self) -> Season:
        """Make the championship.

        Raises:
            CannotBegin: Something does not fit.
        """
        return self._begin(make_season_of)

    def _begin(self, make: Callable[[LocalOptions, FindTrack], Made]) -> Made:
        if problem := self.problem():
            raise CannotBegin(problem)
        try:
            return make(self.options, self.facts.__getitem__)
        except (BadName, BadSetup) as error:
            raise CannotBegin(str(error)) from None
