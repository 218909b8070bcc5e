"""The party while it is open: its card on the screen, the host's own races between, and the end of all."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from heat_core.signals import heeded
from heat_tui.app import HeatApp
from heat_tui.client.session_file import forget_session, saved_sessions
from heat_tui.flow.invitation import closed_text
from heat_tui.party import words
from heat_tui.party.party import Party
from heat_tui.party.screen import CardWish, PartyScreen
from heat_tui.party.wish import Happened
from heat_tui.state import Folders

_FAULT: Final = 1
"""The exit code of a program that could not go on."""

_MOST_FAULTS: Final = 3
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@asynccontextmanager
async def opened(party: Party, folders: Folders, say: Callable[[str], None]) -> AsyncIterator[None]:
    """Have a party open, and end all of it however this is left.

    Raises:
        HostingFailed: Its server does not start.
    """
    try:
        await party.open()
        yield
    finally:
        say(words.ENDING)
        await asyncio.shield(party.end())
        for seat in saved_sessions(folders):
            if seat.address == str(party.address) and not party.is_saved:
                forget_session(folders, seat)


async def show_cards(
    party: Party, play: Callable[[], Awaitable[bool]], *, folders: Folders, animate: bool | None
) -> bool:
    """Show the card until the host ends the party; a card that fails is replaced by a new one.

    Args:
        play: Lets the host play at the party in this terminal, and gives whether the card is to come back.

    Returns:
        Whether the host or a signal ended it; else no card can be shown here.
    """
    faults = 0
    while faults < _MOST_FAULTS:
        match await _show_card(party, folders, animate):
            case "play":
                if not await play():
                    return True
            case "lines":
                await _show_lines(party)
            case "end":
                return True
            case None:
                faults += 1
                party.note("The card had a fault and is shown again; no race was affected.", is_warning=True)
    return False


async def _show_lines(party: Party) -> None:
    """Print the lines as they are to be typed, one below the other, until Enter goes back to the card."""
    for way in party.ways:
        print(f"\n{way.name}: {'; '.join(filter(None, (way.secret, *way.notes)))}")
        print(way.line or closed_text(way))
    print("\nMark a line with the mouse and copy it. Enter goes back to the card.", flush=True)
    loop, entered = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin, entered.set)
    try:
        await entered.wait()
        sys.stdin.readline()
    finally:
        loop.remove_reader(sys.stdin)


async def _show_card(party: Party, folders: Folders, animate: bool | None) -> CardWish | None:
    """Show the card once; gives what the host wants, or None where the card has failed."""
    wish: CardWish = "end"

    def open_card(app: HeatApp) -> None:
        def leave(wanted: CardWish | None) -> None:
            nonlocal wish
            wish = wanted or "end"
            app.exit()

        app.push_screen(PartyScreen(party), leave)

    app = HeatApp(folders, opening=open_card, animate=animate)
    await app.run_async()
    return None if app.return_code == _FAULT else wish


async def attend(party: Party, say: Callable[[str], None]) -> None:
    """Say all there is in lines, to nobody who could answer, until a signal comes."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in heeded(_SIGNALS):
        loop.add_signal_handler(number, ended.set)
    await party.doors_known()
    for line in words.card_lines(party.ways, party.elsewhere):
        say(line)
    following = loop.create_task(follow(party, lambda one: say(words.happened_text(one))))
    try:
        await ended.wait()
    finally:
        following.cancel()


async def follow(party: Party, tell: Callable[[Happened], None]) -> None:
    """Tell what happens, from now on, until this is cancelled."""
    told = party.number_of_news
    while True:
        changes = party.changes
        for one in party.news_since(told):
            tell(one)
        told = party.number_of_news
        await party.wait(changes)
