"""`heat-tui`: the command line. Textual is imported only once it is clear that there will be a screen."""

from __future__ import annotations

from typing import Final, NoReturn

import click

from heat_core.cli.command_list import CommandList
from heat_core.cli.entry import run_program
from heat_core.version import shown_version
from heat_tui.commands.options import PLAIN
from heat_tui.commands.running import (
    MAP_VARIABLE,
    NO_GHOST_VARIABLE,
    NO_LAN_VARIABLE,
    WORDS_VARIABLE,
    allow_ghosts,
    choose_map,
    choose_words,
    nearby_on,
    run,
    run_in_lines,
    turn_lan,
)
from heat_tui.map.marks import MapStyle
from heat_tui.state import WordLevel

_PLACES: Final = {
    name: f"heat_tui.commands.{module}"
    for module, names in (
        ("alone", ("daily", "puzzles", "career")),
        ("here", ("play", "learn", "hotseat", "championship")),
        ("network", ("connect", "host")),
        ("party", ("party",)),
        ("replays", ("replay",)),
        ("serving", ("serve",)),
        ("doctor", ("doctor",)),
    )
    for name in names
}


@click.group(
    cls=CommandList,
    places=_PLACES,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(shown_version(), "-V", "--version", message="heat-tui %(version)s")
@click.option("--no-animation", is_flag=True, help="Reduced motion: cars jump instead of driving.")
@click.option(
    "--no-lan",
    is_flag=True,
    envvar=NO_LAN_VARIABLE,
    help="Do not look for servers on the local network, and do not announce your own.",
)
@click.option(
    "--no-ghost",
    is_flag=True,
    envvar=NO_GHOST_VARIABLE,
    help="Race without the ghost of your best race, whatever the settings say.",
)
@click.option(
    "--map",
    "style",
    type=click.Choice(["smooth", "half", "ascii"]),
    envvar=MAP_VARIABLE,
    help="Draw the map in fine blocks, half blocks or plain ASCII. Without this option, as the settings say.",
)
@PLAIN
@click.option(
    "--words",
    type=click.Choice(["few", "usual", "all"]),
    envvar=WORDS_VARIABLE,
    help="How much plain mode says. Without this option, as the settings say.",
)
@click.pass_context
def command(
    context: click.Context,
    no_animation: bool,
    no_lan: bool,
    no_ghost: bool,
    style: MapStyle | None,
    plain: bool,
    words: WordLevel | None,
) -> None:
    """A motor racing board game for the terminal. Without a command: the home screen."""
    turn_lan(is_on=not no_lan)
    allow_ghosts(may_drive=not no_ghost)
    choose_map(style)
    choose_words(words)
    context.obj = no_animation
    if plain:
        context.default_map = {name: {"plain": True} for name in command.list_commands(context)}
    if context.invoked_subcommand is not None:
        return
    if plain:
        from heat_tui.plain.home import Home

        interfaces = nearby_on()
        run_in_lines(lambda terminal, folders: Home(terminal, folders, interfaces).run())
    run(is_animated=not no_animation)


def main() -> NoReturn:
    """Run the program and exit."""
    run_program(command, "heat-tui")


if __name__ == "__main__":
    main()
