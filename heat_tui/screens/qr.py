"""A link for browsers as a QR code: a page of its own, and its rows for others."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Static

from heat_tui.screens.base import HeatModal
from heat_tui.theme.paints import style
from heat_tui.widgets.footer import KeyFooter

_INK_ON_PAPER: Final = style("night", "chequer-black", "chequer-white")
"""Black on white in every theme, or not every camera reads it."""


_NO_CODE: Final = "This terminal cannot show a QR code. The link:"


def qr_texts(link: str, *, has_pictures: bool) -> list[Text]:
    """Draw a link, or give nothing where that cannot be.

    Args:
        link: Empty: there is none.
        has_pictures: Whether the terminal has blocks and colours.
    """
    if not link or not has_pictures or find_spec("segno") is None:
        return []
    from heat_tui.qr_code import qr_rows

    return [Text(row, _INK_ON_PAPER) for row in qr_rows(link)]


class QrDialog(HeatModal[None]):
    """The code alone; the link where the terminal cannot show it."""

    DEFAULT_CSS = """
    QrDialog { align: center middle; }
    QrDialog #code { width: auto; height: auto; max-width: 100%; }
    QrDialog #code.-link { padding: 1 2; background: $panel; border: round $line; }
    QrDialog Static { width: auto; }
    """
    BINDINGS = [Binding("escape,enter,s,q", "close", "Close", key_display="Esc")]

    def __init__(self, link: str, *, has_pictures: bool) -> None:
        """Show a link's code; the arguments are those of `qr_texts`."""
        super().__init__()
        self._code = qr_texts(link, has_pictures=has_pictures)
        self._link = link

    def compose(self) -> ComposeResult:
        """The code and the way back."""
        with Vertical(id="code", classes="" if self._code else "-link"):
            yield Static(Text("\n").join(self._code or [Text(_NO_CODE), Text(self._link)]))
        yield KeyFooter()

    def action_close(self) -> None:
        """Go back."""
        self.dismiss()

    def on_click(self) -> None:
        """A click anywhere closes."""
        self.dismiss()
