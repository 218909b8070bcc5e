"""The line of keys at the bottom, which is redrawn only if it would show something else."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

Shown = tuple[tuple[Binding, str, bool, str], ...]


class KeyFooter(Footer):
    """Textual's footer, but for what it does at each change of focus.

    It would throw all its keys away and make, style and lay out the same ones again, which costs more than
    all else that moving from row to row does.
    """

    _shown: Shown | None = None
    _due: Shown | None = None

    def compose(self) -> ComposeResult:
        """Make the keys, and remember which."""
        if self._bindings_ready:
            self._shown, self._due = self._keys(), None
        for made in super().compose():
            if isinstance(made, FooterKey):
                # Each key would take itself for compact at first, and be styled once more for it.
                is_compact = self.compact or made.has_class("-command-palette")
                made.set_reactive(FooterKey.compact, is_compact)
                made.set_class(is_compact, "-compact", update=False)
            yield made

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Make the keys again if they are others, and are not about to be made."""
        keys = self._keys() if self.is_attached else None
        if keys is None or keys != (self._shown if self._due is None else self._due):
            super().bindings_changed(screen)
            if screen.app.app_focus:  # nothing is made for a terminal that nobody looks at
                self._due = keys

    def _keys(self) -> Shown:
        bindings = self.screen.active_bindings.values()
        return tuple(
            (binding, self.app.get_key_display(binding), enabled, tooltip)
            for _, binding, enabled, tooltip in bindings
            if binding.show or binding.action == "command_palette"
        )
