"""`heat-tui`: the command line. Textual is imported only once it is clear that there will be a screen."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

import click

from heat_core.address import Address, BadAddress, parse_address
from heat_core.presets import LEGEND_LEVELS, PRESETS, LegendLevel, PresetName, Rules
from heat_core.season_setup import YEARS
from heat_core.setup import GARAGES, GarageName
from heat_tui.terminal import why_no_screen
from heat_tui.version import program_version

if TYPE_CHECKING:
    from heat_core.setup import Colour, Modules
    from heat_core.table import Table
    from heat_tui.app import HeatApp

Made = TypeVar("Made")

USUAL_LEGENDS_BESIDE_FRIENDS: Final = 2
INTERRUPTED: Final = 130


class WrongUse(click.ClickException):
    """One line for a wrong value."""

    exit_code = 2


class Failed(click.ClickException):
    """One line for what did not work though it was asked for rightly."""

    exit_code = 1


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(program_version(), "-V", "--version", message="heat-tui %(version)s")
@click.option("--no-animation", is_flag=True, help="Cars jump instead of driving space by space.")
@click.pass_context
def command(context: click.Context, no_animation: bool) -> None:
    """A board game of motor racing for the terminal. Without a command: the home screen."""
    context.obj = no_animation
    if context.invoked_subcommand is None:
        _run(is_animated=not no_animation)


_TRACK = click.option(
    "--track",
    default="usa",
    show_default=True,
    help="A track's name, one of your own too, or a track file that ends in .json.",
)
_LAPS = click.option("--laps", type=click.IntRange(1, 4), help="Instead of the track's own.")
_LEVEL = click.option(
    "--level", type=click.Choice(list(LEGEND_LEVELS)), default="medium", show_default=True, help="Of Legends."
)
_BOTS = click.option(
    "--bots", type=click.IntRange(0, 7), default=0, show_default=True, help="Opponents that play cards."
)
_SEED = click.option("--seed", help="Any text: the same race again. Drawn from the system if not given.")
_CHANGES = click.option(
    "--set", "changes", multiple=True, metavar="NAME=VALUE", help="Change a single setting of the rules."
)
_RULES = click.option("--rules", type=click.Choice(list(PRESETS)), default="standard", show_default=True)
_GARAGE = click.option(
    "--garage",
    type=click.Choice(GARAGES),
    default="none",
    show_default=True,
    help="Draft upgrades before the race, of these cards.",
)
_EXPANSION = click.option(
    "--expansion", is_flag=True, help="The expansion's upgrades too, with advanced or mixed."
)
_WEATHER = click.option("--weather", is_flag=True, help="Weather and road tokens.")
_NO_ANIMATION = click.option("--no-animation", is_flag=True, help="Cars jump instead of driving.")


@command.command()
@_TRACK
@_LAPS
@click.option("--legends", type=click.IntRange(0, 7), help="Automated cars. Not given: as many as may race.")
@_LEVEL
@_BOTS
@click.option("--name", help="Yours. Not given: the one in the settings.")
@_SEED
@_RULES
@_CHANGES
@_GARAGE
@_EXPANSION
@_WEATHER
@click.option(
    "--position",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Race on from a position file, which says all of the above, but the seed if it leaves that out.",
)
@_NO_ANIMATION
@click.pass_context
def play(
    context: click.Context,
    position: Path | None,
    track: str,
    laps: int | None,
    legends: int | None,
    level: LegendLevel,
    bots: int,
    name: str | None,
    seed: str | None,
    rules: PresetName,
    changes: tuple[str, ...],
    garage: GarageName,
    expansion: bool,
    weather: bool,
    no_animation: bool,
) -> None:
    """Race at once, alone against Legends and bots."""
    from heat_tui.makerace import Wishes, make_table, make_table_at

    if position is not None:
        _refuse_beside_position(context)
        make = partial(make_table_at, position, seed)
    else:
        chosen = _chosen_rules(rules, changes)
        who = name if name is not None else _own_name()
        modules = _chosen_modules(garage, expansion=expansion, weather=weather)
        wishes = Wishes(
            names=(who,),
            colour=_own_colour(),
            track=track,
            laps=laps,
            legends=legends,
            level=level,
            bots=bots,
            rules=chosen,
            seed=seed,
            modules=modules,
        )
        make = partial(make_table, wishes)
    _race_here(make, is_animated=not (no_animation or context.obj))


def _refuse_beside_position(context: click.Context) -> None:
    """Refuse options that a position file has the last word on.

    Raises:
        WrongUse: One was given.
    """
    for parameter in context.command.params:
        if parameter.name in ("position", "no_animation", "seed"):
            continue
        if context.get_parameter_source(parameter.name or "") is click.core.ParameterSource.COMMANDLINE:
            raise WrongUse(f"The position file says that itself: leave out {parameter.opts[0]}.")


@command.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME NAME...")
@_TRACK
@_LAPS
@click.option(
    "--legends",
    type=click.IntRange(0, 7),
    help="Automated cars. Not given: two, where there is room for them.",
)
@_LEVEL
@_BOTS
@_SEED
@_RULES
@_CHANGES
@_GARAGE
@_EXPANSION
@_WEATHER
@_NO_ANIMATION
@click.pass_obj
def hotseat(
    quiet: bool,
    names: tuple[str, ...],
    track: str,
    laps: int | None,
    legends: int | None,
    level: LegendLevel,
    bots: int,
    seed: str | None,
    rules: PresetName,
    changes: tuple[str, ...],
    garage: GarageName,
    expansion: bool,
    weather: bool,
    no_animation: bool,
) -> None:
    """Race around one keyboard: name everyone who drives."""
    from heat_tui.makerace import Wishes, make_table

    chosen = _chosen_rules(rules, changes)
    if legends is None:
        legends = max(0, min(USUAL_LEGENDS_BESIDE_FRIENDS, chosen.most_cars - len(names) - bots))
    modules = _chosen_modules(garage, expansion=expansion, weather=weather)
    wishes = Wishes(
        names=names,
        colour=_own_colour(),
        track=track,
        laps=laps,
        legends=legends,
        level=level,
        bots=bots,
        rules=chosen,
        seed=seed,
        modules=modules,
    )
    _race_here(partial(make_table, wishes), is_animated=not (no_animation or quiet))


@command.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--year", type=click.Choice([str(year) for year in YEARS]), help="A printed season.")
@click.option("--tracks", help="Instead: 3 or 4 tracks or track files, with commas between them.")
@click.option("--events", is_flag=True, help="With --tracks: draw an event for each race.")
@_LAPS
@click.option("--legends", type=click.IntRange(0, 7), help="Automated cars. Not given: as many as may race.")
@_LEVEL
@_BOTS
@_SEED
@_RULES
@_CHANGES
@_GARAGE
@_EXPANSION
@_WEATHER
@click.option("--sponsorships", is_flag=True, help="Sponsorship cards.")
@_NO_ANIMATION
@click.pass_context
def championship(
    context: click.Context,
    names: tuple[str, ...],
    year: str | None,
    tracks: str | None,
    events: bool,
    laps: int | None,
    legends: int | None,
    level: LegendLevel,
    bots: int,
    seed: str | None,
    rules: PresetName,
    changes: tuple[str, ...],
    garage: GarageName,
    expansion: bool,
    weather: bool,
    sponsorships: bool,
    no_animation: bool,
) -> None:
    """Race a championship of three or four races, alone or around one keyboard.

    Without --year and --tracks: go on with the saved one, or choose on the screen.
    """
    from heat_core.setup import Modules
    from heat_tui.makerace import SeasonWishes, make_season_of

    is_animated = not (no_animation or context.obj)
    if year is None and tracks is None:
        _refuse_without_season(context)
        _run(is_animated=is_animated, opening=lambda app: app.show_championship())
    if year is not None and (tracks is not None or events):
        raise WrongUse("A printed season has its own tracks and events: leave out --tracks and --events.")
    wishes = SeasonWishes(
        names=names or (_own_name(),),
        colour=_own_colour(),
        legends=legends,
        level=level,
        bots=bots,
        rules=_chosen_rules(rules, changes),
        seed=seed,
        modules=Modules(garage, expansion, weather=weather, sponsorships=sponsorships),
        year=None if year is None else int(year),
        tracks=tuple(name.strip() for name in (tracks or "").split(",")),
        laps=laps,
        draws_events=events,
    )
    season = _made(partial(make_season_of, wishes))
    _run(is_animated=is_animated, opening=lambda app: app.begin_championship(season))


def _refuse_without_season(context: click.Context) -> None:
    """Refuse options of a season that is not begun here.

    Raises:
        WrongUse: One was given.
    """
    for parameter in context.command.params:
        if parameter.name == "no_animation":
            continue
        if context.get_parameter_source(parameter.name or "") is click.core.ParameterSource.COMMANDLINE:
            raise WrongUse("Say --year or --tracks to begin a championship.")


@command.command()
@click.argument("address", metavar="HOST[:PORT]")
@click.argument("code", required=False)
@click.option("--name", help="Yours. Not given: the one in the settings.")
@_NO_ANIMATION
@click.pass_obj
def connect(quiet: bool, address: str, code: str | None, name: str | None, no_animation: bool) -> None:
    """Join a race at a server, by its code or from the list of rooms."""
    try:
        where = parse_address(address)
    except BadAddress as error:
        raise WrongUse(str(error)) from None
    if code is not None and not (code.isascii() and code.isalnum()):
        raise WrongUse("A room's code has letters and digits only.")
    name = _checked_name(name)
    _need_terminal()
    _end(asyncio.run(_connect(where, code, name, is_animated=not (no_animation or quiet))))


@command.command()
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Of the server. Not given: 7777, or the next one that is free.",
)
@click.option("--name", help="Yours. Not given: the one in the settings.")
@click.option("--keep", is_flag=True, help="Leave the server running when the client ends.")
@_NO_ANIMATION
@click.pass_obj
def host(quiet: bool, port: int | None, name: str | None, keep: bool, no_animation: bool) -> None:
    """Start a server on this machine, and a client at it."""
    from heat_tui.hosting import HostingFailed, start_server
    from heat_tui.state import user_folders

    name = _checked_name(name)
    _need_terminal()
    try:
        server = start_server(user_folders().state, port)
    except HostingFailed as error:
        raise Failed(str(error)) from None
    try:
        code = asyncio.run(
            _connect(
                server.address,
                None,
                name,
                is_host=True,
                is_animated=not (no_animation or quiet),
                is_forgotten=not keep,
                last=None if keep else server.ask_to_end,
            )
        )
    finally:
        if not keep:
            server.stop()
    if keep:
        click.echo(f"heat-server goes on at {server.address} (process {server.process_id}).", err=True)
    _end(code)


async def _connect(
    address: Address,
    code: str | None,
    name: str,
    *,
    is_animated: bool,
    is_host: bool = False,
    is_forgotten: bool = False,
    last: Callable[[], None] | None = None,
) -> int:
    """Connect first, so that a failure is one line in the shell; then show the screens in the same loop."""
    from heat_core.wire.messages import RoomOptions
    from heat_tui.connection import ConnectFailed, ConnectionLost, RequestRefused
    from heat_tui.state import load_settings, user_folders
    from heat_tui.visit import Visit

    folders = user_folders()
    try:
        visit = await Visit.begin(folders, address)
    except ConnectFailed as error:
        raise Failed(error.text) from None
    news, is_in = "", False
    try:
        colour = load_settings(folders).colour
        if is_host:
            await visit.create(name, colour, RoomOptions())
            is_in = True
        elif code is not None:
            await visit.join(code, name, colour)
            is_in = True
    except (RequestRefused, ConnectionLost) as error:
        news = error.text

    def opening(app: HeatApp) -> None:
        if is_in:
            app.enter_lobby(visit)
        else:
            app.show_join(visit, code or "", news)

    from heat_tui.app import HeatApp

    app = HeatApp(
        folders,
        opening=opening,
        animate=None if is_animated else False,
        player_name=name,
        last=last,
    )
    await app.run_async()
    await visit.close(is_forgotten=is_forgotten)
    return app.return_code or 0


def _chosen_rules(preset: PresetName, changes: Sequence[str]) -> Rules:
    """Make the rules of a race.

    Raises:
        WrongUse: There is no such setting or value.
    """
    from heat_core.settings import BadSetting, make_rules, parse_changes

    try:
        return make_rules(preset, parse_changes(changes))
    except BadSetting as error:
        raise WrongUse(str(error)) from None


def _chosen_modules(garage: GarageName, *, expansion: bool, weather: bool) -> Modules:
    """Make the modules of a race.

    Raises:
        WrongUse: They do not fit together.
    """
    from heat_core.modules import single_race_modules
    from heat_core.setup import BadSetup

    try:
        return single_race_modules(garage, expansion=expansion, weather=weather)
    except BadSetup as error:
        raise WrongUse(str(error)) from None


def _race_here(make: Callable[[], Table], *, is_animated: bool) -> None:
    table = _made(make)
    _run(is_animated=is_animated, opening=lambda app: app.race_here(table))


def _made(make: Callable[[], Made]) -> Made:
    """Make a table or a season.

    Raises:
        Failed: There is no such track.
        WrongUse: Names or cars do not fit.
    """
    from heat_core.names import BadName
    from heat_core.positions import BadPosition
    from heat_core.setup import BadSetup
    from heat_core.track_file import BadTrack

    try:
        return make()
    except (BadPosition, BadTrack) as error:
        raise Failed(str(error)) from None
    except (BadName, BadSetup) as error:
        raise WrongUse(str(error)) from None


def _run(*, is_animated: bool, opening: Callable[[HeatApp], None] | None = None) -> NoReturn:
    _need_terminal()
    from heat_tui.app import HeatApp

    app = HeatApp(opening=opening, animate=None if is_animated else False)
    app.run()
    _end(app.return_code or 0)


def _end(code: int) -> NoReturn:
    sys.exit(code)


def _need_terminal() -> None:
    """Say in one line why there can be no screen.

    Raises:
        Failed: Standard input or error is no terminal, or a terminal that cannot place text.
    """
    if (reason := why_no_screen(sys.stdin, sys.stderr)) is not None:
        raise Failed(reason)


def _own_name() -> str:
    from heat_tui.state import load_settings, login_name, user_folders

    return load_settings(user_folders()).name or login_name()


def _own_colour() -> Colour:
    from heat_tui.state import load_settings, user_folders

    return load_settings(user_folders()).colour


def _checked_name(name: str | None) -> str:
    """Give the name to race under.

    Raises:
        WrongUse: It cannot be shown.
    """
    from heat_core.names import BadName, clean_name

    try:
        return clean_name(name if name is not None else _own_name())
    except BadName as error:
        raise WrongUse(str(error)) from None


def main() -> None:
    """Run the program and exit: 2 for wrong use, 1 for what failed, each with one line."""
    try:
        code = command(prog_name="heat-tui", standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"heat-tui: {' '.join(error.format_message().split())}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    sys.exit(code or 0)


if __name__ == "__main__":
    main()
