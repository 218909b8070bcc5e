"""The base of the program: settings, themes, how it ends, and keys before a screen gets them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from rich.text import Text
from textual import events
from textual.app import App
from textual.binding import Binding
from textual.constants import TEXTUAL_ANIMATIONS
from textual.driver import Driver
from textual.geometry import Offset
from textual.screen import Screen

from heat_core.garbage import CLIENT, freeze_what_is_there
from heat_core.signals import INTERRUPTED
from heat_tui.keys.bindings import binding_key
from heat_tui.keys.palette import KeyCommands
from heat_tui.keys.palette_screen import OwnPalette
from heat_tui.keys.table import KEY_USES, Keys
from heat_tui.map.marks import MapStyle
from heat_tui.map.palette import Look, look_for
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.cursor import cursor_of
from heat_tui.state import (
    PACES,
    Folders,
    Settings,
    keep_crash,
    load_settings,
    save_settings,
    user_folders,
)
from heat_tui.terminal.ending import Ending
from heat_tui.terminal.environment import is_driver_named, speaks_unicode
from heat_tui.terminal.ground import GroundShown, ground_question
from heat_tui.terminal.input_thread import InputLost
from heat_tui.terminal.notification import notification
from heat_tui.theme.depth import FewerColours, depth_of
from heat_tui.theme.paints import Depth, ThemeName
from heat_tui.theme.shared_stylesheet import SharedStylesheet
from heat_tui.theme.themes import THEMES

ENTER_GAP_SECONDS: Final = 0.35
"""Enter pressed twice, or held down, does nothing on the screen that the first press led to."""


_KEY_NAMES: Final = {
    "esc": "Esc",
    "⏎": "Enter",
    "pgup": "PgUp",
    "pgdn": "PgDn",
    "tab": "Tab",
    "space": "Space",
}
"""Keys that Textual would name in another way than this program's own words do."""

_PLAIN_KEYS: Final = {
    "←→": "left/right",
    "↑↓": "up/down",
    "←": "left",
    "→": "right",
    "↑": "up",
    "↓": "down",
    "⌫": "backspace",
}
"""Keys whose usual names are no ASCII."""


class BaseApp(App[None]):
    """A program with a player's settings, which ends without leaving anything behind.

    Attributes:
        folders: Where files go.
        settings: What the player likes; change them with `change_settings`.
        keys: The keys that hold now.
        player_name: The name to offer in forms.
        enter_gap_seconds: How close behind another Enter one does nothing on a new screen.
    """

    enter_gap_seconds: float = ENTER_GAP_SECONDS

    CSS_PATH = Path(__file__).with_name("app.tcss")
    TITLE = "heat-tui"
    COMMANDS = App.COMMANDS | {KeyCommands}
    BINDINGS = [
        Binding("ctrl+c", "interrupt", "Quit", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
    ]

    def __init__(
        self,
        folders: Folders | None = None,
        *,
        animate: bool | None = None,
        map_style: MapStyle | None = None,
        has_ghost: bool = True,
        player_name: str = "",
        nearby_on: Sequence[str] | None = None,
    ) -> None:
        """Make the program.

        Args:
            folders: None: the user's own.
            animate: Whether anything moves; None: as the settings say.
            map_style: How the map is drawn; None: as the settings say.
            has_ghost: Whether the best own race may drive along, if the settings allow it.
            player_name: Instead of the settings' name.
            nearby_on: The numbers of the interfaces where servers nearby are looked for, if the settings
                allow it; empty: all; None: nowhere.
        """
        self.folders = folders or user_folders()
        self.settings: Settings = load_settings(self.folders)
        self.player_name = player_name or self.settings.player_name
        self._ending: Ending | None = None
        self._is_ground_light: bool | None = None
        self._animate_asked = animate
        self._map_asked = map_style
        self._may_have_ghost = has_ghost
        self._nearby_on = nearby_on
        self._entered: tuple[float, Screen[object] | None] = (0.0, None)
        self.keys = Keys()
        self._chosen: dict[str, str] = {}
        super().__init__()
        self.stylesheet = SharedStylesheet(variables=self.get_css_variables())
        self._fewer_colours = FewerColours(self.depth)
        self._filters.append(self._fewer_colours)
        for theme in THEMES:
            self.register_theme(theme)
        self._apply(self.settings)

    def _build_driver(
        self, headless: bool, inline: bool, mouse: bool, size: tuple[int, int] | None
    ) -> Driver:
        """Listen to the system's signals before the driver changes the terminal."""
        driver = super()._build_driver(headless, inline, mouse, size)
        if not driver.is_headless:
            self._ending = self._listen()
        return driver

    def _listen(self) -> Ending:
        loop = asyncio.get_running_loop()

        def call(function: Callable[..., None], *arguments: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: it is ending already
                loop.call_soon_threadsafe(function, *arguments)

        before = None
        with contextlib.suppress(termios.error):  # there is no terminal
            before = termios.tcgetattr(0)
        return Ending(
            ask=lambda number: call(self._signalled, number),
            wake=lambda: call(lambda: None),
            last=self.end_by_force,
            before=before,
        )

    def on_mount(self) -> None:
        """Listen on where the driver has begun to listen itself."""
        if self._ending is not None:
            self._ending.take_signals()
            self.call_after_refresh(freeze_what_is_there, CLIENT)
        self._ask_for_ground()

    # --- keys ---------------------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Take keys and all else in, but Enter only where the player has seen what it will do."""
        if not event.is_forwarded:
            if isinstance(event, events.Key) and self._is_hasty(event):
                return
            if isinstance(event, events.MouseEvent) and not self.size.region.contains_point(
                event.screen_offset
            ):
                return  # no mouse is there; a click there would take the focus from what is being filled in
        await super().on_event(event)

    def _is_hasty(self, event: events.Key) -> bool:
        """Tell whether this is an Enter right behind one that led to another screen."""
        if event.key != "enter" or not self.screen_stack:
            return False
        moment, screen = self._entered
        now = time.monotonic()
        is_hasty = screen is not None and screen is not self.screen and now - moment < self.enter_gap_seconds
        # While the key is held down the first screen stays remembered: it takes a pause to act on the next.
        self._entered = (now, screen if is_hasty else self.screen)
        return is_hasty

    def action_command_palette(self) -> None:
        """Show what can be done here, by name."""
        if not isinstance(self.screen, OwnPalette):
            self.push_screen(OwnPalette())

    def get_driver_class(self) -> type[Driver]:
        """Give what draws and reads keys: of a terminal our own, else what the environment names."""
        if is_driver_named():
            return super().get_driver_class()
        from heat_tui.terminal.driver import TerminalDriver

        return TerminalDriver

    def get_key_display(self, binding: Binding) -> str:
        """Name a key for footers, in signs that this terminal can show."""
        if binding.id in KEY_USES:
            return self.keys.told(binding.id)
        shown = super().get_key_display(binding)
        shown = _KEY_NAMES.get(shown, shown)
        return _PLAIN_KEYS.get(shown, shown) if self.has_class("-ascii") else shown

    # --- ending -------------------------------------------------------------------------------------------

    def _signalled(self, number: signal.Signals) -> None:
        if self._exit:
            return  # it is ending already
        self.exit(return_code=128 + number, message=Text(f"heat-tui was ended by {number.name}."))

    def end_by_force(self) -> None:
        """Do what must be done even where the program cannot end by itself; does not wait."""

    def action_interrupt(self) -> None:
        """Ctrl-C: the program ends, wherever it is; a race at a server can be rejoined."""
        self.exit(return_code=INTERRUPTED, message=Text("heat-tui was interrupted."))

    def on_input_lost(self, lost: InputLost) -> None:
        """End where no keys can come any more, in one line, and not as if somebody had chosen to."""
        if self._exit:
            return  # it is ending already
        error = lost.error
        if isinstance(error, EOFError | OSError):
            reason = getattr(error, "strerror", None) or str(error)
            self.exit(
                return_code=1, message=Text(f"heat-tui ended: its input can no longer be read ({reason}).")
            )
        else:
            self._handle_exception(error if isinstance(error, Exception) else RuntimeError(repr(error)))

    def _fatal_error(self) -> None:
        """End after a fault of the program: one line on the terminal, the details in a file.

        Textual would show them with the values of all variables, tokens among them.
        """
        assert self._exception is not None
        where = keep_crash(self.folders, self._exception)
        fault = type(self._exception).__name__
        self.panic(Text(f"heat-tui failed because of an error of its own ({fault}): {where}"))

    def _print_error_renderables(self) -> None:
        """Say the last words; where the terminal is gone, nobody reads them, and that is no fault."""
        with contextlib.suppress(OSError):
            super()._print_error_renderables()

    @property
    def cursor_position(self) -> Offset:
        """Where the terminal's cursor stands: asked for with all that is sent, so that it is never late."""
        if self._screen_stack and (place := cursor_of(self.screen)) is not None:
            self._cursor = place
        return self._cursor

    @cursor_position.setter
    def cursor_position(self, place: Offset) -> None:
        self._cursor = place

    # --- settings -----------------------------------------------------------------------------------------

    @property
    def depth(self) -> Depth:
        """How many colours are shown: what the terminal can, or the 16 of its own where these are chosen."""
        depth = depth_of(self.console.color_system)
        return "16" if self.settings.theme == "terminal" and depth != "none" else depth

    @property
    def map_look(self) -> Look:
        """How this terminal shows maps, as the command line or else the settings want them."""
        return look_for(
            self.depth if "NO_COLOR" not in os.environ else "none",
            is_ascii=self.has_class("-ascii"),
            theme=self.theme,
            style=self._map_asked or self.settings.map,
        )

    @property
    def nearby_on(self) -> Sequence[str] | None:
        """Where servers nearby are looked for; empty: on all interfaces; None: nowhere."""
        return self._nearby_on if self.settings.nearby else None

    @property
    def has_ghost(self) -> bool:
        """Whether the best own race drives along."""
        return self._may_have_ghost and self.settings.ghost

    @property
    def pace(self) -> float:
        """How long what moves is looked at, in times of the usual; 0.0: motion is reduced, nothing moves."""
        if self._animate_asked is None:
            return PACES[self.settings.animation]
        return 1.0 if self._animate_asked else 0.0

    def change_settings(self, settings: Settings) -> bool:
        """Take new settings, and return whether they could be kept."""
        if settings == self.settings:
            return True
        if settings.name != self.settings.name:
            self.player_name = settings.player_name
        self.settings = settings
        self._apply(settings)
        return save_settings(self.folders, settings)

    def _apply(self, settings: Settings) -> None:
        self._fewer_colours.depth = self.depth
        self.animation_level = TEXTUAL_ANIMATIONS if self.pace else "none"
        self.theme = self._theme_of(settings)
        self._ask_for_ground()
        is_ascii = settings.ascii or not speaks_unicode()
        self.set_class(is_ascii, "-ascii")
        self.keys = Keys(settings.keys, is_ascii=is_ascii)
        keymap = {use: binding_key(key) for use, key in settings.keys.items()}
        if keymap != self._chosen:
            self._chosen = keymap
            self.set_keymap(keymap)
            self._tell_screens_of_keys()

    def _theme_of(self, settings: Settings) -> ThemeName:
        match settings.theme:
            case "auto":
                return "light" if self._is_ground_light else "night"
            case "terminal":
                return "night"
            case theme:
                return theme

    def _ask_for_ground(self) -> None:
        """Ask the terminal for its ground where the theme goes by it; the answer comes whenever it does."""
        if self.settings.theme != "auto" or self._is_ground_light is not None or is_driver_named():
            return
        if self._driver is not None and not self._driver.is_headless:
            self._driver.write(ground_question(os.environ))

    def on_ground_shown(self, shown: GroundShown) -> None:
        """Take the theme that suits the terminal."""
        self._is_ground_light = shown.is_light
        self.theme = self._theme_of(self.settings)

    def notify_desktop(self, text: str) -> None:
        """Have the desktop show a sentence, where the player wants that and looks elsewhere.

        A terminal that does not say whether it has the focus counts as looked at.
        """
        if self.app_focus or is_driver_named() or self._driver is None:
            return
        self._driver.write(notification(self.settings.notification, text, os.environ))

    def _tell_screens_of_keys(self) -> None:
        """Let all that is open name the keys that hold from now on."""
        for screen in self.screen_stack if self.is_running else ():
            if isinstance(screen, HeatScreen) and not screen.is_gone:
                screen.show_keys()
