"""The way from an address to a seat in a room: connecting, the list of rooms, saved seats, getting in.

Theory of operation. `JoinController` holds the stay at a server. Another stay takes its place when another
server is connected to, or a saved seat is taken. What must be asked on the way (a password, whether to watch
instead, another name) is asked through `Asker`, which each face is. `enter` and `go_back` show the refusals
after which they continue; what ends the attempt is returned or raised.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from heat_core.files import box_tracks
from heat_core.race.setup import Colour
from heat_core.track_facts import TrackFacts
from heat_core.wire.address import BadAddress, code_problem, parse_address
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import RoomOptions, RoomSummary
from heat_tui.client.connect_failed import CertificateChanged, ConnectFailed, Notice
from heat_tui.client.connection import RequestRefused
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession
from heat_tui.flow.home import go_back_question, going_back_text
from heat_tui.flow.way_back import NoWayBack, rejoin, seats_at
from heat_tui.state import Folders

Entrance: TypeAlias = Literal["join", "watch"]
Given = TypeVar("Given")

_STATES: Final = {"racing": "racing", "between": "racing", "ended": "finished"}


class Player(NamedTuple):
    """How somebody comes into a room.

    Attributes:
        colour: That they would like; another one where somebody drives that.
    """

    name: str
    colour: Colour


class RoomLine(NamedTuple):
    """A room in the list.

    Attributes:
        facts: Of its circuit; None: it is none of the boards of the game.
        players: Places where people or bots sit, of `cars`.
        state: "open", "full", "racing" or "finished".
        has_place: Whether somebody who joins would find one.
    """

    code: str
    track: str
    facts: TrackFacts | None
    laps: int
    players: int
    cars: int
    state: str
    has_place: bool
    is_private: bool
    host: str


class Asker(Protocol):
    """Whoever shows the way into a room, as far as they are asked something there."""

    def say(self, text: str) -> None:
        """Show one sentence."""

    async def answered(self, asking: Coroutine[Any, Any, Given]) -> Given:
        """Wait for what was asked of a server."""
        ...

    async def agrees(self, question: str) -> bool:
        """Ask a question of yes and no."""
        ...

    async def password(self, told: str) -> str:
        """Ask for the room's password; empty: the attempt ends.

        Args:
            told: Why it is asked for.
        """
        ...

    async def other_name(self, told: str) -> str:
        """Ask for another name; empty: the attempt ends.

        Args:
            told: Why it is asked for.
        """
        ...

    async def warn(self, notice: Notice) -> None:
        """Show what must not be overlooked."""

    async def hang_up(self, stay: ServerStay) -> None:
        """Close a stay in whose place another has come."""


class JoinController:
    """Somebody on the way into a room.

    Attributes:
        stay: At the server; None before one is connected to.
    """

    def __init__(self, folders: Folders, asker: Asker, stay: ServerStay | None = None) -> None:
        """Begin before a server or, with a stay, at one."""
        self.stay = stay
        self._folders = folders
        self._asker = asker

    @property
    def here(self) -> ServerStay:
        """The stay, once connected."""
        assert self.stay is not None
        return self.stay

    async def connect(self, typed: str) -> str:
        """Connect to a server, and hang up at the one before.

        Args:
            typed: Its address.

        Returns:
            Why not, in one sentence; empty: it worked.
        """
        try:
            address = parse_address(typed)
        except BadAddress as error:
            return str(error)
        where = address if self._folders.guest_of is None else "the rooms"
        self._asker.say(f"Connecting to {where} ...")
        if self.stay is not None:
            before, self.stay = self.stay, None
            await self._asker.hang_up(before)
        try:
            self.stay = await self._asker.answered(ServerStay.begin(self._folders, address))
        except CertificateChanged as error:
            await self._asker.warn(error.notice)
            return error.outcome
        except ConnectFailed as error:
            return error.text
        return ""

    async def rooms(self) -> list[RoomLine]:
        """List the rooms of the server.

        Raises:
            RequestRefused: The server says no.
            ConnectionLost: The line dropped.
        """
        return await self._asker.answered(self._rooms())

    async def _rooms(self) -> list[RoomLine]:
        rooms = await self.here.rooms()
        tracks = {track.id: track.name for track in await self.here.tracks()} if rooms else {}
        boards = {board.name: board.facts for board in box_tracks()}
        return [
            _room_line(room, tracks.get(room.track, room.track), boards.get(room.track)) for room in rooms
        ]

    async def go_back(self, code: str | None = None) -> bool:
        """Offer the seats that the player has at the server, and take the one that is agreed to.

        Args:
            code: Only those of this room.

        Returns:
            Whether one was taken: `stay` is in its room now.
        """
        for seat in await seats_at(self._folders, self.here.link.address, code):
            if await self._asker.agrees(go_back_question(seat)):
                if not (refusal := await self.rejoin(seat)):
                    return True
                self._asker.say(refusal)
        return False

    async def rejoin(self, seat: SavedSession) -> str:
        """Take a saved seat; gives why not, or nothing."""
        self._asker.say(going_back_text(seat, self._folders))
        back = await self._asker.answered(rejoin(self._folders, seat, self._asker.say))
        if isinstance(back, NoWayBack):
            if back.notice is not None:
                await self._asker.warn(back.notice)
            return back.text
        before, self.stay = self.stay, back
        if before is not None:
            await self._asker.hang_up(before)
        return ""

    async def create(self, player: Player) -> None:
        """Open a room, as its host; raises as `rooms` does."""
        await self._asker.answered(self.here.create(player.name, player.colour, RoomOptions()))

    async def enter(
        self, code: str, player: Player, entrance: Entrance = "join", *, is_offered: bool = False
    ) -> bool:
        """Join a room or watch it, and ask whatever that needs.

        Args:
            is_offered: The seats that the player has there were offered already.

        Returns:
            Whether the player is in; where not, they know why.

        Raises:
            ConnectionLost: The line dropped.
        """
        if problem := code_problem(code):
            self._asker.say(problem)
            return False
        if not is_offered and await self.go_back(code):
            return True
        password: str | None = None
        while True:
            try:
                if entrance == "watch":
                    await self._asker.answered(self.here.watch(code, player.name, password))
                else:
                    await self._asker.answered(self.here.join(code, *player, password))
                return True
            except RequestRefused as refused:
                error = refused
            if error.code == ErrorCode.WRONG_PASSWORD:
                if not (password := (await self._asker.password(error.text))[:64]):
                    return False
            elif error.code == ErrorCode.NAME_TAKEN:
                if not (name := await self._asker.other_name(error.text)):
                    return False
                player = player._replace(name=name)
            elif error.code == ErrorCode.ROOM_BEGUN and entrance == "join":
                if not await self._asker.agrees("That race has started. Watch it?"):
                    self._asker.say(error.text)
                    return False
                entrance = "watch"
            else:
                self._asker.say(error.text)
                return False


def _room_line(room: RoomSummary, track: str, facts: TrackFacts | None) -> RoomLine:
    state = _STATES.get(room.phase) or ("open" if room.has_place else "full")
    return RoomLine(
        room.code,
        track,
        facts,
        room.laps,
        room.players,
        room.cars,
        state,
        room.has_place,
        room.is_private,
        room.host,
    )
