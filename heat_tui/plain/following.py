"""Following a race in lines with the people at its table: who is there, what is said, how long is left."""

from __future__ import annotations

from heat_tui.client.company import presence_text
from heat_tui.client.session import Session
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.looking import Looking
from heat_tui.plain.talk import Talk
from heat_tui.plain.words import sentence_of, without_hashes
from heat_tui.race.presenter import RaceLabels


class Following(Looking):
    """The part of a race in lines that only tells, looks and talks.

    Attributes:
        session: The table.
    """

    def __init__(self, session: Session, voice: LineTerminal, talk: Talk | None) -> None:
        """Begin with nothing told.

        Args:
            talk: With the people of the room; None where the table is here.
        """
        super().__init__(voice, RaceLabels.of(session.setup))
        self.session = session
        self._away: frozenset[int] = frozenset()
        self._talk = talk
        self._standstill = ""
        self._wish = ""

    @property
    def away(self) -> tuple[int, ...]:
        """The seats whose drivers are not there."""
        return self.session.away

    def tell(self, text: str) -> None:
        """Say a sentence, and keep it for the log."""
        self.log.append(text)
        self.voice.say(sentence_of(without_hashes(text)))

    # --- the people at a server ----------------------------------------------------------------------------

    def tell_people(self) -> None:
        """Tell who has gone and come back, what was said, and whether the race stands still."""
        away = frozenset(seat for seat in self.session.away if seat not in self.session.seats)
        company = self.session.company
        for seat in sorted(away ^ self._away):
            self.tell(presence_text(self.labels.names[seat], company, is_away=seat in away))
        self._away = away
        if company is None:
            return
        for sentence in company.take_meanwhile():
            self.voice.say(sentence_of(sentence))
        if self._talk is not None:
            self._talk.tell_new()
        standstill, wish = company.standstill_text(), company.wish_text(key="pause")
        if standstill != self._standstill:
            self.voice.say(sentence_of(f"the race is {standstill}" if standstill else "The race continues"))
        if wish != self._wish and wish:
            self.voice.say(sentence_of(wish))
        self._standstill, self._wish = standstill, wish

    async def talks(self, word: str, rest: str) -> bool:
        """Do a command that speaks to others, and tell whether it was one."""
        if self._talk is None:
            return False
        if word == "pause":
            if refusal := await self._talk.company.change_pause_wish():
                self.voice.say(refusal)
            return True
        return await self._talk.takes(word, rest)

    # --- looking around ------------------------------------------------------------------------------------

    def looks(self, word: str, rest: str) -> bool:
        """Do a command that tells something, and tell whether it was one."""
        if word != "time":
            return super().looks(word, rest)
        for line in self._time():
            self.voice.say(line)
        return True

    def _time(self) -> list[str]:
        due = [decision.seat for decision in self.race_view.decisions if not decision.has_chosen]
        left = [(self.labels.names[seat], self.session.seconds_left(seat)) for seat in due]
        told = [f"{name} has {round(seconds)} seconds left." for name, seconds in left if seconds is not None]
        return told or ["No time is set."]

    def tell_commands(self) -> None:
        """Tell what may be typed at any time."""
        self.voice.say(
            "At any time: where, cars, hand, piles, cards (explains them), road, weather, log, log all, "
            "rules, time, again (the question in full), cost and an answer, give up, leave."
        )
        if self.session.company is not None:
            self.voice.say(
                "To the others: say and a line, react and a word such as bravo, pause (asks for one, agrees, "
                "or takes it back)."
            )
