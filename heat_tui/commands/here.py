"""The commands that race in this terminal: `play`, `hotseat`, `championship`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click
import msgspec

from heat_core.options import option_table as o
from heat_core.options.option_flags import IN_THE_POSITION, WrongUse, refuse_beside, table_flags
from heat_core.options.table_options import LocalOptions
from heat_tui.commands.options import NAME, NO_ANIMATION, PLAIN
from heat_tui.commands.running import (
    checked_name,
    made,
    own_colour,
    own_name,
    run,
    run_in_lines,
)

if TYPE_CHECKING:
    from heat_core.season.state import Season
    from heat_core.table import Table
    from heat_tui.plain.line_terminal import LineTerminal
    from heat_tui.state import Folders


_OPTIONS: Final = (o.LEGENDS, o.LEVEL, o.BOTS, o.SEED)
_TRACK_FILE: Final = "A track file ends in .json."
_LEGENDS: Final = "Without this option, as many as can race."
_LEGENDS_OF_FRIENDS: Final = "Without this option, two if there is room."


@click.command()
@NAME
@table_flags(LocalOptions, o.TRACK, *_OPTIONS, legends=_LEGENDS, track=_TRACK_FILE)
@click.option(
    "--position",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Start from a position file. It sets all options above, except --seed if the file has no seed.",
)
@NO_ANIMATION
@PLAIN
@click.pass_context
def play(
    context: click.Context,
    name: str | None,
    options: LocalOptions,
    position: Path | None,
    no_animation: bool,
    plain: bool,
) -> None:
    """Start a race against Legends and bots."""
    from heat_tui.flow.table_factory import make_table, make_table_at

    if position is not None:
        refuse_beside(
            context,
            IN_THE_POSITION,
            allowed=("position", "no_animation", "plain", "seed"),
        )
        table = made(partial(make_table_at, position, options.seed))
    else:
        table = made(partial(make_table, _with_people(options, () if name is None else (name,))))
    _race(table, is_plain=plain, is_animated=not (no_animation or context.obj))


@click.command()
@NAME
@NO_ANIMATION
@PLAIN
@click.pass_obj
def learn(quiet: bool, name: str | None, no_animation: bool, plain: bool) -> None:
    """Start a short first race that explains each phase when it first happens."""
    name = checked_name(name)
    if plain:
        from heat_tui.plain.game import lesson_here

        run_in_lines(lambda terminal, folders: lesson_here(terminal, folders, name))
    run(is_animated=not (no_animation or quiet), opening=lambda app: app.action_learn(), player_name=name)


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME NAME...")
@table_flags(LocalOptions, o.TRACK, *_OPTIONS, legends=_LEGENDS_OF_FRIENDS, track=_TRACK_FILE)
@NO_ANIMATION
@PLAIN
@click.pass_obj
def hotseat(
    quiet: bool, names: tuple[str, ...], options: LocalOptions, no_animation: bool, plain: bool
) -> None:
    """Start a race for several people at one keyboard: give their names."""
    if len(names) == 1:
        raise WrongUse("Give at least two names. To race alone, use heat-tui play.")
    from heat_tui.flow.table_factory import make_table

    options = msgspec.structs.replace(_with_people(options, names), are_friends=True)
    table = made(partial(make_table, options))
    _race(table, is_plain=plain, is_animated=not (no_animation or quiet))


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@table_flags(LocalOptions, *_OPTIONS, is_season=True, legends=_LEGENDS)
@NO_ANIMATION
@PLAIN
@click.pass_context
def championship(
    context: click.Context,
    names: tuple[str, ...],
    options: LocalOptions,
    no_animation: bool,
    plain: bool,
) -> None:
    """Start a championship of three or four races, alone or at one keyboard.

    Without --year and --tracks: continue the newest saved one, or choose one if none is saved. The home
    screen lists all saved ones.
    """
    from heat_tui.flow.table_factory import make_season_of

    is_animated = not (no_animation or context.obj)
    if options.season is None:
        refuse_beside(
            context, "Give --year or --tracks to start a championship.", allowed=("no_animation", "plain")
        )
        if plain:
            _season_in_lines(None)
        run(is_animated=is_animated, opening=lambda app: app.show_championship())
    if options.season.year is not None and options.season.events:
        raise WrongUse("A printed season has its own events. Leave out --events.")
    season = made(partial(make_season_of, _with_people(options, names)))
    if plain:
        _season_in_lines(season)
    run(is_animated=is_animated, opening=lambda app: app.begin_championship(season))


def _race(table: Table, *, is_plain: bool, is_animated: bool) -> NoReturn:
    """Race at a table in this process, in lines or on the screen."""
    if is_plain:
        from heat_tui.plain.game import race_here

        run_in_lines(lambda terminal, folders: race_here(terminal, folders, table))
    run(is_animated=is_animated, opening=lambda app: app.race_here(table))


def _season_in_lines(season: Season | None) -> NoReturn:
    from heat_tui.flow.own_games import OwnGames
    from heat_tui.plain.home import new_championship_here
    from heat_tui.plain.season import begin_championship_here, championship_here

    async def race(terminal: LineTerminal, folders: Folders) -> None:
        if season is not None:
            await begin_championship_here(terminal, folders, season)
        elif (saved := OwnGames(folders, terminal.say).newest_championship()) is not None:
            await championship_here(terminal, folders, saved)
        else:
            await new_championship_here(terminal, folders)

    run_in_lines(race)


def _with_people(options: LocalOptions, names: tuple[str, ...]) -> LocalOptions:
    """Say who drives: the player where nobody is named, in the colour of the settings."""
    return msgspec.structs.replace(options, names=names or (own_name(),), colour=own_colour())
