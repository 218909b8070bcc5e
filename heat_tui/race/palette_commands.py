"""The race screen's keys in the command palette, so that each is found by its name too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider

from heat_tui.race.bindings import RACE_BINDINGS

_LEFT_OUT: Final = ("card", "sideways", "select", "app.")


def named_keys() -> Iterator[tuple[str, str, str]]:
    """Give each thing that a key does: its name, its key as it is shown, its action.

    What needs a number says nothing by name, and the app's own commands are in the palette already.
    """
    for binding in RACE_BINDINGS:
        if isinstance(binding, Binding) and not binding.action.startswith(_LEFT_OUT):
            yield binding.description, binding.key_display or binding.key.split(",")[0], binding.action


class RaceCommands(Provider):
    """What can be done in a race."""

    async def discover(self) -> Hits:
        """List all of it."""
        for name, key, action in named_keys():
            yield DiscoveryHit(name, partial(self.screen.run_action, action), help=f"key {key}")

    async def search(self, query: str) -> Hits:
        """List what fits."""
        matcher = self.matcher(query)
        for name, key, action in named_keys():
            score = matcher.match(name)
            if score > 0:
                run = partial(self.screen.run_action, action)
                yield Hit(score, matcher.highlight(name), run, help=f"key {key}")
