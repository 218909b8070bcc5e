"""The host's own races at a party: the client, which leads back to the card wherever it would show Home."""

from __future__ import annotations

import signal
from typing import Final

from textual.await_complete import AwaitComplete

from heat_tui.app import HeatApp
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.server_stay import ServerStay
from heat_tui.map.marks import MapStyle
from heat_tui.party.party import Party
from heat_tui.screens.home import HomeScreen
from heat_tui.state import Folders

_ENDED: Final = (128 + signal.SIGTERM, 128 + signal.SIGHUP)
"""The exit codes of a client that a signal has ended: the signal was for the party."""


class HostApp(HeatApp):
    """The client of the host."""

    def pop_screen(self) -> AwaitComplete:
        """Close a screen; below the last one is the card."""
        popped = super().pop_screen()
        if isinstance(self.screen, HomeScreen):
            self.exit()
        return popped


def show_room(app: HeatApp, stay: ServerStay, code: str, *, is_named: bool) -> None:
    """Go on into a room; a host who has chosen no name is asked first: the login's may not be for friends."""
    if is_named or app.settings.name:
        app.show_join(stay, code, entrance="join")
    else:
        app.show_join(
            stay, code, news="Friends read the name above. Change it if you like, then press Enter at Code."
        )


async def play_on_screens(
    party: Party, folders: Folders, name: str | None, *, animate: bool | None, map_style: MapStyle | None
) -> bool:
    """Let the host play in the room of the party, or in another there.

    Args:
        name: None: that of the settings, or where none is there either, the host is asked.

    Returns:
        Whether the card is to come back; else a signal has ended the party.
    """
    try:
        stay = await ServerStay.begin(folders, party.address)
    except ConnectFailed as error:
        party.note(error.text, is_warning=True)
        return True
    app = HostApp(
        folders,
        opening=lambda app: show_room(app, stay, party.code, is_named=name is not None),
        animate=animate,
        map_style=map_style,
        player_name=name or "",
        ways_in=party.ways_to,
    )
    await app.run_async()
    await stay.close()
    if news := app.home.take_news():
        party.note(news)
    return app.return_code not in _ENDED
