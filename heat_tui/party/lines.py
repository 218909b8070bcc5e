"""The card of a party in lines: it says every way in, tells what happens, and does what is typed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from heat_tui.party import words
from heat_tui.party.card import follow
from heat_tui.party.party import Party
from heat_tui.party.people import Person
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.line_terminal import LineTerminal

_QUESTION: Final = "Type ways, who, remove and a name, play or end. For example: ways"
_HELP: Final = (
    "ways says again what your friends type. who says who is here. remove ends somebody's stay, as in "
    "remove Ana. play lets you play here yourself; leave goes back. end ends the server and all doors."
)


async def card_in_lines(
    terminal: LineTerminal, party: Party, play: Callable[[LineTerminal], Awaitable[None]]
) -> None:
    """Show the card until the host ends the party.

    Args:
        play: Lets the host play at the party in this terminal.

    Raises:
        Left: Whoever typed is gone.
    """
    terminal.ending = "The server, all doors and all races here end, too."
    terminal.say(words.OPENING)
    await party.doors_known()
    for line in words.card_lines(party.ways, party.elsewhere):
        terminal.say(line)
    terminal.say(words.FIRST_IS_HOST)
    following = asyncio.create_task(follow(party, lambda one: terminal.tell(words.happened_text(one))))
    try:
        while not await _does(terminal, party, play, await terminal.ask(_QUESTION)):
            pass
    finally:
        following.cancel()


async def _does(
    terminal: LineTerminal,
    party: Party,
    play: Callable[[LineTerminal], Awaitable[None]],
    line: str,
) -> bool:
    """Do what is typed; gives whether the party is to end."""
    word, _, rest = line.partition(" ")
    match word.casefold():
        case "ways":
            for text in words.card_lines(party.ways, party.elsewhere):
                terminal.say(text)
        case "who":
            _say_who(terminal, party)
        case "remove":
            await _remove(terminal, party, rest.strip())
        case "play":
            await play(terminal)
        case "end":
            return await _agrees_to_end(terminal, party)
        case _ if is_leaving(line):
            return await _agrees_to_end(terminal, party)
        case _ if is_asking(line):
            terminal.say(_HELP)
        case _:
            terminal.say(f"There is no such command. {_HELP}")
    return False


def _say_who(terminal: LineTerminal, party: Party) -> None:
    terminal.say(f"{words.people_heading(party.people, party.racing)}.")
    for person in party.people:
        terminal.say(f"{words.person_text(person)}.")


async def _remove(terminal: LineTerminal, party: Party, name: str) -> None:
    """Remove one of a name; of several of that name each is asked for."""
    named = [person for person in party.people if person.name.casefold() == name.casefold()]
    if not named:
        terminal.say(f"Nobody of that name is here. {words.people_heading(party.people, party.racing)}.")
    for person in named:
        if await terminal.agrees(words.remove_question(person, can_ban=party.can_ban(person))):
            terminal.say(await _removed(terminal, party, person))


async def _removed(terminal: LineTerminal, party: Party, person: Person) -> str:
    question = f"Ban {person.address}, too, so that nobody comes in from there?"
    is_ban = party.can_ban(person) and await terminal.agrees(question)
    return await (party.ban(person) if is_ban else party.remove(person))


async def _agrees_to_end(terminal: LineTerminal, party: Party) -> bool:
    question = words.end_question(party.racing)
    return not question or await terminal.agrees(question)
