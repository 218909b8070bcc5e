"""Chat in lines: the same in the lobby, in a race and after it."""

from __future__ import annotations

from typing import Final

from heat_core.text import counted, listed
from heat_core.wire.messages import Said
from heat_tui.client.chat import REACTIONS
from heat_tui.client.company import Company
from heat_tui.flow.invitation import Invitation, WaysIn, invitation_to, way_texts
from heat_tui.flow.room_rows import room_rows
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.people import people_told
from heat_tui.plain.words import sentence_of

TO_OTHERS: Final = ("say", "chat", "who", "code", "invite", "react", "pause")
"""What is typed about the others of a room, in a race."""

_MOST_MISSED: Final = 3
"""More lines that were written before one came, or came back, are not said unless asked for."""
_USUAL_LINES: Final = 10


class Talk:
    """Hears what is said in a room, and says what is typed.

    Attributes:
        company: The people.
    """

    def __init__(
        self, terminal: LineTerminal, company: Company, ways_in: WaysIn = lambda address, code: ()
    ) -> None:
        """Begin with what was said before one came in.

        Args:
            ways_in: Lists every way into a room at a server that is held from here.
        """
        self.company = company
        self._terminal = terminal
        self._heard = 0
        self._ways_in = ways_in

    def tell_new(self) -> None:
        """Tell the lines that came since the last time; of many before one came, how many."""
        lines = self.company.chat.since(self._heard)
        if not self._heard and len(lines) > _MOST_MISSED:
            self._terminal.tell(f"{counted(len(lines), 'line')} were written before; chat shows them.")
            lines = []
        for line in lines:
            if line.kind != "news" or line.text != self._own_coming:
                self._terminal.tell(_said_text(line))
        self._heard = self.company.chat.received
        self.company.chat.read()

    @property
    def _own_coming(self) -> str:
        """The room's news that one has come, which is none to oneself."""
        room = self.company.room
        return "" if room is None or room.place is None else f"{room.own.name} has joined."

    def shows(self, word: str) -> bool:
        """Do a command that shows something of the others of the room, and return whether it was one."""
        room = self.company.room
        if word == "code" and room is not None:
            self._terminal.say(f"The code of the room, letter by letter: {', '.join(room.code)}.")
        elif word == "invite" and room is not None:
            self._invite(invitation_to(room, self.company.address, self._ways_in))
        elif word == "who" and room is not None:
            for told in people_told(room_rows(room)):
                self._terminal.say(told)
        elif word == "chat":
            for line in [*self.company.chat.lines][-_USUAL_LINES:]:
                self._terminal.say(_said_text(line))
            if not self.company.chat.lines:
                self._terminal.say("Nobody has written anything.")
        else:
            return False
        return True

    def _invite(self, invitation: Invitation) -> None:
        """Say how others come into the room."""
        is_one = len(invitation.ways) == 1
        lines = [invitation.ways[0].line] if is_one else way_texts(invitation.ways)
        for told in (invitation.heading, *lines, *invitation.notes):
            self._terminal.say(told)

    async def takes(self, word: str, rest: str) -> bool:
        """Do a command that the others of the room notice, and return whether it was one."""
        if word == "say":
            refusal = await self.company.say(rest)
        elif word == "time":
            refusal = await self._give_time(rest)
        elif word == "react":
            reaction = next((known for known in REACTIONS if known == rest.casefold()), None)
            refusal = f"Type react and {listed(list(REACTIONS), 'or')}, for example: react bravo"
            if reaction is not None:
                refusal = await self.company.react(reaction)
        else:
            return False
        if refusal:
            self._terminal.say(refusal)
        return True

    async def _give_time(self, typed: str) -> str:
        """Give a driver more time, as the host: a name, then seconds; gives why not, or nothing."""
        name, _, seconds = typed.rpartition(" ")
        if not name or not (seconds.isascii() and seconds.isdecimal() and len(seconds) < 5):
            return "The host types time, a driver's name and how many seconds more, for example: time Ben 60"
        return await self.company.give_time(name.strip(), int(seconds))


def _said_text(line: Said) -> str:
    match line.kind:
        case "news":
            return sentence_of(line.text)
        case "reaction":
            return f"{line.name}: {line.text}!"
        case "chat":
            return f"{line.name} says: {line.text}"
