"""What the card of a party says: every way in as a line to type, who is here, and what is asked first."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from heat_core.text import listed
from heat_core.wire.address import LOOPBACK, Address
from heat_core.wire.messages import DEFAULT_PORT
from heat_tui.browser.links import installing_line, link_to
from heat_tui.flow.invitation import SOON, WayIn, way_texts
from heat_tui.party.people import Person
from heat_tui.party.wish import DoorsOpen, Happened, Wish

COPIED: Final = "Sent to your terminal's clipboard. If it does not arrive, press {party.lines}."
IN_TMUX: Final = "Sent to tmux, which needs set -g set-clipboard on. Or press {party.lines}."
OPENING: Final = "Opening the doors ..."
FIRST_IS_HOST: Final = "Whoever enters the room first is its host."
ENDING: Final = "Ending the server and all doors ..."


_INSTALL_NOTES: Final = (
    "installs the program on a friend's machine, from this one",
    "without uv, type pip install instead of uv tool install",
)
_WAY_NAMES: Final = {"ssh": "ssh", "web": "browser", "heat-tui": "heat-tui"}


def ways_in(wish: Wish, doors: DoorsOpen, code: str, hosts: Sequence[str]) -> tuple[WayIn, ...]:
    """List every way that was wanted, with what a guest types.

    Args:
        wish: What was wanted.
        doors: What is open.
        code: Of the room; empty: none is open.
        hosts: The addresses of this machine, the likeliest first.
    """
    closed = dict(doors.closed)
    ways = []
    if wish.ssh is not None:
        ways.append(_ssh(wish, doors, code, hosts[0], closed.get("ssh", "")))
    if wish.web is not None:
        ways.append(_web(wish, doors, code, hosts[0], closed.get("web", "")))
    ways.append(_client(wish, code, hosts[0]))
    if doors.web_port is not None and (line := installing_line(_page(doors.web_port, hosts[0]), wish.secret)):
        ways.append(WayIn("install", line, notes=_INSTALL_NOTES))
    return tuple(ways)


def _ssh(wish: Wish, doors: DoorsOpen, code: str, host: str, why: str) -> WayIn:
    if doors.ssh_port is None:
        return WayIn("ssh", "", notes=(why or SOON,))
    room = f"+{code}" if code else ""
    return WayIn(
        "ssh",
        f"ssh -p {doors.ssh_port} NAME{room}@{host}",
        "" if wish.password is None else f"password {wish.password}",
        (f"NAME is the name to race under, as in ana{room}", f"host key {doors.fingerprint}"),
    )


def _web(wish: Wish, doors: DoorsOpen, code: str, host: str, why: str) -> WayIn:
    if doors.web_port is None:
        return WayIn("browser", "", notes=(why or SOON,))
    link = link_to(_page(doors.web_port, host), wish.secret, code)
    if wish.host == LOOPBACK:  # which a telephone is not
        return WayIn("browser", link, notes=("the whole link, to open on this machine",))
    return WayIn("browser", link, notes=("send the whole link; it works on telephones too",), is_link=True)


def _page(port: int, host: str) -> str:
    return f"http://{Address(host, port)}/"


def _client(wish: Wish, code: str, host: str) -> WayIn:
    where = host if wish.port == DEFAULT_PORT else str(Address(host, wish.port))
    line = f"heat-tui connect {where} {code}".rstrip()
    return WayIn("heat-tui", line, notes=("for friends who have the program",))


def card_lines(ways: Sequence[WayIn], elsewhere: str) -> list[str]:
    """Write the card in lines, each a sentence of its own."""
    return [*way_texts(ways), *([elsewhere] if elsewhere else [])]


def other_addresses(hosts: Sequence[str]) -> str:
    """Say by which other addresses this machine is reached; empty: by none."""
    return f"If {hosts[0]} does not work, try {listed(hosts[1:], 'or')}." if len(hosts) > 1 else ""


def people_heading(people: Sequence[Person], racing: int) -> str:
    """Say in a few words how many are here."""
    if not people:
        return "Nobody is here yet"
    here = f"{len(people)} {'person' if len(people) == 1 else 'people'} here"
    return f"{here}, {racing} racing" if racing else here


def since_text(since: float, now: float | None = None) -> str:
    """Say how long somebody has been here."""
    minutes = int(((time.time() if now is None else now) - since) // 60)
    if minutes < 1:
        return "just now"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02} hours"


def way_name(person: Person) -> str:
    """Say how somebody came."""
    return _WAY_NAMES[person.way]


def person_text(person: Person) -> str:
    """Say of somebody all there is, in one sentence."""
    room = f", in room {person.room}" if person.room else ", in no room yet"
    return f"{person.name}, by {way_name(person)} from {person.address}{room}, {since_text(person.since)}"


def happened_text(one: Happened) -> str:
    """Say what has happened, and when."""
    return f"{time.strftime('%H:%M', time.localtime(one.at))} {one.text}"


def remove_question(person: Person, *, can_ban: bool) -> str:
    """Ask before somebody is removed, and say what keeps them from coming back."""
    question = f"Remove {person.name}, who came by {way_name(person)} from {person.address}?"
    if can_ban:
        return f"{question} Without a ban, {person.name} can come back."
    return f"{question} {person.name} can come back: the address is this machine's own and cannot be banned."


def ban_words(person: Person) -> str:
    """Say what a ban does besides."""
    return f"remove, and let nobody in from {person.address}"


def end_question(racing: int) -> str:
    """Ask before the party ends; empty: nobody would mind."""
    if not racing:
        return ""
    who = "Somebody is" if racing == 1 else f"{racing} people are"
    return f"{who} racing. End the party? The race is saved; the next heat-tui party offers to continue it."


def warning_lines(wish: Wish, hosts: Sequence[str]) -> list[str]:
    """Say before anything opens what will be open, where, and to whom."""
    is_here = wish.host == LOOPBACK
    where = "to this machine only" if is_here else f"to your network, at {listed(hosts, 'and')}"
    opened = [(f"the game, port {wish.port}", "for anybody who has heat-tui")]
    if wish.ssh is not None:
        who = "for anybody" if wish.password is None else "for whoever knows the password"
        opened.append((f"ssh, port {wish.ssh}", who))
    if wish.web is not None:
        who = "for anybody" if wish.secret is None else "for whoever has the whole link"
        opened.append((f"a page for browsers, port {wish.web}", who))
    return [
        f"This opens {where}:",
        *(f"  {what}: {who}" for what, who in opened),
        "Guests reach the game, but no file and no other program of this machine.",
        "Only ssh is encrypted.",
    ]
