"""The servers that share their rooms, as a client knows them: which to try, and where it is led.

Theory of operation. A fleet begins with the server that the player chose. Each welcome names all its servers,
and a refusal can name the one that has a room (`moved_to`). The link goes nowhere else: only the server that
it speaks to can send it on, at most three times in a row, and from a server that encrypts never to one that
does not. Nothing is sent to this machine itself, unless the player's own server is here: a stranger could
reach programs that trust whoever is here. A certificate that no authority has signed is believed of another
server only by the fingerprint that comes with its address. A server may have another name for itself than the
player typed (a number for a name): the two count as one, until it turns out that the player typed the address
of a balancer. Servers that were named earlier, and now are not, are tried after the others: perhaps they were
only away.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final

import msgspec

from heat_core.wire import messages as m
from heat_core.wire.address import Address, BadAddress, parse_address
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import Connection, Moved, NotRead, UnknownToken
from heat_tui.client.dialling import Dialler, Reach
from heat_tui.client.take_over import SILENT_OWNER, WAITING, OwnerGone

MOST_HOPS: Final = 3

MOST_TRIED: Final = 3
"""Servers in one attempt: where many are there, their clients do not all ask all of them."""

MOST_KEPT: Final = 16
"""Addresses that are saved with a seat."""

OTHERS_DIAL_SECONDS: Final = 2.0
"""How long one server may take to be reached where there are others."""


class Fleet:
    """The servers of one link.

    Attributes:
        address: The server that the link is at, or was at last.
    """

    def __init__(self, chosen: Address, servers: Iterable[str] = ()) -> None:
        """Begin with one server.

        Args:
            chosen: The one that the player chose, or whose seat is taken again.
            servers: Addresses that it named at an earlier visit.
        """
        self.address = chosen
        self._chosen = chosen
        self._first = chosen
        self._names: dict[Address, Address] = {}
        self._servers = self._allowed(servers, chosen)
        self._former: tuple[Address, ...] = ()

    @property
    def has_others(self) -> bool:
        """Whether there is more than one server."""
        return any(server != self.address for server in self._known)

    @property
    def servers(self) -> tuple[str, ...]:
        """The addresses to save with a seat; none where there is one server only."""
        return tuple(server.invitation for server in self._known)[:MOST_KEPT]

    @property
    def _known(self) -> tuple[Address, ...]:
        return *self._servers, *self._former

    def first_asked(self, request: m.Request) -> m.Request:
        """Let the first server that is asked for a room say which one has fewer players."""
        if isinstance(request, m.Create) and self.has_others:
            return msgspec.structs.replace(request, elsewhere=True)
        return request

    def begin_at(self, address: str) -> bool:
        """Begin the next attempt at a server; tell whether that is another one that a server has named.

        Args:
            address: As a server named it; "": any but that of now.
        """
        found = self._allowed([address], self.address) if address else ()
        self._first = found[0] if found else self._another()
        return bool(found) and found[0] != self.address

    async def open(
        self, token: str | None, on_push: Callable[[m.ServerMessage], None], dialler: Dialler
    ) -> Connection:
        """Connect to the first server that takes this player.

        Args:
            token: As in `Connection.open`, and so is `on_push`.
            on_push: Called with what the server sends of itself.
            dialler: Opens the streams.

        Raises:
            UnknownToken: One of them knows that there is no seat any more.
            OwnerGone: One of them knows the seat, whose server has gone.
            ConnectFailed: None of them does; why the first one did not.
        """
        failures: list[ConnectFailed] = []
        for address in self._to_try():
            try:
                connection = await self._led(address, token, on_push, dialler)
            except UnknownToken:
                raise
            except ConnectFailed as error:
                failures.append(error)
            else:
                self.note(connection.address, connection.welcome.servers)
                return connection
        told = next((error for error in failures if isinstance(error, OwnerGone)), failures[0])
        told.is_final = all(error.is_final for error in failures)
        raise told

    async def go(
        self, address: str, on_push: Callable[[m.ServerMessage], None], dialler: Dialler
    ) -> Connection | None:
        """Connect, as somebody new, to the server that was named as a room's; None: it may not be gone to.

        The link is there only once that is noted by `note`.

        Raises:
            ConnectFailed: It does not work.
        """
        found = self._sent_on_to(address, self.address)
        return None if found is None else await self._led(found, None, on_push, dialler)

    async def _led(
        self,
        address: Address,
        token: str | None,
        on_push: Callable[[m.ServerMessage], None],
        dialler: Dialler,
    ) -> Connection:
        began_at = address
        for hops_left in reversed(range(MOST_HOPS + 1)):
            reach = Reach(OTHERS_DIAL_SECONDS) if self.has_others else Reach()
            if address != self._chosen:
                reach = reach._replace(chosen=self._chosen)
            try:
                return await Connection.open(address, token, on_push, dialler, reach)
            except Moved as moved:
                found = self._sent_on_to(moved.address, address)
                if not hops_left:
                    raise
                if found is None:
                    named = _address(moved.address)
                    is_itself = named is not None and named.place == address.place
                    raise (OwnerGone(WAITING) if is_itself else moved) from None
                address = found
            except UnknownToken:
                raise
            except ConnectFailed as error:
                is_named = address != began_at or (isinstance(error, NotRead) and self.has_others)
                if error.is_final or not is_named:
                    raise
                why = error.text if isinstance(error, NotRead) else SILENT_OWNER.format(address)
                raise OwnerGone(why) from None
        raise AssertionError("the last hop returns or raises")

    def note(self, address: Address, servers: tuple[str, ...]) -> None:
        """Note where the link is, and what the server there said of the others."""
        if servers and (own := _address(servers[0])) is not None:
            self._names[own] = address
        self.address = self._first = address
        known, self._servers = self._known, self._allowed(servers, address)
        away = [server for server in known if server not in self._servers]
        self._former = tuple(server for server in away if server.is_tls or not address.is_tls)[:MOST_KEPT]

    def _sent_on_to(self, named: str, here: Address) -> Address | None:
        """Find out where a server sends a client; None: nowhere that the client may go.

        If a server seems to send a client to itself, there may be several behind the address by which it was
        reached, as with a balancer: then that address is none of their names. Or it died and was started
        again, and the race still belongs to the process before it.
        """
        found = self._allowed([named], here)
        if found == (here,):
            self._names = {own: reached for own, reached in self._names.items() if reached != here}
            found = self._allowed([named], here)
        return found[0] if found and found[0] != here else None

    def _to_try(self) -> list[Address]:
        """List the servers of one attempt."""
        known = [random.sample(servers, len(servers)) for servers in (self._servers, self._former)]
        others = [server for server in chain(*known) if server not in (self._first, self.address)]
        in_order = list(dict.fromkeys([self._first, *others[: MOST_TRIED - 1], self.address]))
        return in_order[:MOST_TRIED]

    def _another(self) -> Address:
        for servers in (self._servers, self._former):
            if others := [server for server in servers if server != self.address]:
                return random.choice(others)
        return self.address

    def _allowed(self, servers: Iterable[str], here: Address) -> tuple[Address, ...]:
        """Read addresses, and leave out those that a client does not go to from the one where it is."""
        found = [self._names.get(address, address) for address in map(_address, servers) if address]
        return tuple(dict.fromkeys(a for a in found if a.is_tls or not here.is_tls))


def is_offered(request: m.Request) -> bool:
    """Tell whether a server may refuse a new room because another server has fewer players."""
    return isinstance(request, m.Create) and request.elsewhere


def without_offer(request: m.Request) -> m.Request:
    """Ask for a room at this very server, so that a client is sent on once at most."""
    return msgspec.structs.replace(request, elsewhere=False) if isinstance(request, m.Create) else request


def _address(text: str) -> Address | None:
    try:
        return parse_address(text)
    except BadAddress:
        return None
