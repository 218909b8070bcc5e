"""The people of a room on a server: chat, votes to pause, who may call a rematch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.names import BadName, clean_line
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.client.chat import Chat
from heat_tui.client.connect_failed import Notice
from heat_tui.client.connection import ConnectionLost, RequestRefused
from heat_tui.client.connection_state import ConnectionState
from heat_tui.client.server_link import ServerLink

_DRIVERS: Final[dict[m.AwayDriver, str]] = {
    "defaults": "the server makes the simplest choices",
    "easy": "an easy bot drives",
    "normal": "a normal bot drives",
    "steady": "a steady bot drives",
}
_MOST_NAMES: Final = 3

_MORE_SECONDS: Final = (30, 60, 120, 300)
"""What the host gives a driver more for each decision, one after another."""

WHOM_A_BAN_STOPS: Final = (
    "A banned player can return under another name or from another machine. "
    "Set a new password to prevent that."
)


def driven_text(driver: m.AwayDriver | None) -> str:
    """Say who drives for those who are away, as the beginning of a sentence.

    Args:
        driver: None: the server has not said, which only one of others does.
    """
    return _DRIVERS[driver or "defaults"]


def presence_text(name: str, company: Company | None, *, is_away: bool) -> str:
    """Say that somebody has gone, and who drives then, or has come back.

    The race waits first, so it does not say that somebody else drives already.
    """
    if not is_away:
        return f"{name} is back"
    driven = driven_text("defaults") if company is None else company.driven_text
    return f"{name} is away; if that lasts, {driven}"


class Company:
    """Everybody in a room, seen through a link."""

    def __init__(self, link: ServerLink) -> None:
        """Look through a link that is in a room; if it tells of a race, that is the one looked at here."""
        self._link = link
        self._started = link.race.started if link.race is not None else None

    @property
    def chat(self) -> Chat:
        """What is said."""
        return self._link.chat

    @property
    def room(self) -> m.LobbyView | None:
        """The room as last sent."""
        return self._link.room

    @property
    def address(self) -> Address:
        """The server's, as this client reaches it."""
        return self._link.address

    @property
    def changes(self) -> int:
        """Goes up whenever anything here changes."""
        return self._link.changes

    @property
    def ended(self) -> str | None:
        """Why nothing will ever come again; None while it may."""
        return self._link.ended

    @property
    def connection(self) -> ConnectionState:
        """How the link to the room stands."""
        return self._link.state

    @property
    def trouble(self) -> str:
        """What the room, or the link to it, waits for; "" for nothing."""
        return self._link.waits_for

    @property
    def notice(self) -> Notice | None:
        """What must be read of that end; None where the player has hung up."""
        return self._link.notice

    @property
    def is_watching(self) -> bool:
        """Whether this client only watches."""
        return self.room is not None and self.room.place is None

    @property
    def is_host(self) -> bool:
        """Whether this client decides for the room."""
        return self.room is not None and self.room.place == self.room.host

    @property
    def is_in_lobby(self) -> bool:
        """Whether the room is before a race: after one, that somebody has called a rematch."""
        return self.room is not None and self.room.phase == "lobby"

    @property
    def has_next_race(self) -> bool:
        """Whether another race of the championship has begun than the one that was raced here."""
        race = self._link.race
        return race is not None and race.update is not None and race.started != self._started

    @property
    def is_between_races(self) -> bool:
        """Whether a race is over whose championship continues."""
        room = self.room
        return room is not None and room.options.season is not None and room.phase != "ended"

    @property
    def driven_text(self) -> str:
        """Who drives for those who are away; see the function of this name."""
        return driven_text(self.room.options.away_driver if self.room is not None else "defaults")

    @property
    def wants_pause(self) -> bool:
        """Whether the player here has agreed to a pause."""
        return self.room is not None and self.room.own.wants_pause

    async def wait(self, changes: int) -> None:
        """Wait until `changes` is another number than this."""
        await self._link.wait(changes)

    def take_meanwhile(self) -> tuple[str, ...]:
        """Give, once, what happened while the player was away; nothing where nothing was missed."""
        return self._link.take_meanwhile()

    # --- how the race stands still ------------------------------------------------------------------------

    def standstill_text(self, key: str = "") -> str:
        """Say why no time runs and who must agree to continue; empty while it runs.

        Args:
            key: What one presses to agree; named to whom that is left to do.
        """
        update = self._link.race.update if self._link.race is not None else None
        if update is None or update.standstill is None:
            return ""
        if update.standstill == "nobody":
            return "paused: no driver is connected"
        waited = [place.name for place in self._drivers() if place.wants_pause]
        names = people_text(waited)
        own = f" ({key})" if key and self.wants_pause and not self.is_watching else ""
        return f"paused until {names} vote{'s' * (len(waited) == 1)} to resume{own}" if names else "paused"

    def wish_text(self, key: str) -> str:
        """Say who voted to pause while the race runs, and how to continue in one; empty where nobody would.

        Args:
            key: What one presses or types to answer.
        """
        room = self.room
        if room is None:
            return ""
        if room.is_paused:
            if self.is_watching:
                return ""
            if self.wants_pause:
                return f"{key} votes to resume"
            return f"you voted to resume; the others must vote too ({key} takes your vote back)"
        wishing = [place.name for place in self._drivers() if place.wants_pause and place != room.own]
        if self.wants_pause:
            others = people_text([place.name for place in self._drivers() if not place.wants_pause])
            return f"you voted to pause; waiting for {others} ({key} takes your vote back)" if others else ""
        if wishing:
            return f"{people_text(wishing)} voted to pause" + (
                "" if self.is_watching else f": {key} votes too"
            )
        return ""

    def _drivers(self) -> Sequence[m.PlaceState]:
        """List the people whose word counts: those who are there."""
        places = self.room.places if self.room is not None else ()
        return [place for place in places if place.kind == "human" and place.is_connected]

    # --- what the player does -----------------------------------------------------------------------------

    async def say(self, text: str) -> str:
        """Write a line to all; gives why not, or nothing."""
        try:
            return await self._ask(m.Say(0, clean_line(text)))
        except BadName as error:
            return str(error)

    async def react(self, reaction: m.Reaction) -> str:
        """Show all a short reaction; gives why not, or nothing."""
        return await self._ask(m.React(0, reaction))

    async def change_pause_wish(self) -> str:
        """Agree that the race stands still or continues, or take that back; gives why not, or nothing."""
        return await self._ask(m.Pause(0, not self.wants_pause))

    def time_offers(self) -> dict[str, int]:
        """Give what each driver would get next: the name, and the seconds more for each decision.

        Behind the longest comes the usual time, 0 more. Only a host has any to give.
        """
        room = self.room
        drivers = [place for place in room.places if place.kind == "human"] if room and self.is_host else []
        now = {place.name: place.more_milliseconds // 1000 for place in drivers}
        return {name: next((n for n in _MORE_SECONDS if n > more), 0) for name, more in now.items()}

    async def give_time(self, name: str, seconds: int) -> str:
        """As host, give a driver that much more time for each decision; gives why not, or nothing.

        Args:
            seconds: More than the others have; 0: as much as they.
        """
        room = self.room
        places = room.places if room is not None else ()
        found = [number for number, place in enumerate(places) if place.name.casefold() == name.casefold()]
        if not self.is_host:
            return "Only the host can give more time."
        if not found or places[found[0]].kind != "human":
            return f"No driver here is called {name!r}."
        return await self._ask(m.GiveTime(0, found[0], seconds * 1000))

    async def rematch(self) -> str:
        """Lead all back into the lobby; gives why not, or nothing."""
        return await self._ask(m.Rematch(0))

    async def _ask(self, request: m.Request) -> str:
        try:
            await self._link.request(request)
        except (RequestRefused, ConnectionLost) as error:
            return error.text
        return ""


def people_text(names: Sequence[str]) -> str:
    """Name people: all of a few, of many the first."""
    if len(names) < 2:
        return "".join(names)
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} more"]
    return f"{', '.join(names[:-1])} and {names[-1]}"
