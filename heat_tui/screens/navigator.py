"""What screens ask of the program: ways to other screens, the player's settings, connections to servers.

Screens know this protocol and not the program that keeps it (`heat_tui.app`), which makes the screens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from heat_tui.flow.replay_start import FIRST_MOMENT, ReplayStart

if TYPE_CHECKING:
    from heat_core.record.playback import Playback
    from heat_core.record.record import Record
    from heat_core.season.state import Season
    from heat_core.table import Table
    from heat_tui.client.server_stay import ServerStay
    from heat_tui.client.server_stays import ServerStays
    from heat_tui.flow.home import HomeController
    from heat_tui.flow.invitation import WaysIn
    from heat_tui.flow.season import SeasonController
    from heat_tui.map.palette import Look
    from heat_tui.state import Folders, Settings


class WaysOn(NamedTuple):
    """Where a race leads besides Home; None: not there.

    Attributes:
        again: Starts another race like this one.
        onward: Goes on to the championship that the race belongs to.
        lobby: Follows the others back into the lobby, where a rematch has been called.
    """

    again: Callable[[], None] | None = None
    onward: Callable[[], None] | None = None
    lobby: Callable[[], None] | None = None


HOME_ONLY: Final = WaysOn()


class Navigator(Protocol):
    """The program, as far as its screens know it.

    Attributes:
        folders: Where files go.
        home: What home offers, and what waits to be shown there.
        stays: The servers that it is connected to; what is left here ends with the program.
        settings: What the player likes; change them with `change_settings`.
        player_name: The name to offer in forms.
        ways_in: Lists every way into a room at the server that is held from here.
        enter_gap_seconds: How close behind another Enter one does nothing on a new screen.
    """

    folders: Folders
    home: HomeController
    stays: ServerStays
    settings: Settings
    player_name: str
    ways_in: WaysIn
    enter_gap_seconds: float

    # --- the player's settings ----------------------------------------------------------------------------

    def change_settings(self, settings: Settings) -> bool:
        """Take new settings, and return whether they could be kept."""

    @property
    def pace(self) -> float:
        """How long what moves is looked at, in times of the usual; 0.0: motion is reduced, nothing moves."""

    @property
    def map_look(self) -> Look:
        """How this terminal shows maps, as the player wants them."""

    @property
    def nearby_on(self) -> Sequence[str] | None:
        """Where servers nearby are looked for; empty: on all interfaces; None: nowhere."""

    def notify_desktop(self, text: str) -> None:
        """Have the desktop show a sentence, where the player wants that and looks elsewhere."""

    # --- Home ---------------------------------------------------------------------------------------------

    def go_home(self, news: str = "") -> None:
        """Close every screen above Home."""

    def show_faults(self) -> None:
        """Show what cannot be continued and why, unless another screen is about to come up."""

    # --- races of your own -------------------------------------------------------------------------------

    def show_new_race(self, *, is_hot_seat: bool) -> None:
        """Set up a race here."""

    def race_here(self, table: Table) -> None:
        """Race at a new table in this process; ask first where a saved race would be removed for it."""

    def action_learn(self) -> None:
        """Race the race that explains each phase when it first happens."""

    def show_daily(self) -> None:
        """Show the daily race."""

    def show_puzzles(self, at: int = 0) -> None:
        """List the puzzles, the one at a place chosen."""

    def solve(self, place: int) -> None:
        """Show a puzzle, to be answered."""

    def show_career(self) -> None:
        """Show the career."""

    def continue_saved(self, path: Path) -> bool:
        """Continue a saved race or championship, in mid-race too, and return whether it was free."""

    def show_new_championship(self) -> None:
        """Set up a championship here."""

    def begin_championship(self, season: Season) -> None:
        """Show a championship that has just been set up, before its first race."""

    def race_of_championship(self, season: SeasonController) -> None:
        """Race the next race of a championship, or continue the one under way."""

    # --- records ------------------------------------------------------------------------------------------

    def show_replays(self) -> None:
        """List the records that are kept."""

    def show_replay(self, playback: Playback, start: ReplayStart = FIRST_MOMENT) -> None:
        """Watch a recorded race."""

    async def keep_races(self, races: Sequence[Record], seats: Sequence[int]) -> None:
        """Write finished races down, and the results of those of these seats that are the player's."""

    # --- servers ------------------------------------------------------------------------------------------

    async def host(self) -> str | None:
        """Start a server here (once), open a room at it and go to its lobby; why not, in one sentence."""

    def show_join(self, stay: ServerStay | None = None, code: str = "", news: str = "") -> None:
        """Find a race at a server, or at the one of a stay."""

    def enter_lobby(self, stay: ServerStay) -> None:
        """Wait in a room; the race follows from there."""

    def race_there(self, stay: ServerStay) -> None:
        """Race at a server's table."""

    def season_there(self, stay: ServerStay) -> None:
        """Show a server's championship between two races, or its end."""

    # --- settings and help --------------------------------------------------------------------------------

    def action_settings(self) -> None:
        """Show the settings."""

    def action_choose_keys(self) -> None:
        """Choose keys."""

    def action_how_to_play(self) -> None:
        """Show how to play."""
