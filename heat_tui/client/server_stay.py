"""A stay on a server: the link, and the file with the way back."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import msgspec

from heat_core.race.setup import Colour
from heat_core.track_facts import TrackFacts
from heat_core.wire import messages as m
from heat_core.wire.address import Address, BadAddress, parse_address
from heat_core.wire.codes import ErrorCode
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import ConnectionLost, RequestRefused, UnknownToken
from heat_tui.client.dialling import Dialler
from heat_tui.client.known_servers import KnownServers
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_link import ServerLink
from heat_tui.client.session_file import (
    SavedSession,
    SessionFile,
    create_session_file,
    saved_sessions,
    take_session,
)
from heat_tui.state import Folders


class ServerStay:
    """One player at one server, from hello to good-bye.

    Attributes:
        link: Mends itself.
        name: The player's, once in a room.
    """

    def __init__(self, link: ServerLink, file: SessionFile, chosen: str = "") -> None:
        """Used by `begin` and `rejoin`."""
        self.link = link
        self._chosen = chosen
        self.name = file.saved.name if file.saved else ""
        self._file = file
        self._session: RemoteSession | None = None
        link.on_room = self._note_room
        if link.room is not None:
            self._note_room(link.room)

    def _note_room(self, room: m.LobbyView) -> None:
        """Keep the seat under the name that its driver has now, and with the server that has it now."""
        saved = self._file.saved
        if room.place is None or saved is None:
            return
        self.name = room.own.name
        if (seat := self._seat(saved.code)) != saved:
            self._file.save(seat)

    def _seat(self, code: str) -> SavedSession:
        address = str(self.link.address)
        chosen = self._chosen if self._chosen != address else ""
        return SavedSession(address, self.link.token, code, self.name, self.link.servers, chosen)

    @classmethod
    async def begin(cls, folders: Folders, address: Address) -> ServerStay:
        """Connect as somebody new; where that server is gone, at one that it named at an earlier visit.

        What other servers have said of it does not count: one could pose as its companion.

        Raises:
            ConnectFailed: It does not work; the text says why.
        """
        _check_reach(folders, address)
        shared = [seat.servers for seat in saved_sessions(folders) if seat.first == str(address)]
        link = ServerLink(address, _dialler_of(folders), servers=chain(*shared))
        await link.open()
        return cls(link, create_session_file(folders), str(address))

    @classmethod
    async def rejoin(
        cls, folders: Folders, saved: SavedSession, on_wait: Callable[[str], None] = lambda text: None
    ) -> ServerStay:
        """Go back to the room of a saved session; where its server is gone, wait for the next one.

        Args:
            folders: Where it is saved.
            saved: Which one.
            on_wait: Called with what is waited for, in one sentence.

        Raises:
            ConnectFailed: The server is not there; the session stays saved.
            RequestRefused: The room or the session is gone; it is forgotten.
        """
        file = take_session(folders, saved)
        if file is None:
            raise ConnectFailed("That seat is in use in another window.")
        try:
            address = parse_address(saved.address)
            if folders.guest_of is not None and saved.servers:
                address = folders.guest_of  # which leads on to the others, as it did before
            _check_reach(folders, address)
            link = ServerLink(address, _dialler_of(folders), servers=saved.servers)
        except ConnectFailed:
            file.close()
            raise
        except BadAddress as error:
            file.delete()
            raise RequestRefused(ErrorCode.UNKNOWN_TOKEN, str(error)) from None
        try:
            await link.open(saved.token, on_wait)
            if link.room is None:
                await link.request(m.Join(0, saved.code, saved.name))
        except UnknownToken as error:
            file.delete()
            raise RequestRefused(ErrorCode.UNKNOWN_TOKEN, error.text) from error
        except RequestRefused:
            file.delete()
            await link.close()
            raise
        except ConnectionLost as error:
            file.close()
            await link.close()
            raise ConnectFailed(error.text) from None
        except BaseException:  # nobody waits for it any more, for one
            file.close()
            await link.close()
            raise
        return cls(link, file, saved.first)

    async def rooms(self) -> tuple[m.RoomSummary, ...]:
        """List the server's rooms.

        Raises:
            RequestRefused: The server says no.
            ConnectionLost: The line dropped.
        """
        answer = await self.link.request(m.ListRooms(0))
        return answer.rooms if isinstance(answer, m.RoomList) else ()

    async def tracks(self) -> tuple[m.TrackSummary, ...]:
        """List the server's tracks.

        Raises:
            RequestRefused: The server says no.
            ConnectionLost: The line dropped.
        """
        answer = await self.link.request(m.ListTracks(0))
        return answer.tracks if isinstance(answer, m.TrackList) else ()

    async def track(self, name: str) -> TrackFacts | None:
        """Ask for all of one track, to draw it.

        Raises:
            RequestRefused: The server has none of that identifier.
            ConnectionLost: The line dropped.
        """
        answer = await self.link.request(m.AskTrack(0, name))
        return answer.track if isinstance(answer, m.TrackDetails) else None

    async def create(self, name: str, colour: Colour, options: m.RoomOptions) -> None:
        """Open a room.

        Raises:
            RequestRefused: The server says no.
            ConnectionLost: The line dropped.
        """
        self._entered(await self.link.request(m.Create(0, name, colour, options)), name)

    async def join(self, code: str, name: str, colour: Colour, password: str | None = None) -> None:
        """Take a place in a room; in another colour where somebody drives that one.

        Args:
            password: Of a private room.

        Raises:
            RequestRefused: The server says no.
            ConnectionLost: The line dropped.
        """
        try:
            answer = await self.link.request(m.Join(0, code, name, colour, password))
        except RequestRefused as error:
            if error.code != ErrorCode.COLOUR_TAKEN:
                raise
            answer = await self.link.request(m.Join(0, code, name, None, password))
        self._entered(answer, name)

    async def watch(self, code: str, name: str, password: str | None = None) -> None:
        """Look on in a room; there is nothing to come back to.

        Args:
            password: Of a private room.

        Raises:
            RequestRefused: The server says no.
            ConnectionLost: The line dropped.
        """
        await self.link.request(m.Watch(0, code, name, password))
        self.name = name

    def _entered(self, answer: m.ServerMessage, name: str) -> None:
        self.name = name
        if isinstance(answer, m.Ok) and answer.code is not None:
            self._file.save(self._seat(answer.code))

    def race_session(self) -> RemoteSession:
        """Make the session for the race screen, once `RemoteSession.is_ready`; its end ends the stay."""
        self._session = RemoteSession(self.link, on_close=self._race_left)
        return self._session

    def _race_left(self) -> None:
        """Keep the session only for a race that one can come back to."""
        if self._is_over() or self.link.is_token_dead:
            self._file.delete()
        else:
            self._keep_seat()

    def _keep_seat(self) -> None:
        """Close the file with the way back, by all servers that are known by now."""
        if (saved := self._file.saved) is not None and saved.servers != self.link.servers:
            self._file.save(msgspec.structs.replace(saved, servers=self.link.servers))
        self._file.close()

    def _is_over(self) -> bool:
        """Tell whether all races of the room are over; after a rematch was called they are not."""
        if self.link.room is not None:
            return self.link.room.phase == "ended"
        if self.link.season is not None:
            return self.link.season.view.end is not None
        return self._session is not None and self._session.view(None).status == "ended"

    async def leave(self) -> None:
        """Leave room and server for good: from a lobby there is nothing to come back to."""
        await self.link.leave()
        await self.link.close()
        self._file.delete()

    async def close(self, *, is_forgotten: bool = False) -> None:
        """Hang up as the program ends; a saved session can be rejoined.

        Args:
            is_forgotten: The server ends as well: there is nothing to come back to.
        """
        await self.link.close()
        if self.link.is_token_dead or is_forgotten:
            self._file.delete()
        elif self._session is not None:
            self._race_left()
        else:
            self._keep_seat()


def _dialler_of(folders: Folders) -> Dialler:
    return Dialler(KnownServers(folders.state), folders.door_way, folders.guest_of)


def _check_reach(folders: Folders, address: Address) -> None:
    """Let a guest of a server go to no other.

    Raises:
        ConnectFailed: It is another.
    """
    if folders.guest_of is not None and str(folders.guest_of) != str(address):
        raise ConnectFailed(f"Guests of {folders.guest_of} can use only that server.", is_final=True)
