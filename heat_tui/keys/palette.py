"""The keys of a screen in the command palette, so that each thing they do is found by its name too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from textual.actions import parse
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen

_LEFT_OUT: Final = frozenset({"card", "seat", "sideways", "select", "scroll", "copy_text"})
"""Actions that say nothing by name: they need a number, or the next look at the screen."""


class NamedKey(NamedTuple):
    """A thing that a key does.

    Attributes:
        key: As it is shown.
        action: As the screen runs it.
    """

    name: str
    key: str
    action: str


def named_keys(screen: Screen[object]) -> Iterator[NamedKey]:
    """Give each thing that a key of a screen does now, once.

    The app's own commands are in the palette already.
    """
    actions: set[str] = set()
    known = {command.title for command in screen.app.get_system_commands(screen)}
    for binding in list_bindings(screen):
        scope, name, parameters = parse(binding.action)
        if scope == "app" or name in _LEFT_OUT or binding.action in actions or binding.description in known:
            continue
        if screen.check_action(name, parameters):
            actions.add(binding.action)
            yield NamedKey(binding.description, screen.app.get_key_display(binding), binding.action)


def list_bindings(screen: Screen[object]) -> list[Binding]:
    """List the bindings of a screen itself, not those of its rows and of the app."""
    return [binding for same_key in screen._bindings.key_to_bindings.values() for binding in same_key]


class KeyCommands(Provider):
    """What can be done on the screen below the palette."""

    async def discover(self) -> Hits:
        """List all of it."""
        for name, key, action in named_keys(self.screen):
            yield DiscoveryHit(name, partial(self.screen.run_action, action), help=f"key {key}")

    async def search(self, query: str) -> Hits:
        """List what fits."""
        matcher = self.matcher(query)
        for name, key, action in named_keys(self.screen):
            score = matcher.match(name)
            if score > 0:
                run = partial(self.screen.run_action, action)
                yield Hit(score, matcher.highlight(name), run, help=f"key {key}")
