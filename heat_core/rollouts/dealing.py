"""A race made again from what a seat sees, with the hidden cards dealt anew.

Everything is made from an observation, so no secret can be in it. What is not seen is dealt uniformly among
what the seat cannot know: the order of its own draw pile, hands and draw piles of the others, the Legend
cards and Sponsorships that are left. What others have chosen in secret is open again. A view does not say
which Legend cards were turned in earlier rounds: how many follows from the round, which ones is dealt. Nor
does it say which laps were completed this round, where an event asks for that: each car has those behind it
that it has driven, and owes nothing for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from heat_core.cards import HAND_ORDER, SPONSORSHIP_CARDS, CardName
from heat_core.data.legends import LEGEND_CARDS
from heat_core.positions.seen import hidden_cards
from heat_core.race.cars import Legend, Seat
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup, sponsorship_cards
from heat_core.race.state import OFF_TRACK, OpenDecision, Race, Turn, new_race
from heat_core.rng import Stream
from heat_core.view.observation import Observation
from heat_core.view.race_view import CarView, RaceView, TurnView

_ROUND: Final = range(Phase.SHIFT_GEARS, Phase.ENDED)


class NoRollOut(ValueError):
    """A race cannot be played on from this moment; the text says why."""


class _Hidden(NamedTuple):
    """Cards that lie in a hand and a draw pile, nobody knows which where."""

    seat: int
    cards: tuple[CardName, ...]
    hand_size: int


class Dealing:
    """A race as a seat or a spectator sees it, to be dealt again and again.

    Attributes:
        face_down: Seats whose cards lie face down, unknown, until their turn begins.
    """

    def __init__(self, observation: Observation) -> None:
        """Take in what is seen.

        Raises:
            NoRollOut: No round runs.
        """
        view = observation.view
        if view.phase not in _ROUND:
            raise NoRollOut("A race is played on from within a round, not before the first or after the end.")
        self._race = _seen_race(observation)
        self._own = None if view.own is None else view.own.seat
        self._hidden = tuple(_hidden(observation.setup, view))
        self._sponsorships = _unseen_sponsorships(observation.setup, view)
        self._legend_cards = tuple(card for card in range(len(LEGEND_CARDS)) if card != view.legend_card)
        self.face_down = tuple(
            number
            for number in view.turn_order[self._race.turns_taken :]
            if number != self._own
            and type(self._race.cars[number]) is Seat
            and view.cars[number].status == "racing"
        )

    def deal(self, stream: Stream) -> Race:
        """Make a race of its own, with a seed of its own, that agrees with all that is seen."""
        race = self._race.copy()
        seed = "/".join([str(stream.below(1 << 32)) for _ in range(4)])
        race.reseed(seed)
        for number, cards, hand_size in self._hidden:
            seat = race.seat(number)
            order = stream.sample(cards, len(cards))
            seat.hand = sorted(order[:hand_size], key=HAND_ORDER.__getitem__)
            seat.draw_pile = order[hand_size:]
        if self._own is not None:
            own = race.seat(self._own)
            own.draw_pile = stream.sample(own.draw_pile, len(own.draw_pile))
        race.legend_deck = stream.sample(self._legend_cards, _legend_cards_left(race))
        race.sponsorship_deck = sorted(
            stream.sample(self._sponsorships, len(race.sponsorship_deck)), key=HAND_ORDER.__getitem__
        )
        return race


def _seen_race(observation: Observation) -> Race:
    """Make the race as far as it is seen; hidden piles are empty."""
    setup, view = observation.setup, observation.view
    race = new_race(setup)
    for car, seen in zip(race.cars, view.cars, strict=True):
        _put_in(car, seen)
        race.places[car.number] = seen.space * 2 + seen.spot if seen.is_on_track else OFF_TRACK
    race.event_number, race.round, race.phase = view.event_number, view.round, view.phase
    race.turn_order, race.adrenaline = view.turn_order, view.adrenaline
    if view.turn is not None:
        race.turn = _turn_of(view.turn)
        race.turns_taken = view.turn_order.index(view.turn.car) + 1
    else:
        race.turns_taken = len(view.turn_order)
    race.legend_card, race.is_last_round = view.legend_card, view.is_last_round
    race.left = [number for number in view.ranking if view.cars[number].status == "left"]
    out = [number for number in view.ranking if view.cars[number].status in ("gave_up", "spun_out")]
    race.out = out[::-1]
    race.weather, race.roads = view.weather, view.roads
    race.upgrade_deck, race.offered = [], []
    race.sponsorship_deck = race.sponsorship_deck[: view.sponsorships_left]
    _open_decisions(race, view)
    _note_laps(race)
    return race


def _put_in(car: Seat | Legend, seen: CarView) -> None:
    """Give a car what all see of it."""
    car.progress, car.spot, car.status = seen.progress, seen.spot, seen.status
    if type(car) is Legend:
        car.speed = seen.speed
        return
    assert type(car) is Seat
    car.gear, car.engine = seen.gear, seen.engine
    car.discard_pile, car.played = list(seen.discard_pile), list(seen.played)
    car.is_cluttered, car.upgrades = seen.is_cluttered, seen.upgrades


def _turn_of(seen: TurnView) -> Turn:
    turn = Turn(seen.car, seen.start, seen.start_spot)
    turn.speed, turn.parts, turn.flips, turn.lines = seen.speed, seen.parts, seen.flips, seen.lines
    turn.symbols = seen.symbols
    turn.used = sum(1 << place for place, used in enumerate(seen.used) if used)
    turn.cards = max((symbol.card for symbol in seen.symbols), default=0)
    return turn


def _open_decisions(race: Race, view: RaceView) -> None:
    """Open what is asked of seats: the own answer stands, those of others are to be given again."""
    own = view.own
    race.next_decision = 1 + (own.decision or 0 if own else 0)
    for each in view.decisions:
        if own is not None and own.seat == each.seat:
            decision = OpenDecision(own.decision or 0, each.kind, own.chosen)
        else:
            decision = OpenDecision(race.next_decision, each.kind)
            race.next_decision += 1
        race.open[each.seat] = decision
        if decision.chosen is None:
            race.owing.append(each.seat)
    if own is not None:
        seat = race.seat(own.seat)
        seat.hand, seat.draw_pile, seat.face_down = list(own.hand), list(own.draw_pile), own.face_down


def _note_laps(race: Race) -> None:
    """Note the laps that cars have behind them, if the race's event asks for it."""
    if not race.event_card.asks_for_laps:
        return
    turn = race.turn
    for car in sorted(race.cars, key=lambda car: -car.progress):
        progress = turn.start if turn is not None and turn.car == car.number else car.progress
        car.laps_completed = max(0, race.track.lap(progress) - 1)
        if car.laps_completed:
            race.first_lap += (car.number,)


def _hidden(setup: RaceSetup, view: RaceView) -> Iterator[_Hidden]:
    """List what lies hidden with each of the other seats."""
    for car in view.cars:
        if not car.is_legend and (view.own is None or view.own.seat != car.number):
            yield _Hidden(car.number, tuple(hidden_cards(setup, view, car)), car.hand_size)


def _unseen_sponsorships(setup: RaceSetup, view: RaceView) -> tuple[CardName, ...]:
    """List the Sponsorships that nobody has been seen with, at least as many as are left."""
    box = sponsorship_cards(setup)
    seen: list[Sequence[CardName]] = [(*car.discard_pile, *car.played) for car in view.cars]
    if view.own is not None:
        seen.append((*view.own.hand, *view.own.draw_pile))
    unseen = Counter(box) - Counter(card for pile in seen for card in pile if card in SPONSORSHIP_CARDS)
    return tuple(unseen.elements())


def _legend_cards_left(race: Race) -> int:
    """Count the Legend cards not turned: one a round, and all are shuffled when the last has been turned."""
    if not any(type(car) is Legend for car in race.cars):
        return 0
    turned = race.round - (race.legend_card is None)
    return -turned % len(LEGEND_CARDS)
