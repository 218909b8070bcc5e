"""How others come into a room: the lines to pass on, and what there is to know of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from heat_core.wire.address import Address
from heat_core.wire.messages import LobbyView

SOON: Final = "in a few seconds; the line with heat-tui works already"

_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


class WayIn(NamedTuple):
    """A way in.

    Attributes:
        name: What a guest needs for it.
        line: What the guest types, or opens; empty: it is closed.
        secret: What the guest is asked for then, by its name; empty: nothing.
        is_link: Whether the line is opened, so that a telephone can take it from a QR code.
        notes: What else a guest may want to know, or why it is closed.
    """

    name: str
    line: str
    secret: str = ""
    notes: tuple[str, ...] = ()
    is_link: bool = False


WaysIn: TypeAlias = Callable[[Address, str], Sequence[WayIn]]
"""Lists every way into a room, by the address of its server and its code; none: it has only its own line."""


class Invitation(NamedTuple):
    """What somebody in a room passes on.

    Attributes:
        heading: What the lines are for.
        ways: Each with its line.
        notes: What else there is to know, in sentences.
    """

    heading: str
    ways: tuple[WayIn, ...]
    notes: tuple[str, ...]

    @property
    def link(self) -> str:
        """The link for browsers; empty: there is none."""
        return link_of(self.ways)


def invitation_to(room: LobbyView, address: Address, ways_in: WaysIn) -> Invitation:
    """Say how others come into a room.

    Args:
        room: Which one.
        address: Of its server, as this client reaches it.
        ways_in: Knows other ways than the room's own line.
    """
    ways = tuple(ways_in(address, room.code)) or (WayIn("heat-tui", room.invitation),)
    this = "any of these lines" if len(ways) > 1 else "this line"
    purpose = "race" if room.phase == "lobby" else "watch, and drivers return to their seats"
    notes = ["Guests are asked for the room's password."] if room.is_private else []
    if note := elsewhere_note(room, ways[0].line):
        notes.append(note)
    return Invitation(f"Room {room.code}: with {this} others come in to {purpose}.", ways, tuple(notes))


ELSEWHERE: Final = "On other machines, replace the address above with this machine's address."
ASK_THE_HOST: Final = "The line above works on this machine only. Ask the host for one for other machines."


def elsewhere_note(room: LobbyView, line: str) -> str:
    """Say what to do with a line that names an address that only this machine reaches.

    Returns:
        One sentence or two, for the host, who knows the machine, or for somebody else; empty: the line works
        on every machine.
    """
    if not any(host in line for host in _LOOPBACK):
        return ""
    return ELSEWHERE if room.place == room.host else ASK_THE_HOST


def link_of(ways: Sequence[WayIn]) -> str:
    """Give the link that a telephone takes from a QR code; empty: there is none."""
    return next((way.line for way in ways if way.is_link), "")


def closed_text(way: WayIn) -> str:
    """Say in place of a line that there is none, or none yet."""
    return "opening" if SOON in way.notes else "not open"


def way_texts(ways: Sequence[WayIn]) -> list[str]:
    """Write each way in a line of its own, with its number and all there is to know."""
    lines = []
    for number, way in enumerate(ways, start=1):
        notes = "; ".join(filter(None, (way.secret, *way.notes)))
        what = way.line or closed_text(way)
        lines.append(f"{number}, {way.name}: {what}" + (f" ({notes})" if notes else ""))
    return lines
