"""One round of a recorded race, looked at choice by choice and draw by draw.

Theory of operation. The events are applied one after another. Before a seat's choice is applied, it is
weighed by what that seat saw then. Cards that are drawn and flipped are weighed twice: what was to be
expected before they turned up, by the seat's own piles and hand, and what came. All values are expected
turns to the finish from the seat's own value table, told in spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from heat_core.cards import playable_cards
from heat_core.coach.appraisal import Appraisal, Chance, plays_of
from heat_core.coach.choice_words import command_words
from heat_core.decisions import only_command
from heat_core.planner.hands import NextHands
from heat_core.planner.own_turn import OwnTurn
from heat_core.planner.table_key import own_table_key, plain_table_key
from heat_core.planner.tables import TABLES
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.planner.value_table import ValueTable
from heat_core.planner.winning import chances_of_winning, turns_of_cars
from heat_core.race import events as e
from heat_core.race.apply import apply
from heat_core.race.commands import SECRET_KINDS, Command, DecisionKind
from heat_core.race.phase import Phase
from heat_core.race.state import Race, new_race
from heat_core.record.record import Record
from heat_core.rng import Stream
from heat_core.view.observation import Observation
from heat_core.view.odds import own_flip_odds
from heat_core.view.secrecy import public_setup, view_race

LEAST_LOSS: Final = 0.3
"""Spaces: less is the error of the draws that choices are weighed by, and counts as nothing."""

_DRAWS: Final = 64
"""Hands that might have been drawn, for what was to be expected."""

LuckKind: TypeAlias = Literal["draw", "flip", "legend_card"]


class JudgedChoice(msgspec.Struct, frozen=True):
    """A choice of a seat, against the best that it could have known.

    Attributes:
        event: Number of the event, from 1; before it the choice was open.
        round: 0 before the first.
        taken: What was chosen, in words too.
        best: The best choice; the same where nothing was better.
        lost: Spaces that it cost, at least 0.
    """

    event: int
    round: int
    seat: int
    kind: DecisionKind
    taken: Command
    best: Command
    taken_words: str
    best_words: str
    lost: float


class Luck(msgspec.Struct, frozen=True):
    """What cards that turned up were worth against what was to be expected.

    Attributes:
        event: Number of the event, from 1, with which they had turned up.
        kind: Cards drawn to the hand, cards flipped, or the Legend card that moves the Legends ahead.
        round: 0 before the first.
        spaces: Gained; below 0 lost.
    """

    event: int
    round: int
    seat: int
    kind: LuckKind
    spaces: float


class RoundAnalysis(msgspec.Struct, frozen=True):
    """A round; the first one begins with the first event.

    Attributes:
        round: Its number; 0 is what comes before the first round.
        chances: Of winning, by car, at its end.
    """

    round: int
    choices: tuple[JudgedChoice, ...]
    luck: tuple[Luck, ...]
    chances: tuple[float, ...]


def round_starts(events: Sequence[e.Event]) -> list[int]:
    """List where the parts of a race begin, as places in its list of events: the set-up, then each round."""
    return [0, *[place for place, event in enumerate(events) if isinstance(event, e.RoundStarted)]]


def analyse_round(record: Record, part: int) -> RoundAnalysis:
    """Look at one part of a verified record.

    Args:
        part: Place in the list of `round_starts`.
    """
    starts = [*round_starts(record.events), len(record.events)]
    race = new_race(record.setup)
    for event in record.events[: starts[part]]:
        apply(race, event)
    judge = RoundJudge(race)
    happened = record.events[starts[part] : starts[part + 1]]
    for place, event in enumerate(happened):
        following = happened[place + 1] if place + 1 < len(happened) else None
        judge.before(event)
        apply(race, event)
        judge.after(event, following)
    return judge.close()


class _Flips(NamedTuple):
    """Flips that are turning up.

    Attributes:
        chances: What each speed would mean, or each sum of the flips.
        by_sum: Whether it is the sum.
        shown: The sum so far.
    """

    chances: dict[int, Chance]
    by_sum: bool
    shown: int = 0


class RoundJudge:
    """Looks at a race while its events are applied."""

    def __init__(self, race: Race) -> None:
        """Begin.

        Args:
            race: Somebody else applies the events to it, and says so before and after each.
        """
        self._race = race
        self._setup = public_setup(race.setup)
        self._choices: dict[tuple[object, ...], JudgedChoice] = {}
        self._luck: list[Luck] = []
        self._draws: dict[int, float] = {}
        self._flips: dict[int, _Flips] = {}
        self._before_moves: dict[int, Observation] = {}

    def close(self) -> RoundAnalysis:
        """Put together what there was; the round is over."""
        race = self._race
        return RoundAnalysis(
            race.round if race.status != "set_up" else 0,
            tuple(sorted(self._choices.values(), key=lambda choice: choice.event)),
            tuple(self._luck),
            self._chances(),
        )

    def before(self, event: e.Event) -> None:
        """Weigh what is about to be decided, or to turn up."""
        match event:
            case e.ChoiceMade() if event.decision is not None and event.command is not None:
                self._judge(event.seat, event.command)
            case e.PileReshuffled() | e.CardsDrawn() if self._race.phase in (Phase.SET_UP, Phase.REPLENISH):
                if event.seat not in self._draws and self._is_racing(event.seat):
                    self._draws[event.seat] = self._expected_of_draw(event.seat)
            case e.CardsRevealed():
                self._expect_flips(event.seat)
            case _:
                pass

    def after(self, event: e.Event, following: e.Event | None) -> None:
        """Note what has turned up."""
        match event:
            case e.CardsDrawn() if event.seat in self._draws and not _draws_on(event.seat, following):
                expected = self._draws.pop(event.seat)
                self._note(event.seat, "draw", expected - self._turns_of_hand(event.seat))
            case e.CardFlipped() if (flips := self._flips.get(event.seat)) is not None:
                self._flips[event.seat] = flips._replace(shown=flips.shown + event.value)
            case e.TurnOrderFixed():
                self._before_moves = self._see_before_moves()
            case e.LegendCardTurned():
                self._note_legend_card(event.card)
            case e.SpeedSet() if (flips := self._flips.pop(event.seat, None)) is not None:
                self._note_flips(event, flips)
            case _:
                pass

    # --- choices -------------------------------------------------------------------------------------------

    def _judge(self, seat: int, taken: Command) -> None:
        race, observation = self._race, self._see(seat)
        choice = observation.own.choice
        assert choice is not None
        if only_command(choice) is not None:
            return
        appraisal = Appraisal(observation, self._table(observation), self._draws_of(seat))
        ours, best = appraisal.best(taken)
        lost = (ours.turns - best.turns) * SPACES_A_TURN
        if lost < LEAST_LOSS:
            lost, best = 0.0, ours
        kind = race.open[seat].kind
        number = race.event_number + 1
        # A secret choice that is made again takes the place of the one before.
        self._choices[(seat, kind) if kind in SECRET_KINDS else (number,)] = JudgedChoice(
            number,
            self._round,
            seat,
            kind,
            taken,
            best.command,
            command_words(taken, choice),
            command_words(best.command, choice),
            lost,
        )
        if chances := appraisal.flips(taken):
            self._flips[seat] = _Flips(chances, by_sum=False)

    # --- luck ----------------------------------------------------------------------------------------------

    def _expected_of_draw(self, seat: int) -> float:
        observation = self._see(seat)
        car, own = observation.own_car, observation.own
        pool = playable_cards(own.hand)
        hands = NextHands(observation, self._table(observation), Stream(self._draws_of(seat)), _DRAWS)
        return hands.turns_with(car.progress, car.gear, car.engine, pool, len(own.hand) - len(pool), _DRAWS)

    def _turns_of_hand(self, seat: int) -> float:
        observation = self._see(seat)
        car, hand = observation.own_car, observation.own.hand
        pool = playable_cards(hand)
        table = self._table(observation)
        return table.best_turn(car.progress, car.gear, car.engine, pool, len(hand) - len(pool))

    def _expect_flips(self, seat: int) -> None:
        """Weigh what the flips of cards may bring that are about to turn up."""
        observation = self._see(seat)
        car, own = observation.own_car, observation.own
        plays = plays_of(playable_cards(own.hand), own.face_down, car.gear, car.engine)
        flips = max([play.way.flips for play in plays], default=0)
        if not flips:
            return
        turn = self._own_turn(observation)
        self._flips[seat] = _Flips(
            {
                gain: Chance(probability, min(turn.flipped(play, gain) for play in plays))
                for gain, probability in own_flip_odds(observation, flips).items()
            },
            by_sum=True,
        )

    def _see_before_moves(self) -> dict[int, Observation]:
        """Give what each seat sees that has chosen its cards, before the first car moves."""
        seen = {}
        for seat in self._race.racing_seats():
            observation = self._see(seat)
            if observation.own.face_down:
                view = msgspec.structs.replace(observation.view, phase=Phase.PLAY_CARDS)
                seen[seat] = Observation(self._setup, view)
        return seen

    def _note_legend_card(self, card: int) -> None:
        """Weigh the cards that seats have chosen, by where the card will lead the Legends ahead of them."""
        waiting = self._race.turn_order[self._race.turns_taken :]
        for seat, observation in self._before_moves.items():
            if seat in waiting:
                view = msgspec.structs.replace(observation.view, legend_card=card)
                came = self._turns_of_play(Observation(self._setup, view))
                self._note(seat, "legend_card", self._turns_of_play(observation) - came)

    def _turns_of_play(self, observation: Observation) -> float:
        """Weigh the cards that a seat has chosen, by where the others will be."""
        car, own = observation.own_car, observation.own
        turn = self._own_turn(observation)
        plays = plays_of(playable_cards(own.hand), own.face_down, car.gear, car.engine)
        return min(turn.played(play) for play in plays)

    def _own_turn(self, observation: Observation) -> OwnTurn:
        table = self._table(observation)
        return OwnTurn(
            observation,
            table,
            NextHands(observation, table, Stream(self._draws_of(observation.own.seat)), _DRAWS),
        )

    def _note_flips(self, event: e.SpeedSet, flips: _Flips) -> None:
        came = flips.chances.get(flips.shown if flips.by_sum else event.speed)
        if came is not None:
            expected = sum(chance.probability * chance.turns for chance in flips.chances.values())
            self._note(event.seat, "flip", expected - came.turns)

    def _note(self, seat: int, kind: LuckKind, turns: float) -> None:
        number = self._race.event_number
        self._luck.append(Luck(number, self._round, seat, kind, turns * SPACES_A_TURN))

    # --- the race ------------------------------------------------------------------------------------------

    @property
    def _round(self) -> int:
        return self._race.round if self._race.status != "set_up" else 0

    def _is_racing(self, seat: int) -> bool:
        return self._race.cars[seat].status == "racing"

    def _see(self, seat: int) -> Observation:
        return Observation(self._setup, view_race(self._race, seat))

    def _draws_of(self, seat: int) -> str:
        """Name what the coach's own draws come from: nothing of the race's seed is in it."""
        return f"analysis/{self._race.event_number}/{seat}"

    def _table(self, observation: Observation) -> ValueTable:
        # In a draft no deck is complete, and the weather may not be drawn.
        is_drafting = observation.view.status == "set_up" and not observation.own.hand
        return TABLES.get(plain_table_key(observation) if is_drafting else own_table_key(observation))

    def _chances(self) -> tuple[float, ...]:
        race = self._race
        if race.end is not None:
            winner = race.standings[0].car if race.end == "finished" and race.standings else None
            return tuple([float(car.number == winner) for car in race.cars])
        if race.left:
            return tuple([float(car.number == race.left[0]) for car in race.cars])
        observation = Observation(self._setup, view_race(race, None))
        table = TABLES.get(plain_table_key(observation))
        return chances_of_winning(turns_of_cars(self._setup, observation.view, table))


def _draws_on(seat: int, following: e.Event | None) -> bool:
    return isinstance(following, e.CardsDrawn | e.PileReshuffled) and following.seat == seat
