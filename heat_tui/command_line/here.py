"""The commands that race in this terminal: `play`, `hotseat`, `championship`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypedDict

import click

from heat_core.season_setup import YEARS
from heat_tui.command_line.options import (
    NAME,
    NO_ANIMATION,
    PLAIN,
    TRACK,
    TableOptions,
    refuse_beside,
    table_options,
)
from heat_tui.command_line.running import (
    WrongUse,
    checked_name,
    made,
    own_colour,
    own_name,
    run,
    run_in_lines,
)

if TYPE_CHECKING:
    from heat_core.presets import LegendLevel, Rules
    from heat_core.season import Season
    from heat_core.setup import Colour, Modules
    from heat_core.table import Table
    from heat_tui.makerace import Wishes
    from heat_tui.plain.voice import Voice
    from heat_tui.state import Folders


@click.command()
@TRACK
@NAME
@table_options(usual_legends="as many as may race")
@click.option(
    "--position",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Race on from a position file, which says all of the above, but the seed if it leaves that out.",
)
@NO_ANIMATION
@PLAIN
@click.pass_context
def play(
    context: click.Context,
    track: str,
    name: str | None,
    options: TableOptions,
    position: Path | None,
    no_animation: bool,
    plain: bool,
) -> None:
    """Race at once, alone against Legends and bots."""
    from heat_tui.makerace import make_table, make_table_at

    if position is not None:
        refuse_beside(
            context,
            "The position file says that itself: leave out {}.",
            allowed=("position", "no_animation", "plain", "seed"),
        )
        table = made(partial(make_table_at, position, options.seed))
    else:
        names = (name if name is not None else own_name(),)
        table = made(partial(make_table, _wishes(names, track, options, options.legends)))
    _race(table, is_plain=plain, is_animated=not (no_animation or context.obj))


@click.command()
@NAME
@NO_ANIMATION
@PLAIN
@click.pass_obj
def learn(quiet: bool, name: str | None, no_animation: bool, plain: bool) -> None:
    """Race a short first race, in which each phase is explained when it first happens."""
    name = checked_name(name)
    if plain:
        from heat_tui.plain.game import lesson_here

        run_in_lines(lambda voice, folders: lesson_here(voice, folders, name))
    run(is_animated=not (no_animation or quiet), opening=lambda app: app.action_learn(), player_name=name)


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME NAME...")
@TRACK
@table_options(usual_legends="two, where there is room for them")
@NO_ANIMATION
@PLAIN
@click.pass_obj
def hotseat(
    quiet: bool, names: tuple[str, ...], track: str, options: TableOptions, no_animation: bool, plain: bool
) -> None:
    """Race around one keyboard: name everyone who drives."""
    from heat_tui.makerace import make_table, usual_legends

    legends = options.legends
    if legends is None:
        most = options.rules(is_season=False).most_cars
        legends = usual_legends(most, len(names), options.bots, are_friends=True)
    table = made(partial(make_table, _wishes(names, track, options, legends)))
    _race(table, is_plain=plain, is_animated=not (no_animation or quiet))


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--year", type=click.Choice([str(year) for year in YEARS]), help="A printed season.")
@click.option("--tracks", help="Instead: 3 or 4 tracks or track files, with commas between them.")
@click.option("--events", is_flag=True, help="With --tracks: draw an event for each race.")
@table_options(usual_legends="as many as may race")
@click.option("--sponsorships", is_flag=True, help="Sponsorship cards.")
@NO_ANIMATION
@PLAIN
@click.pass_context
def championship(
    context: click.Context,
    names: tuple[str, ...],
    year: str | None,
    tracks: str | None,
    events: bool,
    options: TableOptions,
    sponsorships: bool,
    no_animation: bool,
    plain: bool,
) -> None:
    """Race a championship of three or four races, alone or around one keyboard.

    Without --year and --tracks: continue the one left last, or choose where there is none. Home lists
    every saved one.
    """
    from heat_core.setup import Modules
    from heat_tui.makerace import SeasonWishes, make_season_of

    is_animated = not (no_animation or context.obj)
    if year is None and tracks is None:
        refuse_beside(
            context, "Say --year or --tracks to begin a championship.", allowed=("no_animation", "plain")
        )
        if plain:
            _season_in_lines(None)
        run(is_animated=is_animated, opening=lambda app: app.show_championship())
    if year is not None and (tracks is not None or events):
        raise WrongUse("A printed season has its own tracks and events: leave out --tracks and --events.")
    modules = Modules(options.garage, options.expansion, weather=options.weather, sponsorships=sponsorships)
    wishes = SeasonWishes(
        **_grid(names or (own_name(),), options, options.legends, options.rules(is_season=True), modules),
        year=None if year is None else int(year),
        tracks=tuple(name.strip() for name in (tracks or "").split(",")),
        laps=options.laps,
        draws_events=events,
    )
    season = made(partial(make_season_of, wishes))
    if plain:
        _season_in_lines(season)
    run(is_animated=is_animated, opening=lambda app: app.begin_championship(season))


def _race(table: Table, *, is_plain: bool, is_animated: bool) -> NoReturn:
    """Race at a table in this process, in lines or on the screen."""
    if is_plain:
        from heat_tui.plain.game import race_here

        run_in_lines(lambda voice, folders: race_here(voice, folders, table))
    run(is_animated=is_animated, opening=lambda app: app.race_here(table))


def _season_in_lines(season: Season | None) -> NoReturn:
    from heat_tui.continuing import newest_championship
    from heat_tui.plain.game import begin_championship_here, championship_here
    from heat_tui.plain.home import new_championship_here

    async def race(voice: Voice, folders: Folders) -> None:
        if season is not None:
            await begin_championship_here(voice, folders, season)
        elif (saved := newest_championship(folders, voice.say)) is not None:
            await championship_here(voice, folders, saved)
        else:
            await new_championship_here(voice, folders)

    run_in_lines(race)


def _wishes(names: tuple[str, ...], track: str, options: TableOptions, legends: int | None) -> Wishes:
    """Say what a single race is made from.

    Raises:
        WrongUse: The modules do not fit together, or there is no such setting.
    """
    from heat_core.modules import single_race_modules
    from heat_core.setup import BadSetup
    from heat_tui.makerace import Wishes

    try:
        modules = single_race_modules(options.garage, expansion=options.expansion, weather=options.weather)
    except BadSetup as error:
        raise WrongUse(str(error)) from None
    rules = options.rules(is_season=False)
    return Wishes(**_grid(names, options, legends, rules, modules), track=track, laps=options.laps)


class _Grid(TypedDict):
    """What of `GridWishes` the options say."""

    names: tuple[str, ...]
    colour: Colour
    legends: int | None
    level: LegendLevel
    bots: int
    rules: Rules
    seed: str | None
    modules: Modules


def _grid(
    names: tuple[str, ...], options: TableOptions, legends: int | None, rules: Rules, modules: Modules
) -> _Grid:
    return _Grid(
        names=names,
        colour=own_colour(),
        legends=legends,
        level=options.level,
        bots=options.bots,
        rules=rules,
        seed=options.seed,
        modules=modules,
    )
