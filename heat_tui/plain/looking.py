"""Looking around and talking during a race in lines: commands that decide nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from heat_core.track import Track
from heat_core.view import RaceView, Sight
from heat_tui.plain.talk import Talk
from heat_tui.plain.telling import (
    cards_explained,
    cars_told,
    hand_told,
    piles_told,
    road_told,
    weather_told,
    where_told,
)
from heat_tui.plain.voice import Voice
from heat_tui.plain.words import sentence_of, without_hashes
from heat_tui.race.presenter import Cast
from heat_tui.session import Session

_USUAL_LOG_LINES: Final = 10


class Looking:
    """The part of a race in lines that only looks and talks.

    Attributes:
        session: The table.
        log: Everything told so far, a sentence each.
        viewer: Whose hand is open, None for nobody's.
    """

    track: Track
    viewer: int | None

    def __init__(self, session: Session, voice: Voice, cast: Cast, talk: Talk | None) -> None:
        """Begin with nothing told.

        Args:
            talk: With the people of the room; None where the table is here.
        """
        self.session = session
        self.voice = voice
        self.cast = cast
        self.log: list[str] = []
        self._away: frozenset[int] = frozenset()
        self._talk = talk
        self._standstill = ""
        self._wish = ""

    @property
    def race_view(self) -> RaceView:
        """The newest view of whoever looks."""
        raise NotImplementedError

    @property
    def sight(self) -> Sight | None:
        """What the viewer sees, None while nobody's hand is open."""
        raise NotImplementedError

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
            driver = company.away_driver if company is not None else "somebody"
            name = self.cast.names[seat]
            self.tell(f"{name} is away: {driver} for now" if seat in away else f"{name} is back")
        self._away = away
        if company is None:
            return
        for sentence in company.take_meanwhile():
            self.voice.say(sentence_of(sentence))
        if self._talk is not None:
            self._talk.tell_new()
        standstill, wish = company.standstill_text(), company.wish_text(key="pause")
        if standstill != self._standstill:
            self.voice.say(sentence_of(f"the race {standstill}" if standstill else "The race goes on"))
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
        public: dict[str, Callable[[], list[str]]] = {
            "cars": lambda: cars_told(self.race_view, self.cast, self.session.away),
            "road": self._road,
            "log": lambda: self._log(rest),
            "weather": lambda: weather_told(self.race_view, self.cast, self.track),
            "time": self._time,
        }
        own: dict[str, Callable[[Sight], list[str]]] = {
            "where": lambda sight: where_told(sight, self.cast),
            "hand": hand_told,
            "piles": piles_told,
            "cards": lambda sight: cards_explained(
                sight.view.offered or (*sight.own.hand, *sight.own_car.played)
            ),
        }
        if word in public:
            lines = public[word]()
        elif word in own:
            sight = self.sight
            lines = ["Nobody's hand is open now."] if sight is None else own[word](sight)
        else:
            return False
        for line in lines:
            self.voice.say(line)
        return True

    def _road(self) -> list[str]:
        view = self.race_view
        car = self.viewer if self.viewer is not None else view.ranking[0]
        return road_told(view, self.cast, self.track, car)

    def _log(self, rest: str) -> list[str]:
        if rest == "all":
            return [sentence_of(text) for text in self.log]
        number = int(rest) if rest.isdecimal() and len(rest) < 6 else _USUAL_LOG_LINES
        return [sentence_of(text) for text in self.log[-max(1, number) :]]

    def _time(self) -> list[str]:
        due = [decision.seat for decision in self.race_view.decisions if not decision.has_chosen]
        left = [(self.cast.names[seat], self.session.seconds_left(seat)) for seat in due]
        told = [f"{name} has {round(seconds)} seconds left." for name, seconds in left if seconds is not None]
        return told or ["No time is set."]

    def tell_commands(self) -> None:
        """Tell what may be typed at any time."""
        self.voice.say(
            "At any time: where, cars, hand, piles, cards (explains them), road, weather, log, log all, "
            "time, again (the question in full), cost and an answer, give up, leave."
        )
        if self.session.company is not None:
            self.voice.say(
                "To the others: say and a line, react and a word such as bravo, pause (asks for one, agrees, "
                "or takes it back)."
            )
