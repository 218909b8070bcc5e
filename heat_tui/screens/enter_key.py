"""Enter on the race screen: which presses count, and when."""

from __future__ import annotations

from collections.abc import Callable

from textual.timer import Timer

from heat_tui.race.enter_guard import EnterGuard
from heat_tui.screens.base import HeatScreen


class EnterKey:
    """Confirms for a press that is not one of a key held down, and was not meant for what was there before.

    Attributes:
        guard: Tells which presses count.
    """

    def __init__(
        self, screen: HeatScreen[None], confirm: Callable[[], None], asked: Callable[[], object]
    ) -> None:
        """Begin with nothing pressed.

        Args:
            confirm: Does what Enter does.
            asked: Says what Enter would answer; a press that is waited with answers nothing else.
        """
        self.guard = EnterGuard(lambda: screen.navigator.enter_gap_seconds)
        self._screen = screen
        self._confirm = confirm
        self._asked = asked
        self._pressed_for: object = None
        self._due: Timer | None = None

    def press(self) -> None:
        """Take a press: it counts now, in a moment if no other one follows, or not at all."""
        self._stop_waiting()
        seconds = self.guard.press()
        if seconds:
            self._pressed_for = self._asked()
            self._due = self._screen.set_timer(seconds, self.confirm_what_is_due)
        elif seconds is not None:
            self._confirm()

    def confirm_what_is_due(self) -> None:
        """Count a press at once that was still waited with."""
        if self._stop_waiting() and self._asked() == self._pressed_for:
            self._confirm()

    def _stop_waiting(self) -> bool:
        due, self._due = self._due, None
        if due is not None:
            due.stop()
        return due is not None
