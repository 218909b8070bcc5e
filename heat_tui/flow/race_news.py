"""What a step of a race has brought."""

from __future__ import annotations

from typing import NamedTuple

from heat_core.race import events as e


class Unseen(NamedTuple):
    """What happened since the last step.

    Attributes:
        events: In order, as the keyboard may know them.
        number: Of the last event of the view behind them.
    """

    events: tuple[e.Event, ...]
    number: int


class News(NamedTuple):
    """What else a step has found, in sentences for who plays.

    Attributes:
        presence: Who is away or back, a line each; they are in the log already.
        connection: The new state of the line, "" where it is as before.
        trouble: What is wrong with the table, or that it is right again; "" where nothing has changed.
        has_new_curtain: Whether somebody else is called to the keyboard than before.
    """

    presence: tuple[str, ...]
    connection: str
    trouble: str
    has_new_curtain: bool
