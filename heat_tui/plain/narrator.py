"""What happens in a race, in sentences, at the level of words: events said by what they mean to who listens.

Moves are said in spaces and laps, since nobody sees where a space is. What is not said is in the log.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from heat_core.cards import HAND_ORDER
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.sentences.card_words import cards_text
from heat_tui.flow.ghost import Ghost
from heat_tui.flow.race import RaceController
from heat_tui.plain.facts import standing_sentence
from heat_tui.plain.labels import move_text
from heat_tui.plain.voice import Voice
from heat_tui.plain.words import without_hashes
from heat_tui.state import WordLevel

_NOT_SAID: Final = (e.RaceSetUp, e.LegendCardTurned, e.LapCompleted, e.CarFinished)
"""`seed` and `legends` say the first two, moves the others."""

_OWN: Final[dict[type[e.Happened], WordLevel]] = {
    e.PileReshuffled: "all",
    e.HeatPaid: "usual",
}
"""From which level on an own event is said; one that is not listed: at each."""
_OTHERS: Final[dict[type[e.Happened], WordLevel]] = {
    **dict.fromkeys(
        (
            e.GearShifted,
            e.CardsRevealed,
            e.CardsDiscarded,
            e.PileReshuffled,
            e.HeatCooled,
            e.HeatPaid,
            e.CardFlipped,
            e.FlipFailed,
            e.SponsorshipGained,
            e.SponsorshipsSpent,
            e.CardPlayedDirectly,
            e.StressReduced,
            e.HeatSuperCooled,
            e.CardScrapped,
            e.CardsSalvaged,
            e.CardsDropped,
            e.CardsRefreshed,
            e.HeatLost,
        ),
        "all",
    ),
    e.CornerChecked: "usual",
}
"""The same for somebody else's."""

_DRAWN: Final = "You draw "

_ECHOES: Final[dict[type[c.Command], type[e.Happened]]] = {
    c.ShiftGear: e.GearShifted,
    c.PlayCards: e.CardsRevealed,
    c.Discard: e.CardsDiscarded,
    c.UseSymbol: e.HeatCooled,
}
"""The events that say no more than what was typed."""


class Narrator:
    """Says the events of a race to who plays at this keyboard.

    Attributes:
        ghost: The race that drives along; None: none does.
    """

    def __init__(self, race: RaceController, voice: Voice) -> None:
        """Begin before the first round."""
        self.ghost: Ghost | None = None
        self._race = race
        self._labels = race.labels
        self._own = race.session.seats
        self._voice = voice
        self._has_begun = False
        self._typed: set[tuple[int, type[e.Happened]]] = set()

    def typed(self, seat: int, command: c.Command) -> None:
        """Note an answer that was typed: what it alone leads to is no news."""
        if (echo := _ECHOES.get(type(command))) is not None:
            self._typed.add((seat, echo))

    def told_all(self, events: Iterable[tuple[e.Event, str]]) -> list[str]:
        """Say events one after another, as `told` does; what is drawn in several goes is one sentence."""
        lines: list[str] = []
        drawn_by: int | None = None
        for event, full in events:
            for text in self.told(event, full):
                seat = event.seat if isinstance(event, e.CardsDrawn) else None
                if seat is not None and seat == drawn_by:
                    lines[-1] += f", {text.removeprefix(_DRAWN)}"
                else:
                    lines.append(text)
                drawn_by = seat
        return lines

    def told(self, event: e.Event, full: str) -> list[str]:
        """Say an event, a text without its full stop for each sentence; none where it is left out.

        Args:
            full: As the log has it, "" for what the log leaves out.
        """
        if isinstance(event, e.RoundStarted):
            return self._round(event, full)
        if isinstance(event, e.CardsDrawn):
            return self._drawn(event)
        if not full or is_left_out(event):
            return []
        car: int | None = getattr(event, "car", getattr(event, "seat", None))
        levels = _OTHERS if self._own and car is not None and car not in self._own else _OWN
        level: WordLevel = levels.get(type(event), "few")
        if car is not None and (car, type(event)) in self._typed:
            self._typed.discard((car, type(event)))
            level = "all"
        if not self._voice.says(level):
            return []
        return list(filter(None, [self._said(event, full)]))

    def _round(self, event: e.RoundStarted, full: str) -> list[str]:
        """Say a round that begins, and before it how the one that has ended left the own cars."""
        self._has_begun = True
        view, seats = self._race.view, self._own
        if event.round != view.round:
            return [full]  # the cars have driven on since
        told = [self._standing(seat) for seat in seats if event.round > 1 and view.cars[seat].is_on_track]
        if self.ghost is not None and (gap := self.ghost.told(event.round - 1, view.cars[seats[0]].progress)):
            full += f"; {gap}"
        return [*told, full]

    def _standing(self, seat: int) -> str:
        race, setup = self._race, self._labels.setup
        if race.is_hot_seat:
            return standing_sentence(race.view, setup, seat, f"{self._labels.names[seat]} is")
        return self._voice.note((seat, "standing"), standing_sentence(race.view, setup, seat))

    def _said(self, event: e.Event, full: str) -> str:
        match event:
            case e.CarMoved():
                return move_text(event, self._labels, has_space=self._voice.says("usual"))
            case e.CornerChecked() if not self._voice.says("all"):
                return self._corner(event)
            case e.RaceEnded() if not self._voice.says("all"):
                return full.partition(":")[0]
            case _:
                return without_hashes(full)

    def _drawn(self, event: e.CardsDrawn) -> list[str]:
        """Say what is drawn; the first hand is said by the first question."""
        if not event.cards or not self._has_begun:
            return []
        return [f"{_DRAWN}{cards_text(sorted(event.cards, key=HAND_ORDER.__getitem__))}"]

    def _corner(self, event: e.CornerChecked) -> str:
        """Say what a corner costs, "" where it is free."""
        if not event.owed:
            return ""
        name, corner = self._labels.names[event.seat], f"corner {event.corner + 1}"
        return (
            f"{name} pays {event.paid} Heat at {corner}" if event.paid else f"{name} has no Heat for {corner}"
        )


def is_left_out(event: e.Event) -> bool:
    """Tell whether an event is never said by itself: moves say it, or it is asked for."""
    return isinstance(event, _NOT_SAID)
