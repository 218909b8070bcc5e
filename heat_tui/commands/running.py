"""From a command to a screen, or to one line that says why it cannot start."""

from __future__ import annotations

import contextlib
import shutil
import sys
import textwrap
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from heat_core.garbage import CLIENT, collect_seldom
from heat_tui.terminal.environment import why_no_screen
from heat_tui.words.plain_way import before_the_screen

if TYPE_CHECKING:
    from heat_core.race.setup import Colour
    from heat_tui.app import HeatApp
    from heat_tui.map.marks import MapStyle
    from heat_tui.plain.line_terminal import LineTerminal
    from heat_tui.state import Folders, WordLevel

Made = TypeVar("Made")

NO_LAN_VARIABLE: Final = "HEAT_TUI_NO_LAN"
_LAN: Final = "heat_tui.lan"
NO_GHOST_VARIABLE: Final = "HEAT_TUI_NO_GHOST"
_GHOST: Final = "heat_tui.ghost"
MAP_VARIABLE: Final = "HEAT_TUI_MAP"
_MAP: Final = "heat_tui.map"
WORDS_VARIABLE: Final = "HEAT_TUI_WORDS"
_WORDS: Final = "heat_tui.words"


def warn_before_screens(text: str) -> None:
    """Print a sentence to standard error; a terminal gets it broken between words, not at its edge."""
    if sys.stderr.isatty():
        columns = shutil.get_terminal_size().columns
        text = textwrap.fill(text, columns, break_long_words=False, break_on_hyphens=False)
    click.echo(text, err=True)


class Failed(click.ClickException):
    """One line for what did not work though it was asked for rightly."""

    exit_code = 1


def made(make: Callable[[], Made]) -> Made:
    """Make a table or a season.

    Raises:
        Failed: There is no such track.
        WrongUse: Names or cars do not fit.
    """
    from heat_core.names import BadName
    from heat_core.options.option_flags import WrongUse
    from heat_core.positions.position import BadPosition
    from heat_core.race.setup import BadSetup
    from heat_core.track_files.file import BadTrack

    try:
        return make()
    except (BadPosition, BadTrack) as error:
        raise Failed(str(error)) from None
    except (BadName, BadSetup) as error:
        raise WrongUse(str(error)) from None


def turn_lan(*, is_on: bool) -> None:
    """Remember for all commands whether the local network may be looked at and told of."""
    click.get_current_context().meta[_LAN] = is_on


def nearby_on() -> Sequence[str] | None:
    """Say where the client looks for servers nearby: on all interfaces, or nowhere."""
    return () if click.get_current_context().meta.get(_LAN) else None


def allow_ghosts(*, may_drive: bool) -> None:
    """Remember for all commands whether the best own race may drive along."""
    click.get_current_context().meta[_GHOST] = may_drive


def may_have_ghost() -> bool:
    """Give what `allow_ghosts` remembers."""
    return bool(click.get_current_context().meta.get(_GHOST, True))


def choose_map(style: MapStyle | None) -> None:
    """Remember for all commands how the map is drawn; None: as the settings say."""
    click.get_current_context().meta[_MAP] = style


def map_style() -> MapStyle | None:
    """Give what `choose_map` remembers."""
    style: MapStyle | None = click.get_current_context().meta.get(_MAP)
    return style


def choose_words(level: WordLevel | None) -> None:
    """Remember for all commands how much plain mode says; None: as the settings say."""
    click.get_current_context().meta[_WORDS] = level


def word_level() -> WordLevel | None:
    """Give what `choose_words` remembers."""
    level: WordLevel | None = click.get_current_context().meta.get(_WORDS)
    return level


def run(
    *, is_animated: bool, opening: Callable[[HeatApp], None] | None = None, player_name: str = ""
) -> NoReturn:
    """Show the home screen, or what `opening` puts above it, and exit with the program's code."""
    need_terminal()
    collect_seldom(CLIENT)
    from heat_tui.app import HeatApp

    app = HeatApp(
        opening=opening,
        animate=None if is_animated else False,
        map_style=map_style(),
        has_ghost=may_have_ghost(),
        player_name=player_name,
        nearby_on=nearby_on(),
    )
    _name_plain_mode(app)
    app.run()
    sys.exit(1 if app.return_code is None else app.return_code)  # None: nobody has chosen to end it


def _name_plain_mode(app: HeatApp) -> None:
    """Say in one line where plain mode is, before the screen covers it."""
    size = shutil.get_terminal_size()
    told = before_the_screen(size.columns, size.lines, is_wanted=app.settings.plain_line)
    if told:
        click.echo(told, err=True)


def run_in_lines(game: Callable[[LineTerminal, Folders], Coroutine[Any, Any, None]]) -> NoReturn:
    """Play in lines and prompts, and exit with the program's code."""
    from heat_tui.plain.asking import GoneBack
    from heat_tui.plain.bell import bell_of
    from heat_tui.plain.hints import hints_of_later
    from heat_tui.plain.news import news_switches
    from heat_tui.plain.preferences import settings_aside
    from heat_tui.plain.terminal import run_plain
    from heat_tui.plain.voice import words_commands
    from heat_tui.state import load_settings, user_folders

    folders, has_ghost = user_folders(), may_have_ghost()

    async def played(terminal: LineTerminal) -> None:
        terminal.has_ghost = has_ghost
        terminal.voice.level = word_level() or load_settings(folders).words
        terminal.at_any_question = (
            hints_of_later(folders)
            | news_switches(terminal, folders)
            | words_commands(folders, terminal.voice)
        )
        terminal.settings = partial(settings_aside, terminal, folders)
        terminal.ring = bell_of(folders)
        with contextlib.suppress(GoneBack):
            await game(terminal, folders)

    sys.exit(run_plain(played))


def need_terminal() -> None:
    """Say in one line why there can be no screen.

    Raises:
        Failed: Standard input or error is no terminal, or a terminal that cannot place text.
    """
    if (reason := why_no_screen(sys.stdin, sys.stderr)) is not None:
        raise Failed(f"{reason} Plain mode (--plain) works anywhere.")


def own_name() -> str:
    """Give the name in the settings, else that of the login."""
    from heat_tui.state import load_settings, login_name, user_folders

    return load_settings(user_folders()).name or login_name()


def own_colour() -> Colour:
    """Give the colour in the settings."""
    from heat_tui.state import load_settings, user_folders

    return load_settings(user_folders()).colour


def checked_name(name: str | None) -> str:
    """Give the name to race under.

    Raises:
        WrongUse: It cannot be shown.
    """
    from heat_core.names import BadName, clean_name
    from heat_core.options.option_flags import WrongUse

    try:
        return clean_name(name if name is not None else own_name())
    except BadName as error:
        raise WrongUse(str(error)) from None
