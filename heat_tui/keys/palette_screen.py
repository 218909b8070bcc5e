"""The command palette itself: Textual's, which outlives no key that was still on its way to it."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.command import CommandPalette
from textual.worker import Worker


class OwnPalette(CommandPalette):
    """Closes once, and looks for nothing once it is closed.

    Textual's takes what was typed before it closed, too: that closed the screen below, or ended the program.
    """

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close, if it is still open."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def _gather_commands(self, search_value: str) -> Worker[None] | None:  # type: ignore[override]
        """List what fits, if somebody still sees it."""
        return super()._gather_commands(search_value) if self.is_active else None
