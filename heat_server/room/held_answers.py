"""Answers that were given and are not shown yet: the time of an answer must not reveal what it is.

Theory of operation. Where all choose in secret (gears, cards, discards), a hand may leave only one answer,
a cluttered hand for example; so may a reaction, with a cooldown and no Heat. A program gives that answer at
once, and the others would recognise it by its speed. So it is held: its sender has their ok, and everybody
else still sees the seat as waited for. It is shown once no person with a real choice is waited for any
more, after about the time that a bot takes, drawn at random. Bots think as soon as they are asked: their
secret choices are shown after a random time, all others after a short time that is always the same, however
long they thought. What people have answered is part of `TimerSnapshot`, so a restart does not lose it.
docs/rules.md: What is hidden.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from heat_core.data.facts import SymbolKind
from heat_core.decisions import Choice, ReactChoice, only_command
from heat_core.race import commands as c
from heat_core.race.normal_form import normalised
from heat_core.table import Table, TableDecision
from heat_server.room.timing import NEVER

LEAST_PART: Final = 0.5
MOST_PART: Final = 1.5
"""Between which parts of a bot's mean time a lot falls."""

OPEN_PART: Final = 0.25
"""After which part of that time a bot's open choice is shown, such as a reaction: others can follow it so."""

REACTIONS_OF_THE_HAND: Final[frozenset[SymbolKind]] = frozenset({"cooldown", "reduce_stress"})
"""Symbols that the hand alone may leave without use: the others see the symbol, and not why."""

_random: Final = secrets.SystemRandom()


class HeldAnswer(NamedTuple):
    """An answer that is not shown yet; the command is in its normal form."""

    seat: int
    decision: int
    command: c.Command


_Key = tuple[int, int]
"""Seat and decision."""


class HeldAnswers:
    """The held answers of one table."""

    def __init__(self, table: Table, mean_seconds: float, held: Iterable[HeldAnswer] = ()) -> None:
        """Begin.

        Args:
            table: Whose answers they are.
            mean_seconds: What a bot takes for a secret choice; 0: its answers, and forced ones that wait for
                nobody, are shown at once.
            held: What people had answered before a restart.
        """
        self._table = table
        self._mean_seconds = mean_seconds
        self._answers: dict[_Key, c.Command] = {(seat, number): command for seat, number, command in held}
        self._openings: dict[_Key, float] = {}  # since when each decision is open
        self._is_secret: dict[_Key, bool] = {}
        self._lots: dict[_Key, float] = {}  # drawn in [0, 1) once somebody asks
        self._is_forced: dict[_Key, bool] = {}
        self._changed_at = 0.0
        self._none_free_since: float | None = None

    def answer_of(self, seat: int) -> HeldAnswer | None:
        """Give the held answer of a seat."""
        if not self._answers:  # as nearly always, and this is asked for each update
            return None
        return next(
            (HeldAnswer(*key, command) for key, command in self._answers.items() if key[0] == seat), None
        )

    def answers_of_people(self) -> list[HeldAnswer]:
        """List what must not be lost."""
        if not self._answers:
            return []
        return [HeldAnswer(*key, command) for key, command in self._answers.items() if self._is_human(key[0])]

    def take(self, seat: int, decision: int, command: c.Command, choice: Choice | None) -> bool:
        """Hold an answer of a person, if their hand leaves no other and the others do not see that.

        Args:
            seat: Who answers.
            decision: What is answered.
            command: The answer.
            choice: What the seat is asked now.

        Returns:
            Whether it is held; else it is for the table to take or to refuse.
        """
        key = seat, decision
        if key not in self._openings or choice is None or only_command(choice) != normalised(command):
            return False
        if isinstance(choice, ReactChoice) and not self._may_hide_use(choice):
            return False
        self._answers[key] = normalised(command)
        self._is_forced[key] = True
        self._look_for_the_last_free()
        return True

    def think(self, seat: int, decision: int) -> None:
        """Let a bot make up its mind about its open choice; the answer is held."""
        self._answers[seat, decision] = self._table.bot_command(seat)

    def follow(self, owed: Sequence[TableDecision], now: float) -> None:
        """Note what is open after any change.

        Args:
            owed: The decisions that have no answer on the table.
            now: The time on the caller's clock.
        """
        before = self._openings
        keys = [(one.seat, one.decision) for one in owed if self._is_timed(one)]
        if not keys and not before:
            return
        self._openings = {key: before.get(key, now) for key in keys}
        self._is_secret = {(one.seat, one.decision): one.kind in c.SECRET_KINDS for one in owed}
        if self._lots:
            self._lots = {key: self._lots[key] for key in keys if key in self._lots}
        if self._answers:
            self._answers = {key: self._answers[key] for key in keys if key in self._answers}
        if not any(key in before for key in keys):
            self._is_forced = {}
            self._none_free_since = None
        self._changed_at = now
        self._look_for_the_last_free()

    def shift(self, seconds: float) -> None:
        """Let everything come later: time stood still for so long."""
        self._openings = {key: at + seconds for key, at in self._openings.items()}
        self._changed_at += seconds
        if self._none_free_since is not None:
            self._none_free_since += seconds

    def next_due(self, *, of_people: bool) -> float:
        """Give the time at which the next answer of people, or of bots, is shown."""
        if not self._answers:
            return NEVER
        keys = (key for key in self._answers if self._is_human(key[0]) is of_people)
        return min((self._due_at(key) for key in keys), default=NEVER)

    def due(self, now: float, *, of_people: bool) -> HeldAnswer | None:
        """Give an answer of people, or of bots, whose time has come; it stays held until the table has it."""
        for key, command in self._answers.items():
            if self._is_human(key[0]) is of_people and self._due_at(key) <= now:
                return HeldAnswer(*key, command)
        return None

    def _due_at(self, key: _Key) -> float:
        if not self._is_human(key[0]):
            part = OPEN_PART
            if self._is_secret[key]:
                part = LEAST_PART + self._lot(key) * (MOST_PART - LEAST_PART)
            return self._openings[key] + part * self._mean_seconds
        if self._none_free_since is None:
            return NEVER
        bots = [other for other in self._openings if not self._is_human(other[0])]
        if not all(bot in self._answers for bot in bots):
            return NEVER
        # A person with a choice has time, a bot has its lot: who has none comes behind them all.
        soonest = self._none_free_since + LEAST_PART * self._mean_seconds
        soonest = max([soonest, *map(self._due_at, bots)])
        latest = self._none_free_since + MOST_PART * self._mean_seconds
        return soonest + self._lot(key) * max(0.0, latest - soonest)

    def _lot(self, key: _Key) -> float:
        if key not in self._lots:
            self._lots[key] = _random.random()
        return self._lots[key]

    def _look_for_the_last_free(self) -> None:
        """Note since when no person with a choice is waited for, where anybody needs to know."""
        if self._none_free_since is None and self._answers:
            waited_for = [key for key in self._openings if self._is_human(key[0])]
            if all(self._leaves_nothing(key) for key in waited_for):
                self._none_free_since = self._changed_at

    def _leaves_nothing(self, key: _Key) -> bool:
        if key not in self._is_forced:
            asked = self._table.open_choice(key[0])
            self._is_forced[key] = asked is not None and only_command(asked.choice) is not None
        return self._is_forced[key]

    def _is_timed(self, decision: TableDecision) -> bool:
        """Tell whether the time of an answer may tell something."""
        return not self._is_human(decision.seat) or decision.kind in ("react", *c.SECRET_KINDS)

    def _may_hide_use(self, choice: ReactChoice) -> bool:
        """Tell whether, for all that the others know, a seat that cannot react might."""
        if choice.must:
            return False
        if self._table.setup.modules.garage != "none":  # some upgrades may be played from the hand now
            return True
        return any(use.symbol.kind in REACTIONS_OF_THE_HAND and not use.is_used for use in choice.symbols)

    def _is_human(self, seat: int) -> bool:
        return self._table.drivers[seat] == "human"
