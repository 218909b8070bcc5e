"""What a step of a race has brought."""

from __future__ import annotations

from typing import NamedTuple

from heat_core.race import events as e
from heat_tui.client.session import Session
from heat_tui.words.race_talk import ANSWERS_AGAIN, CONNECTION_NEWS, SAVED_AGAIN


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


class LineNews:
    """What changes about the line and the table of a race: each change is given once."""

    def __init__(self, session: Session) -> None:
        """Begin with the line as it is, and no trouble."""
        self._session = session
        self._trouble = ""
        self._connection = session.connection

    def trouble(self) -> str:
        """Give what is newly wrong with the table, or that it is right again; "" for no change."""
        if self._session.trouble == self._trouble:
            return ""
        self._trouble = self._session.trouble
        return self._trouble or (SAVED_AGAIN if self._session.company is None else ANSWERS_AGAIN)

    def connection(self) -> str:
        """Give the new state of the line; "" for no change."""
        if self._session.connection == self._connection:
            return ""
        self._connection = self._session.connection
        return CONNECTION_NEWS[self._connection]

    def waits(self) -> tuple[str, ...]:
        """Give what an answer on its way has begun to wait for; how that ends is left to the next step."""
        connection = "" if self._session.connection == "connected" else self.connection()
        trouble = self.trouble() if self._session.trouble else ""
        return tuple(filter(None, (connection, trouble)))
