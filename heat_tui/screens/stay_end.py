"""The way Home from a server that has ended a stay, or that cannot be reached any more."""

from __future__ import annotations

from heat_tui.client.server_stay import ServerStay
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.dialogs import notice_dialog


def leave_ended(screen: HeatScreen[None], stay: ServerStay) -> None:
    """Hang up, go Home, and say there in a box why: nobody who is taken out of a room overlooks it."""
    app, navigator = screen.app, screen.navigator
    navigator.stays.end(stay)
    navigator.go_home()
    if stay.link.notice is not None:
        app.push_screen(notice_dialog(stay.link.notice))
