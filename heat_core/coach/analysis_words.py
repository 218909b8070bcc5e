"""Mistakes and luck in words."""

from __future__ import annotations

from heat_core.coach.analysis import SeatAnalysis
from heat_core.coach.wording import spaces_text


def signed_spaces(spaces: float) -> str:
    """Say spaces that were won or lost: `+3.2`, `-0.4`, `0.0`."""
    rounded = round(spaces, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def luck_text(seat: SeatAnalysis) -> str:
    """Say a driver's luck and its parts: `+3.1 (hands +2.0, flips +1.1, Legends 0.0)`."""
    parts = {"hands": seat.luck_of_draws, "flips": seat.luck_of_flips, "Legends": seat.luck_of_legends}
    told = ", ".join(f"{name} {signed_spaces(spaces)}" for name, spaces in parts.items())
    return f"{signed_spaces(seat.luck)} ({told})"


def better_text(taken: str, best: str, lost: float) -> str:
    """Say what would have been better: `1st gear; 2nd gear was 2.1 spaces better`."""
    return f"{taken}; {best} was {spaces_text(lost)} better"
