"""The client on screens, as a guest has it."""

from __future__ import annotations

from typing import Final

from heat_tui.app import HeatApp
from heat_tui.client.server_stay import ServerStay
from heat_tui.doors.guest_words import IDLE_WARNING_SECONDS, idle_text, word_text
from heat_tui.doors.messages import Guest
from heat_tui.state import Folders

_WORD_SECONDS: Final = 12


class GuestApp(HeatApp):
    """The client, which begins at the rooms of the only server."""

    def __init__(self, folders: Folders, guest: Guest, stay: ServerStay) -> None:
        """Begin in a room where the guest names one.

        Args:
            stay: At the server.
        """
        super().__init__(folders, player_name=guest.name)
        self._guest = guest
        self._stay = stay

    def on_mount(self) -> None:
        """Show the rooms before Home has been drawn, which is a third of the way there, and the word."""
        code = self._guest.code
        self.show_join(self._stay, code, entrance="join" if code else None)
        if self._guest.word:
            self.notify(word_text(self._guest), timeout=_WORD_SECONDS)

    def warn_of_idling(self) -> None:
        """Warn somebody who has pressed no key for long."""
        self.notify(idle_text(), severity="warning", timeout=IDLE_WARNING_SECONDS)
