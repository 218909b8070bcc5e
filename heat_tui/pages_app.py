"""The screens that open from anywhere, over whatever is there, and the palette that lists them.

They are imported where they are opened: Home comes up sooner for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.app import SystemCommand
from textual.screen import Screen

from heat_tui.base_app import BaseApp

if TYPE_CHECKING:
    from heat_tui.flow.home import HomeController


class PagesApp(BaseApp):
    """A program with settings, keys to choose, and a page about the game.

    Attributes:
        home: What home offers, and how plain mode is reached.
    """

    home: HomeController

    def action_settings(self) -> None:
        """Show the settings."""
        from heat_tui.screens.settings import SettingsScreen

        if not isinstance(self.screen, SettingsScreen):
            self.push_screen(SettingsScreen())

    def action_choose_keys(self) -> None:
        """Show the keys, to choose others."""
        from heat_tui.screens.keys import KeysScreen

        if not any(isinstance(screen, KeysScreen) for screen in self.screen_stack):
            self.push_screen(KeysScreen())

    def action_how_to_play(self) -> None:
        """Show the page about the game."""
        from heat_tui.screens.how_to_play import HowToPlayScreen

        if not isinstance(self.screen, HowToPlayScreen):
            self.push_screen(HowToPlayScreen())

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """List what the command palette offers everywhere."""
        yield SystemCommand(
            "How to play", "The nine phases of a round, and the keys", self.action_how_to_play
        )
        yield SystemCommand("Settings", "Name, colours, motion, keys", self.action_settings)
        yield SystemCommand("Keys", "Show every key of this screen", self.action_show_help_panel)
        yield SystemCommand("Choose keys", "Choose other keys for the actions", self.action_choose_keys)
        yield SystemCommand("Plain mode", self.home.plain_mode, self._say_plain_mode)
        yield SystemCommand("Quit", "End the program", self.exit)

    def _say_plain_mode(self) -> None:
        self.notify(self.home.plain_mode)
