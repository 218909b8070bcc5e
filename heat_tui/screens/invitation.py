"""How others come into the room of a race: a page over the race, with lines to copy and a QR code."""

from __future__ import annotations

import os
from typing import Final

from rich.style import Style
from rich.text import Text
from textual.binding import Binding
from textual.containers import Vertical

from heat_tui.flow.invitation import Invitation, WayIn, closed_text
from heat_tui.keys.bindings import bound
from heat_tui.screens.dialogs import ScrolledPage
from heat_tui.screens.qr import QrDialog
from heat_tui.theme.colours import BOLD, DIM, GOLD

_COPIED: Final = "Sent to your terminal's clipboard"
_IN_TMUX: Final = "Sent to tmux, which needs set -g set-clipboard on"

_MOST_WAYS: Final = 5
_LABEL_CELLS: Final = 12


class InvitationDialog(ScrolledPage):
    """The page; a digit copies a line."""

    BINDINGS = [
        bound("party.code", "code"),
        bound("race.invite", "close", "Close", show=False),
        bound("view.leave", "close", "Close", show=False),
        *(
            Binding(str(number), f"copy({number})", f"Copy line {number}", show=False)
            for number in range(1, _MOST_WAYS + 1)
        ),
    ]

    def __init__(self, invitation: Invitation, *, has_pictures: bool) -> None:
        """Make the page.

        Args:
            has_pictures: Whether the terminal has blocks and colours.
        """
        super().__init__("Invitation", _page(invitation))
        self._invitation = invitation
        self._has_pictures = has_pictures

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without a link there is no QR code."""
        if action == "code":
            return bool(self._invitation.link)
        return super().check_action(action, parameters)

    def action_code(self) -> None:
        """Show the link for browsers as a QR code, alone."""
        self.app.push_screen(QrDialog(self._invitation.link, has_pictures=self._has_pictures))

    def action_copy(self, number: int) -> None:
        """Copy the line of a way, of which there may be fewer."""
        ways = self._invitation.ways
        if number <= len(ways) and ways[number - 1].line:
            self.app.copy_to_clipboard(ways[number - 1].line)
            self.query_one("#box", Vertical).border_subtitle = _IN_TMUX if os.environ.get("TMUX") else _COPIED


def _page(invitation: Invitation) -> list[Text]:
    lines = [Text(invitation.heading), Text()]
    for number, way in enumerate(invitation.ways, start=1):
        lines += _way_lines(number, way)
    copying = "1 copies the line." if len(invitation.ways) == 1 else "A number copies its line."
    return [*lines, Text(), *(Text(note) for note in invitation.notes), Text(copying, DIM)]


def _way_lines(number: int, way: WayIn) -> list[Text]:
    label = f"{f'{number} {way.name}':<{_LABEL_CELLS}}"
    told = Text.assemble((label, Style(color=GOLD)), (way.line or closed_text(way), BOLD))
    below = [Text(way.secret, BOLD)] if way.secret else []
    below += [Text(note, DIM) for note in way.notes if not way.line]  # why it is closed
    return [told, *(Text(" " * _LABEL_CELLS) + line for line in below)]
