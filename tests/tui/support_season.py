"""What the tests of championships share: seasons of short races, one left in the middle, a race given up."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path

from textual.pilot import Pilot

from heat_core.options.table_options import LocalOptions, SeasonOptions
from heat_core.race import commands as c
from heat_core.season.state import Season
from heat_core.simulation import play_out
from heat_tui.app import HeatApp
from heat_tui.flow.table_factory import make_season_of
from heat_tui.saved.championship import Championship
from heat_tui.saved.continuing import newest_championship
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.season import SeasonScreen
from tests.tui.support_app import folders_in, until


def season(
    *names: str, bots: int = 1, legends: int = 1, year: int = 1961, sponsorships: bool = False, **more: object
) -> Season:
    """A printed season of races of one lap that is about to begin."""
    options = LocalOptions(
        names=names or ("Ana",),
        bots=tuple(repeat("steady", bots)),
        legends=legends,
        season=SeasonOptions(year=year, sponsorships=sponsorships),
        laps=1,
        seed="5",
        **more,  # type: ignore[arg-type]  # handed on as they are
    )
    return make_season_of(options)


def begun(path: Path, *, races: int = 0, begins: Season | None = None) -> Championship:
    """A championship whose first races bots have driven; the file stays open."""
    championship = Championship.begin(folders_in(path), begins or season())
    for _ in range(races):
        race_once(championship)
    return championship


def newest(path: Path) -> Championship | None:
    """The championship that was left last, open; every file can be read."""
    faults: list[str] = []
    found = newest_championship(folders_in(path), faults.append)
    assert not faults
    return found


def race_once(championship: Championship) -> None:
    """Let bots drive the next race, in the people's cars too."""
    table = championship.race()
    for seat in table.drivers:
        table.set_driver(seat, "steady")
    play_out(table)
    championship.settle()


def give_up(championship: Championship, seat: int = 0) -> None:
    """Give a seat's race up, and let the others drive it to its end."""
    championship.race().submit(seat, None, c.GiveUp())
    race_once(championship)


async def to_season(pilot: Pilot[None]) -> SeasonScreen:
    """Wait until the season's screen stands."""
    app = pilot.app
    await until(lambda: isinstance(app.screen, SeasonScreen))
    await pilot.pause()
    await pilot.pause()
    assert isinstance(app.screen, SeasonScreen)
    return app.screen


async def to_race(pilot: Pilot[None]) -> RaceScreen:
    """Wait until the race's screen stands."""
    app = pilot.app
    await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.seen > 0)
    await pilot.pause()
    assert isinstance(app.screen, RaceScreen)
    return app.screen


async def race_by_giving_up(pilot: Pilot[None]) -> None:
    """Start the race that the season's screen offers, give it up, and go on from its results."""
    app = pilot.app
    await to_season(pilot)
    await pilot.press("enter")
    screen = await to_race(pilot)
    await pilot.press("g", "y")
    await until(lambda: screen.controller.view.status == "ended")
    await pilot.press("enter")
    await until(lambda: isinstance(app.screen, ResultsScreen))
    await pilot.pause()
    await pilot.press("enter")
    await to_season(pilot)


def season_app(path: Path, championship: Season | None = None) -> HeatApp:
    """The client at a championship that begins, or with None at the saved one."""

    def opening(app: HeatApp) -> None:
        if championship is not None:
            app.begin_championship(championship)
        else:
            app.show_championship()

    return HeatApp(folders_in(path), opening=opening, animate=False, player_name="Ana")
