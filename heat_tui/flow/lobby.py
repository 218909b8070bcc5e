"""A room on a server while no race runs: who is in it, what each person may do, and doing it.

Theory of operation. The link of the stay holds what the server sent last; nothing of it is copied here. What
was asked for and is not confirmed yet are changes of options: they are shown as if the server had taken them
(`OptionChanges`). Requests go out one after another. Each action asks `why_not` first, and gives one sentence
that says why nothing was done, or "" once the server has done it. Whoever shows the room waits for the link
to change, asks `way` whether to go elsewhere, and shows `rows`, `options` and `invitation`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias, TypeVar

from heat_core.drivers import BOT_LEVELS
from heat_core.files import box_tracks
from heat_core.options.table_options import USUAL_BOT
from heat_core.race.presets import LEGEND_LEVELS, LegendLevel
from heat_core.race.setup import COLOURS
from heat_core.text import listed
from heat_core.track_facts import TrackFacts
from heat_core.wire import messages as m
from heat_core.wire.messages.values import PlaceKind
from heat_tui.client.company import Company
from heat_tui.client.connection import ConnectionLost, RequestRefused
from heat_tui.client.feed import Feed
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.invitation import elsewhere_note
from heat_tui.flow.option_changes import Change, OptionChanges
from heat_tui.flow.room_rights import Action, why_not
from heat_tui.flow.room_rows import Row, room_rows
from heat_tui.words.labels import track_labels
from heat_tui.words.race_talk import ANSWERS_AGAIN, CONNECTION_NEWS

Kind = TypeVar("Kind", bound=m.BotKind)

Way: TypeAlias = Literal["here", "race", "season", "ended"]
"""Where a room leads: nowhere yet; to a race, to a championship's table; nothing will ever come again."""

READY_AGAIN: Final = "The settings have changed. Look at them, then say again that you are ready."
ALL_READY: Final = "Everybody is ready. You can start the race."
ALREADY_SO: Final = "Nothing changed: that is already the case."

_LEGENDS: Final[Mapping[LegendLevel, m.BotKind]] = {
    "easy": "legend:easy",
    "medium": "legend:medium",
    "hard": "legend:hard",
}


class LobbyController:
    """A room, as one person in it sees and changes it.

    Attributes:
        stay: At the server.
        company: The people, and what they say.
        tracks: Names of the tracks to choose from, by identifier: the boards until `learn_tracks`.
        facts: Of the tracks that can be drawn, by identifier.
    """

    def __init__(self, stay: ServerStay) -> None:
        """Look at the room that a stay is in, or is about to be told of."""
        self.stay = stay
        self.company = Company(stay.link)
        self.facts: dict[str, TrackFacts] = {t.name: t.facts for t in box_tracks() if t.facts is not None}
        self.tracks = {name: facts.name for name, facts in self.facts.items()}
        self._changes = OptionChanges()
        self._asking = asyncio.Lock()
        self._state_told = stay.link.state
        self._waiting_told = stay.link.waits_for
        self._room_told = stay.link.room

    # --- what is shown ------------------------------------------------------------------------------------

    @property
    def room(self) -> m.LobbyView | None:
        """The room as sent last; None before that."""
        return self.stay.link.room

    @property
    def is_host(self) -> bool:
        """Whether this person decides for the room."""
        return self.company.is_host

    @property
    def options(self) -> m.RoomOptions:
        """The options with the changes on their way; the usual ones before anything was shown."""
        room = self.room
        return m.RoomOptions() if room is None else self._changes.applied(room)

    @property
    def track_labels(self) -> dict[str, str]:
        """What to call each track that can be chosen, and those that the options name, by identifier."""
        options = self.options
        named = (options.track, *(options.season.tracks if options.season else ()))
        return track_labels(list(({track: track for track in named} | self.tracks).items()))

    @property
    def invitation_hint(self) -> str:
        """What to do with the line that joins, to be shown below it."""
        note = "" if self.room is None else elsewhere_note(self.room, self.room.invitation)
        return note or "Your friends type the line above to join."

    def rows(self) -> list[Row]:
        """List the places in their order, then the spectators."""
        return [] if self.room is None else room_rows(self.room)

    def way(self, raced: Feed | None = None) -> Way:
        """Say where the room leads now.

        Args:
            raced: The race that was raced here last; None: none yet.
        """
        link = self.stay.link
        if link.ended is not None:
            return "ended"
        if link.race is raced or not RemoteSession.is_ready(link):
            return "here"
        is_between = link.season is not None and self.room is not None and self.room.phase != "racing"
        return "season" if is_between else "race"

    def connection_news(self) -> str:
        """Say, once, that the connection was lost or is back, or what the room waits for; else nothing."""
        link = self.stay.link
        before, self._state_told = self._state_told, link.state
        waited_for, self._waiting_told = self._waiting_told, link.waits_for
        if link.waits_for != waited_for and link.waits_for:
            return link.waits_for
        if before != link.state:
            return CONNECTION_NEWS[link.state]
        return ANSWERS_AGAIN if link.waits_for != waited_for else ""

    def ready_news(self) -> str:
        """Say once that the settings took one's ready mark, or that the host waits for nobody."""
        before, room = self._room_told, self.room
        self._room_told = room
        if before is None or room is None:
            return ""
        if room.options != before.options and before.own.is_ready and not room.own.is_ready:
            return READY_AGAIN
        return ALL_READY if self.is_host and _not_ready(before) and not _not_ready(room) else ""

    async def learn_tracks(self) -> None:
        """Ask the server what tracks it has besides the boards."""
        with contextlib.suppress(RequestRefused, ConnectionLost):  # then the boards must do
            self.tracks |= {track.id: track.name for track in await self.stay.tracks()}

    async def learn_track(self, name: str) -> None:
        """Ask the server for the facts of a track that is not a board."""
        with contextlib.suppress(RequestRefused, ConnectionLost):  # then there is no picture
            if (facts := await self.stay.track(name)) is not None:
                self.facts[name] = facts

    # --- what may be done ---------------------------------------------------------------------------------

    def why_not(self, action: Action) -> str:
        """Say why this person cannot do something now, in one sentence; empty where they can."""
        return why_not(self.room, action)

    def why_not_remove(self, row: Row | None) -> str:
        """Say why nobody can be removed from a line of the list; empty where somebody can."""
        if refusal := self.why_not("remove"):
            return refusal
        if row is None or not row.is_person:
            return "Choose a person first."
        if "you" in row.marks:
            return "You cannot remove yourself. Leave the room instead."
        return ""

    # --- doing it -----------------------------------------------------------------------------------------

    async def set_ready(self, is_ready: bool) -> str:
        """Say that one is ready, or not any more."""
        if self.room is not None and self.room.own.is_ready == is_ready:
            return self.why_not("ready") or ALREADY_SO
        return await self._ask("ready", m.TakeSeat(0, ready=is_ready))

    async def rename(self, name: str) -> str:
        """Take another name."""
        return await self._ask("rename", m.TakeSeat(0, name=name[:64]))

    async def take_colour(self, colour: str) -> str:
        """Take a car of another colour."""
        known = next((one for one in COLOURS if one == colour), None)
        if known is None:
            return f"The colours are {listed(COLOURS, 'or')}."
        return await self._ask("colour", m.TakeSeat(0, colour=known))

    async def take_next_colour(self) -> str:
        """Take the next colour that no other person drives."""
        room = self.room
        if room is None or room.own.colour is None:
            return self.why_not("colour")
        taken = {place.colour for place in room.places if place.kind == "human"}
        first = COLOURS.index(room.own.colour)
        free = [colour for colour in (*COLOURS[first:], *COLOURS) if colour not in taken]
        return await self.take_colour(free[0]) if free else "All eight colours are taken."

    async def start(self) -> str:
        """Start the race; the first time, drivers who are not ready are named instead."""
        return await self._ask("start", m.Start(0))

    async def add_bot(self, kind: str = "", place: int | None = None) -> str:
        """Seat a bot.

        Args:
            kind: One of `BOT_LEVELS`; empty: the usual one, and where a bot sits already, the next one.
            place: Where; None, or where a person sits: on the first free place.
        """
        wanted = kind or _following(self._kind_at(place), BOT_LEVELS) or USUAL_BOT
        known = next((bot for bot in BOT_LEVELS if bot == wanted), None)
        if known is None:
            return f"A bot is {listed(BOT_LEVELS, 'or')}."
        return await self._fill(known, place)

    async def add_legend(self, level: str = "", place: int | None = None) -> str:
        """Seat a Legend.

        Args:
            level: One of `LEGEND_LEVELS`; empty: that of the options, and the next one where a Legend sits
                already.
            place: As of `add_bot`.
        """
        known = _following(self._kind_at(place), list(_LEGENDS.values())) if not level else None
        wanted = level or self.options.level
        known = known or next((kind for one, kind in _LEGENDS.items() if one == wanted), None)
        if known is None:
            return f"A Legend is {listed(list(LEGEND_LEVELS), 'or')}."
        return await self._fill(known, place)

    def _kind_at(self, place: int | None) -> PlaceKind | None:
        return self.room.places[place].kind if self.room is not None and place is not None else None

    async def _fill(self, kind: m.BotKind, place: int | None) -> str:
        places = self.room.places if self.room is not None else ()
        if place is None or places[place].kind == "human":
            free = [number for number, one in enumerate(places) if one.kind is None]
            if not free:
                return self.why_not("fill") or "All places are taken."
            place = free[0]
        return await self._ask("fill", m.PlaceBot(0, place, kind))

    async def clear(self, place: int | None) -> str:
        """Free a place where no person sits.

        Args:
            place: From 0; None: no place was chosen.
        """
        places = self.room.places if self.room is not None else ()
        if place is None or not 0 <= place < len(places):
            return self.why_not("fill") or f"Choose one of the places 1 to {len(places)}."
        return await self._ask("fill", m.PlaceBot(0, place, None))

    def propose(self, change: Change) -> str:
        """Show a change of the options as if it were taken; `send` it then."""
        if refusal := self.why_not("configure"):
            return refusal
        options = self.options
        if change(options) == options:
            return ALREADY_SO
        self._changes.add(change)
        return ""

    async def send(self, change: Change) -> str:
        """Send a change that was proposed; where the server refuses it, it is shown no longer."""
        async with self._asking:
            if (room := self.room) is None:  # it was left meanwhile
                return self.why_not("configure")
            try:
                await self.stay.link.request(m.Configure(0, self._changes.applied(room, change)))
            except (RequestRefused, ConnectionLost) as error:
                self._changes.refused(change)
                return error.text
            self._changes.taken(change, self.room or room)
            return ""

    async def lock(self, password: str) -> str:
        """Let only those in who know a password; an empty one lets everybody in."""
        if not password and self.room is not None and not self.room.is_private:
            return self.why_not("lock") or ALREADY_SO
        return await self._ask("lock", m.Lock(0, password[:64] or None))

    async def remove(self, name: str, *, is_banned: bool) -> str:
        """Remove a person or spectator; a ban keeps them out by that name and from that machine."""
        return await self._ask("remove", m.Kick(0, name[:64], is_banned))

    async def give_more_time(self, row: Row | None) -> str:
        """Give a driver the next longer time for each decision; behind the longest, the usual one."""
        if row is None or not row.is_person or row.place is None:
            return "Choose a driver first."
        return await self.company.give_time(row.name, self.company.time_offers().get(row.name, 0))

    async def let_bots_stand_in(self) -> str:
        """Between two races, let bots drive for those who are away."""
        if refusal := self.why_not("stand_in"):
            return refusal
        away = [
            number
            for number, place in enumerate(self.room.places if self.room is not None else ())
            if place.kind == "human" and not place.is_connected and not place.has_stand_in
        ]
        chosen = self.options.away_driver
        stand_in = USUAL_BOT if chosen is None or chosen == "defaults" else chosen
        for number in away:
            if refusal := await self._ask("stand_in", m.PlaceBot(0, number, stand_in)):
                return refusal
        return "" if away else "Nobody is away."

    async def rematch(self) -> str:
        """After the last race, take everybody back to the lobby."""
        return self.why_not("rematch") or await self.company.rematch()

    async def _ask(self, action: Action, request: m.Request) -> str:
        if refusal := self.why_not(action):
            return refusal
        async with self._asking:
            try:
                await self.stay.link.request(request)
            except (RequestRefused, ConnectionLost) as error:
                return error.text
        return ""


def _following(kind: PlaceKind | None, kinds: Sequence[Kind]) -> Kind | None:
    """Give the kind behind one of several, around; None where it is none of them."""
    return next((kinds[(n + 1) % len(kinds)] for n, one in enumerate(kinds) if one == kind), None)


def _not_ready(room: m.LobbyView) -> bool:
    """Whether the host of a room still waits for somebody before a race."""
    guests = (place for number, place in enumerate(room.places) if number != room.host)
    return any(place.kind == "human" and not (place.is_ready or place.has_stand_in) for place in guests)


def remove_question(name: str) -> str:
    """Ask before somebody is removed."""
    return f"Remove {name} from the room?"
