"""The people of a race: who is away, the news of the room, who voted to pause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from heat_tui.client.company import presence_text
from heat_tui.client.session import Session
from heat_tui.words.race_talk import NO_VOTE_NEEDED


class People(NamedTuple):
    """What is shown of the people around a table at a server.

    Attributes:
        is_there: Whether there are any: the table is at a server.
        unread: Lines of the chat that nobody here has seen.
        standstill: Why no time runs; empty while it does.
        note: What the race waits for at its server, or what somebody wishes and how to answer.
        is_watching: Whether this client only watches.
    """

    is_there: bool = False
    unread: int = 0
    standstill: str = ""
    note: str = ""
    is_watching: bool = False


class AroundTheTable:
    """Remembers what has been shown of the people, so that each change is shown once.

    Attributes:
        away: The seats known to be away, those at this keyboard left out.
    """

    def __init__(self, session: Session, names: Sequence[str]) -> None:
        """Begin with nobody known to be away.

        Args:
            names: Of the cars, by number.
        """
        self.away: frozenset[int] = frozenset()
        self._session = session
        self._names = names
        self._heard: int | None = None
        self._was_paused = False

    def presence_changes(self) -> list[tuple[int, str]]:
        """Give the seats that have gone or come back since the last time, each with a sentence."""
        away = frozenset(seat for seat in self._session.away if seat not in self._session.seats)
        changed, self.away = sorted(away ^ self.away), away
        company = self._session.company
        return [(seat, presence_text(self._names[seat], company, is_away=seat in away)) for seat in changed]

    def room_news(self) -> list[str]:
        """Give the room's news since the last time; older lines are left to the chat."""
        company = self._session.company
        if company is None:
            return []
        heard = company.chat.received if self._heard is None else self._heard
        self._heard = company.chat.received
        return [line.text for line in company.chat.since(heard) if line.kind == "news"]

    def has_resumed(self) -> bool:
        """Whether the race was paused the last time this was asked, and no longer is."""
        was_paused = self._was_paused
        company = self._session.company
        self._was_paused = company is not None and bool(company.standstill_text())
        return was_paused and not self._was_paused

    async def vote_for_pause(self) -> str:
        """Vote to pause or to resume, or take the vote back; gives why not, or nothing."""
        company = self._session.company
        return NO_VOTE_NEEDED if company is None else await company.change_pause_wish()

    def shown(self, key: str) -> People:
        """Give what panels show of the people.

        Args:
            key: What votes for a pause.
        """
        company = self._session.company
        if company is None:
            return People()
        note = self._session.trouble or company.wish_text(key)
        if not note and any(seat in self._session.away for seat in self._session.seats):
            note = f"{company.driven_text} for you until you choose something yourself"
        return People(True, company.chat.unread, company.standstill_text(key), note, company.is_watching)
