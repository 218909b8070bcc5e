"""A room's championship: its season, who stands in for whom, what members are sent. No clock, no I/O."""

from __future__ import annotations

from collections.abc import Sequence

from heat_core.drivers import BOT_LEVELS, BotName
from heat_core.files import new_seed
from heat_core.race.events import Event
from heat_core.race.setup import RaceSetup
from heat_core.season.setup import public_season_setup
from heat_core.season.state import Season
from heat_core.season.view import view_season
from heat_core.table import Table
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import BotKind, SeasonUpdate
from heat_server.room.denied import Denied
from heat_server.room.lobby import Grid, Lobby
from heat_server.room.participants import Participants
from heat_server.room.saved_room import Member


class SeasonRun:
    """A season on the network. Event and grid of a race are fixed as soon as the race before is scored."""

    def __init__(self, season: Season) -> None:
        """Take a season, the one authority, whose next race has been fixed."""
        self._season = season
        self._public_setup = public_season_setup(season.setup)

    @classmethod
    def begin(cls, lobby: Lobby, grid: Grid) -> SeasonRun:
        """Begin a season of a lobby's options.

        Raises:
            BadSetup: They do not fit together.
        """
        season = Season(lobby.season_setup(grid.cars, new_seed()), grid.drivers)
        season.next_race()
        return cls(season)

    def dump(self) -> bytes:
        """Serialise the season; `Season.load` reads it."""
        return self._season.dump()

    @property
    def event_number(self) -> int:
        """The number of the season's last event: what has changed shows in it."""
        return self._season.state.event_number

    @property
    def is_over(self) -> bool:
        """Tell whether the last race has been scored."""
        return self._season.is_over

    @property
    def race(self) -> int:
        """The race that is under way or about to be started, from 0."""
        return len(self._season.state.races) - 1

    def table(self, people: Participants) -> Table:
        """Make the table of the next race; who is there drives, whatever stood in for them."""
        for member in people.members():
            if people.is_there(member) and member.stand_in is not None:
                self._hand_over(member, None)
        return Table(self._season.race_setup(self.race), self._season.drivers)

    def finish_race(self, log: Sequence[Event]) -> None:
        """Score the race that is over, and prepare the next one."""
        self._season.finish_race(log)
        if not self.is_over:
            self._season.next_race()

    def stand_in(self, member: Member, kind: BotKind | None) -> None:
        """Hand the seat of somebody who is not there to a bot, or with None back to them.

        Raises:
            Denied: No bot can hold cards for them.
        """
        if kind is not None and kind not in BOT_LEVELS:
            raise Denied(ErrorCode.BAD_OPTIONS, "Only a bot that plays cards can take over a seat.")
        self._hand_over(member, kind)

    def _hand_over(self, member: Member, kind: BotName | None) -> None:
        member.stand_in = kind
        self._season.set_driver(member.seat, kind or "human")

    def record_setup(self, number: int) -> RaceSetup:
        """Give the set-up of a race for its record: with the seed only when the season is over."""
        return self._season.record_setup(number)

    def abandon(self) -> None:
        """End the season: nobody will play it on."""
        self._season.abandon()

    def message(self, seat: int | None, places: tuple[int | None, ...]) -> SeasonUpdate:
        """Describe the season to a seat, or with None to a spectator.

        Args:
            seat: Whose view it is.
            places: The lobby's place of each car.
        """
        return SeasonUpdate(self._public_setup, view_season(self._season, seat), places)
