"""The client on screens, as a guest has it."""

from __future__ import annotations

import signal
from typing import Final

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.screen import Screen

from heat_tui.app import HeatApp
from heat_tui.doors.guest_words import IDLE_WARNING_SECONDS, idle_text, word_text
from heat_tui.doors.messages import Guest
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.state import Folders

_WORD_SECONDS: Final = 12


class WaitingHome(HomeScreen):
    """Home below the rooms, which is made once somebody goes there."""

    _is_made = False

    def compose(self) -> ComposeResult:
        """Make nothing before that."""
        if self._is_made:
            yield from super().compose()

    async def on_screen_resume(self) -> None:  # type: ignore[override]  # the other is called behind this one
        """Make all of it, right before it is shown."""
        if not self._is_made and self.app.screen is self:
            self._is_made = True
            await self.recompose()

    def _show(self) -> None:
        if self._is_made:
            super()._show()


class GuestApp(HeatApp):
    """The client, which begins at the rooms of the only server."""

    def __init__(self, folders: Folders, guest: Guest) -> None:
        """Begin in a room where the guest names one."""
        super().__init__(folders, player_name=guest.name)
        self._guest = guest
        self._has_drawn = False

    def get_default_screen(self) -> HomeScreen:
        """Home lies below everything, and guests begin elsewhere."""
        return WaitingHome()

    def on_mount(self) -> None:
        """Show the way to the rooms before Home has been drawn and before the server has answered."""
        code = self._guest.code
        self.show_join(code=code, entrance="join" if code else None)
        if self._guest.word:
            self.notify(word_text(self._guest), timeout=_WORD_SECONDS, markup=False)

    def _signalled(self, number: signal.Signals) -> None:
        """End without a word: the door says why it has asked for that."""
        self.exit(return_code=128 + number)

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Show the first picture as soon as there is one: Textual would wait until all has begun."""
        held = self._batch_count
        if not self._has_drawn and isinstance(screen, JoinScreen) and renderable is not None:
            self._has_drawn, self._batch_count = True, 0
        super()._display(screen, renderable)
        self._batch_count = held

    def warn_of_idling(self) -> None:
        """Warn somebody who has pressed no key for long."""
        self.notify(idle_text(), severity="warning", timeout=IDLE_WARNING_SECONDS, markup=False)
