"""The command palette itself: Textual's, which outlives no key that was still on its way to it."""

from __future__ import annotations

from contextlib import suppress

from textual import events, work
from textual.await_complete import AwaitComplete
from textual.command import CommandPalette


class OwnPalette(CommandPalette):
    """Closes once, looks for nothing once it is closed, and scrolls no list that has no lines yet.

    Textual's takes what was typed before it closed, too: that closed the screen below, or ended the program.
    """

    def on_mount(self, event: events.Mount) -> None:
        """Begin, unless it was closed before it was there."""
        if not self.is_active:
            event.prevent_default()

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close, if it is still open."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP)
    async def _gather_commands(self, search_value: str) -> None:
        """List what fits, if somebody still sees it."""
        if self.is_active:
            await CommandPalette._gather_commands.__wrapped__(self, search_value)  # type: ignore[attr-defined]

    def _action_command_list(self, action: str) -> None:
        """Move in the list."""
        with suppress(LookupError):  # its lines are made when it is drawn
            super()._action_command_list(action)
