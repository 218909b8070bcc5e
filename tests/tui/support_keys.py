"""What the tests of chosen keys share: every key elsewhere, a client that notes what it would do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from heat_tui.app import HeatApp
from heat_tui.keys.table import KEY_USES


def _letters() -> Iterator[str]:
    """Give letters that no key of a usual keyboard has, and no text of the program."""
    for first, last in (("а", "я"), ("α", "ω"), ("ա", "ֆ")):
        yield from map(chr, range(ord(first), ord(last) + 1))


def _moved() -> Iterator[tuple[str, str]]:
    letters, functions = _letters(), (f"f{number}" for number in range(11, 25))
    for use in KEY_USES.values():
        yield use.name, next(functions if use.is_beside_text or "chat" in use.places else letters)


MOVED: Final = dict(_moved())
"""Another key for all that may have one; none of them is a usual one of anything."""

LONG: Final = {
    "race.take_back": "shift+tab",
    "race.log": "backspace",
    "view.help": "space",
    "view.leave": "f23",
} | {
    "race.done": "j",
    "race.end_hints": "f11",
    "map.zoom_in": "f21",
    "map.zoom_out": "f22",
    "race.cool": "f12",
    "race.boost": "f13",
    "race.adrenaline": "f14",
    "race.slipstream": "insert",
    "race.no_slipstream": "delete",
    "view.cards": "f15",
    "replay.play": "f16",
    "replay.list": "f17",
    "replay.plot": "f18",
    "replay.export": "f19",
    "replay.view_before": "y",
}
"""Keys with names as long as there are, at least of what is named on screens of 80 columns."""


class Noting(HeatApp):
    """The client, which from some moment on notes actions instead of running them.

    Attributes:
        noted: The actions, once there is a list for them.
    """

    noted: list[str] | None = None

    async def run_action(self, action: Any, default_namespace: Any = None, namespaces: Any = None) -> bool:
        """Run an action or note it."""
        if self.noted is None:
            return await super().run_action(action, default_namespace, namespaces)
        self.noted.append(str(action))
        return True
