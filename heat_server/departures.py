"""Who has been gone for the grace time: their place in a lobby becomes free, and a host hands the room on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heat_server.people import Person, Watcher
from heat_server.telling import tell_news
from heat_server.timing import NEVER

if TYPE_CHECKING:
    from heat_server.paddock import Paddock


def next_departure(paddock: Paddock) -> float:
    """Give the time from which on one of these has something to do."""
    waited_for = (person for person in paddock.people.values() if _keeps_no_place(paddock, person))
    gone = [person.gone_at for person in waited_for if person.gone_at is not None]
    return min(_host_is_missed_from(paddock), min(gone, default=NEVER) + paddock.timing.grace_seconds)


def let_go_of_the_long_gone(paddock: Paddock, now: float) -> bool:
    """Let go of spectators, and of drivers too before a race; tell whether there were any."""
    grace = paddock.timing.grace_seconds
    gone = [
        (session, person)
        for session, person in paddock.people.items()
        if person.gone_at is not None and person.gone_at + grace <= now and _keeps_no_place(paddock, person)
    ]
    for session, person in gone:
        paddock.let_go(session)
        tell_news(paddock, f"{person.name} is gone.")
    return bool(gone)


def _keeps_no_place(paddock: Paddock, person: Person) -> bool:
    """Tell whether a room does not wait for somebody for ever: in a race drivers keep their seats."""
    return paddock.race is None or isinstance(person, Watcher)


def relieve_the_host(paddock: Paddock, now: float) -> bool:
    """Hand the room on where its host is missed; tell whether that was so."""
    lobby = paddock.lobby
    if lobby.host is None or _host_is_missed_from(paddock) > now:
        return False
    lobby.hand_on(lobby.host)
    assert lobby.host is not None
    tell_news(paddock, f"{lobby.host.name} is the host now.")
    return True


def _host_is_missed_from(paddock: Paddock) -> float:
    """Give the time from which on those who are there need another host; there may be nobody."""
    host = paddock.lobby.host
    if host is None or host.gone_at is None or not any(one.is_there for one in paddock.lobby.members()):
        return NEVER
    return -NEVER if host.has_left else host.gone_at + paddock.timing.grace_seconds
