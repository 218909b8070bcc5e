"""The clients of these tests believe in the same terminal as those of tests/tui, and take Enter at once."""

from tests.tui.conftest import _enter_at_once, _usual_terminal

__all__ = ["_enter_at_once", "_usual_terminal"]
