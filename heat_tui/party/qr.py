"""The link for browsers as a QR code: a panel of the card."""

from __future__ import annotations

from heat_tui.screens.qr import qr_texts
from heat_tui.widgets.panel import TextPanel


class QrPanel(TextPanel):
    """The code beside the ways in."""

    def show_link(self, link: str) -> None:
        """Show the code of a link, or nothing where this terminal cannot."""
        self.show_lines(qr_texts(link, has_pictures=self.has_pictures))
