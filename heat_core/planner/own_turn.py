"""What the own turn leads to, by what its seat sees of the race."""

from __future__ import annotations

from typing import Final, NamedTuple

from heat_core.cards import HEAT, CardName, playable_cards
from heat_core.planner.hands import NextHands, without
from heat_core.planner.rivals import Rivals
from heat_core.planner.turn_rows import SPACES_A_TURN, STANDING_TURNS
from heat_core.planner.value_table import ValueTable
from heat_core.planner.ways import MEAN_FLIP, Way
from heat_core.rules.effects import GEAR_COOLDOWN
from heat_core.rules.order import adrenaline_cars
from heat_core.view.observation import Observation
from heat_core.view.odds import own_flip_odds
from heat_core.view.outcomes import Forecast, Outcome


class Play(NamedTuple):
    """A way to play the hand in a gear.

    Attributes:
        engine: After the shift was paid.
        cards: Those of phase 2.
    """

    gear: int
    engine: int
    way: Way
    cards: tuple[CardName, ...]


class _Rest(NamedTuple):
    """What a turn leaves in the hand: playable cards, and how much Heat."""

    pool: tuple[CardName, ...]
    heat: int


class OwnTurn:
    """The own car's turn, from where it stands now.

    Attributes:
        rivals: What the other cars may do before.
    """

    def __init__(self, observation: Observation, table: ValueTable, hands: NextHands) -> None:
        """Look at the others once."""
        self._observation = observation
        self._table = table
        self._hands = hands
        self.rivals = Rivals(observation, table.road)
        car, own = observation.own_car, observation.own
        self._start = car.progress
        self._pool = playable_cards(own.hand)
        self._heat = len(own.hand) - len(self._pool)
        self._has_adrenaline = own.seat in _with_adrenaline(observation)
        self._odds: dict[int, dict[int, float]] = {}
        self._known: dict[tuple[int, ...], float] = {}

    def played(self, play: Play, *, may_boost: bool = True) -> float:
        """Give the turns left after a way to play the hand; what cannot be paid is as bad as a spin-out."""
        odds = self._flip_odds(play.way.flips)
        return sum(chance * self.flipped(play, gain, may_boost=may_boost) for gain, chance in odds.items())

    def flipped(self, play: Play, gain: int, *, may_boost: bool = True) -> float:
        """Give the same where it is known how much the flips add to the speed."""
        gear, way = play.gear, play.way
        engine = self._engine_of(play) - way.heat
        if engine < 0:
            return self._table.turn.spun_out(self._start, self._start, gear)
        speeds = {way.speed + gain, way.speed + gain + way.accelerate * way.flips}
        return min(self._driven(speed, gear, engine, way, may_boost=may_boost) for speed in speeds)

    def rest_matters(self, play: Play) -> float | None:
        """Say by how many turns the cards that a play leaves in the hand are worse than the usual ones.

        It is judged where the play most likely ends, without adrenaline, boost or slipstream; None where it
        spins out or ends the race, and the hand matters little.
        """
        gear, way, cards = play.gear, play.way, play.cards
        engine = self._engine_of(play) - way.heat
        speed = way.speed + round(MEAN_FLIP * way.flips)
        end = self._start + speed
        left = engine - self._owed(end, speed, way.adjust)
        if left < 0 or not speed or end > self._table.finish_line:
            return None
        heat = self._heat - self._cooled(play)
        further = self._hands.turns(end, gear, left, without(self._pool, cards), heat)
        return (1.0 - self.rivals.ending) * (further - self._table.turns(end, gear, left))

    def _cooled(self, play: Play) -> int:
        cooldown = GEAR_COOLDOWN.get(play.gear, 0) + play.way.cooldown + self._has_adrenaline
        return min(self._heat, cooldown)

    def _engine_of(self, play: Play) -> int:
        """Give the engine after all cooling."""
        above = min(play.way.super_cool, self._observation.own_car.discard_pile.count(HEAT))
        return min(play.engine + self._cooled(play) + above, self._table.key.heat)

    def _owed(self, end: int, speed: int, adjust: int) -> int:
        owed = 0
        for _, limit, surcharge in self._table.road.lines_crossed(self._start, end):
            limit = max(0, limit + adjust)
            if speed > limit:
                owed += speed - limit + surcharge
        return owed

    def _flip_odds(self, flips: int) -> dict[int, float]:
        if flips not in self._odds:
            self._odds[flips] = own_flip_odds(self._observation, flips)
        return self._odds[flips]

    def _driven(self, speed: int, gear: int, engine: int, way: Way, *, may_boost: bool) -> float:
        """Give the turns left after a move and the best of adrenaline and boost."""
        best = self._moved(speed, gear, engine, way)
        if self._has_adrenaline:
            best = min(best, self._moved(speed + 1, gear, engine, way))
        if may_boost and gear in self._table.key.boost_gears:
            heat = 0 if speed in self._table.road.free_boosts(self._start, speed) else 1
            if engine >= heat:
                boosted = sum(
                    chance * self._moved(speed + gain, gear, engine - heat, way)
                    for gain, chance in self._flip_odds(1).items()
                )
                best = min(best, boosted)
        return best

    def _moved(self, speed: int, gear: int, engine: int, way: Way) -> float:
        """Give the turns left after a move, a slipstream as a chance."""
        # Many ways to play a hand come to the same move.
        asked = (speed, gear, engine, way.adjust, way.slipstream)
        known = self._known.get(asked)
        if known is None:
            known = self._known[asked] = self._followed_by_chance(speed, gear, engine, way)
        return known

    def _followed_by_chance(self, speed: int, gear: int, engine: int, way: Way) -> float:
        end = self._start + speed
        value = self._paid(end, speed, gear, engine, way.adjust)
        if gear not in self._table.key.slipstream_gears:
            return value
        ends = self._table.road.slipstreams(end)
        chance = self.rivals.partner_chance(end) if ends else 0.0
        if chance:
            if way.slipstream:
                ends = (*ends, *[each + way.slipstream for each in ends])
            followed = min(self._paid(end + each, speed, gear, engine, way.adjust) for each in ends)
            value += chance * min(0.0, followed - value)
        return value

    def _paid(self, end: int, speed: int, gear: int, engine: int, adjust: int) -> float:
        """Give the turns left once corners are paid."""
        if end == self._start:
            return self._blended(STANDING_TURNS + self._table.turns(end + 1, gear, engine), end)
        owed = 0
        for line, limit, surcharge in self._table.road.lines_crossed(self._start, end):
            limit = max(0, limit + adjust)
            if speed > limit:
                owed += speed - limit + surcharge
                if owed > engine:
                    spun = self._table.turn.spun_out(self._start, line, gear)
                    return self._blended(spun, line)
        return self._left(end, gear, engine - owed, None)

    def _left(self, end: int, gear: int, engine: int, rest: _Rest | None) -> float:
        """Give the turns left at the end of a turn."""
        if rest is None or end > self._table.finish_line:
            return self._blended(self._table.turns(end, gear, engine), end)
        return self._blended(self._hands.turns(end, gear, engine, rest.pool, rest.heat), end)

    def _blended(self, turns: float, end: int) -> float:
        """Let nothing but the place count as far as this round may be the last."""
        ending = self.rivals.ending
        if not ending:
            return turns
        return turns + ending * ((self._table.finish_line - end) / SPACES_A_TURN - turns)

    def cluttered(self, engine: int) -> float:
        """Give the turns left where the hand cannot fill the gear: the car stands."""
        turns = STANDING_TURNS + self._table.turns(self._start + 1, 1, max(0, engine))
        return self._blended(turns, self._start)

    def forecast(
        self, forecast: Forecast, *, is_deep: bool, cooled: int = 0, played: tuple[CardName, ...] = ()
    ) -> float:
        """Give the turns left after what a forecast says, a slipstream taken where it is sure and good.

        Args:
            is_deep: Look at the hand of the next turn.
            cooled: Heat that leaves the hand before.
            played: Cards that leave the hand before.
        """
        rest = _Rest(without(self._pool, played), self._heat - cooled) if is_deep else None
        return sum(
            outcome.probability * self._outcome(outcome, rest, forecast.lacking)
            for outcome in forecast.outcomes
        )

    def _outcome(self, outcome: Outcome, rest: _Rest | None, lacking: int) -> float:
        gear = self._observation.own_car.gear
        if outcome.spins_out:
            # That of the turn counts: the car stands behind its start where it drove on from.
            line = outcome.bills[-1].line
            return self._blended(self._table.turn.spun_out(min(self._start, line - 1), line, gear), line)
        value = self._left(outcome.end, gear, outcome.engine_left, rest) + _UNPAID_TURNS * lacking
        if outcome.slipstream_end is not None:
            value = min(value, self._followed(outcome, outcome.slipstream_end, gear, rest))
        return value

    def _followed(self, outcome: Outcome, end: int, gear: int, rest: _Rest | None) -> float:
        """Give the turns left after a slipstream, with the corners that it crosses."""
        owed = 0
        for line, limit, surcharge in self._table.road.lines_crossed(outcome.end, end):
            if outcome.speed > limit:
                owed += outcome.speed - limit + surcharge
                if owed > outcome.engine_left:
                    return self._blended(self._table.turn.spun_out(self._start, line, gear), line)
        return self._left(end, gear, outcome.engine_left - owed, rest)


_UNPAID_TURNS: Final = 0.2
"""What each Heat costs that played cards ask for and the engine does not have: cards go for flips."""


def _with_adrenaline(observation: Observation) -> tuple[int, ...]:
    """Name the cars that have adrenaline this round, or will have it."""
    view = observation.view
    if not observation.setup.event_card.has_adrenaline:
        return ()
    if view.turn_order:
        return ()  # its symbols are among the turn's
    racing = tuple([number for number in view.ranking if view.cars[number].status == "racing"])
    return adrenaline_cars(racing, len(view.cars))
