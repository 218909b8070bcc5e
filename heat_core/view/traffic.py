"""Where the cars that drive before the own one may be, and so where its own move may end.

Theory of operation. Cards are chosen before the first car drives. A car that drives later than the own one
stands, when the own one moves, where it stands now: its spot is taken for sure. A car that drives earlier
will be on one of some spaces: a Legend where one of the ten Legend cards leads it, a seat on its own
space (a cluttered hand, no speed) or anywhere as far as its gear and its cards can take it. So a space is
full for sure, or free for sure, or full only if some of these cars stop there; and a move has a first place
where it may end, and perhaps others, each only if all the spaces before it are full. Which cars can fill
spaces is judged by each space alone and by their number for all of them: what is given as possible may be
more than can be, never less. Nobody is expected to give up meanwhile.

Once the turn of the own car has come nobody drives before it any more: everything is certain.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from heat_core.cards import (
    CATALOGUE,
    DIRECT_CARDS,
    SPEED_VALUES,
    SPONSORSHIP_CARDS,
    STARTING_CARDS,
    CardName,
    deck_card,
)
from heat_core.data.legends import LEGEND_CARDS
from heat_core.race.phase import Phase
from heat_core.race.presets import Rules
from heat_core.race.setup import LegendSetup
from heat_core.rules.legends import legend_aim
from heat_core.rules.movement import SLIPSTREAM_SPACES, end_of_move, free_spot, has_slipstream_partner
from heat_core.track import Track
from heat_core.view.observation import Observation
from heat_core.view.race_view import CarView


class Stop(NamedTuple):
    """Where a move may end.

    Attributes:
        spot: The one that it takes if no car that drives before has taken it.
        full: Progress of the spaces that must all be full, of those that may be free, that the car ends here.
    """

    progress: int
    spot: int
    full: tuple[int, ...] = ()


class Traffic:
    """The cars around the own one as they may be when it moves.

    Attributes:
        taken: Spots taken for sure, as 2 x space + spot.
        coming: Of each car that drives before: the spaces where it may be then.
    """

    __slots__ = ("coming", "rules", "taken", "track")

    def __init__(self, track: Track, rules: Rules, taken: set[int]) -> None:
        """Begin with cars that stand still."""
        self.track = track
        self.rules = rules
        self.taken = taken
        self.coming: list[frozenset[int]] = []

    def stops(
        self, start: int, spot: int, aim: int, full: tuple[int, ...] = (), *, is_back: bool = False
    ) -> tuple[Stop, ...]:
        """List where a car may end that is to stop on a space.

        Args:
            start: Progress where it stands; a search backwards ends there.
            spot: Where it stands.
            aim: Progress of the space.
            full: Spaces that are known to be full besides.
            is_back: Whether full spaces send it back, whatever the rules say of a move.

        Returns:
            From the nearest to the aim on; one alone is certain.
        """
        if not self.coming and not is_back:
            return (Stop(*end_of_move(self.track, self.rules, self.taken, start, spot, aim - start)),)
        step = -1 if is_back or self.rules.full_space == "behind" else 1
        found: list[Stop] = []
        progress, must_be_full = aim, full
        while progress != start:
            free = self._free_spot(progress, full)
            if free is not None:
                found.append(Stop(progress, free, must_be_full[len(full) :]))
                must_be_full = (*must_be_full, progress)
                if not self._can_be_full(must_be_full):
                    return tuple(found)
            progress += step
        return (*found, Stop(start, spot, must_be_full[len(full) :]))

    def _free_spot(self, progress: int, full: tuple[int, ...]) -> int | None:
        return None if progress in full else free_spot(self.track, self.taken, progress)

    def _can_be_full(self, places: tuple[int, ...]) -> bool:
        """Tell whether the cars that drive before can fill all these spaces."""
        spaces = [self.track.space(progress) for progress in places]
        wanted = [self._free_spots(space) for space in spaces]
        for space, free in zip(spaces, wanted, strict=True):
            if sum(space in reach for reach in self.coming) < free:
                return False
        return sum(wanted) <= sum(not reach.isdisjoint(spaces) for reach in self.coming)

    def _free_spots(self, space: int) -> int:
        return sum(space * 2 + spot not in self.taken for spot in range(self.track.spots[space]))

    def has_partner(self, progress: int, full: tuple[int, ...]) -> bool:
        """Tell whether a car is sure to be beside a place or in the very next space."""
        if has_slipstream_partner(self.track, self.taken, progress):
            return True
        return progress in full or progress + 1 in full

    def may_get_partner(self, progress: int) -> bool:
        """Tell whether a car that drives before may stop there."""
        if not self.coming:
            return False
        near = {self.track.space(progress), self.track.space(progress + 1)}
        return any(not near.isdisjoint(reach) for reach in self.coming)


def traffic_before(observation: Observation) -> Traffic:
    """Work out how the others may be when the own car moves."""
    own = observation.own_car
    traffic = Traffic(observation.track, observation.setup.rules, observation.occupied(own.number))
    before = cars_before(observation)
    if before:
        traffic.taken.add(own.space * 2 + own.spot)
    for car in before:
        # All that drive later, the own car too, still stand in its way.
        traffic.taken.discard(car.space * 2 + car.spot)
        legend = observation.setup.cars[car.number].legend
        reach = (
            _reach_of_seat(observation, car)
            if legend is None
            else _reach_of_legend(observation, traffic, car, legend)
        )
        traffic.coming.append(frozenset(observation.track.space(progress) for progress in reach))
    traffic.taken.discard(own.space * 2 + own.spot)
    return traffic


def cars_before(observation: Observation) -> list[CarView]:
    """List the cars that drive before the own one's move, in their order; none once its turn has come."""
    if observation.phase > Phase.PLAY_CARDS:
        return []
    view, own = observation.view, observation.seat
    ahead = view.ranking[: view.ranking.index(own)]
    return [view.cars[number] for number in ahead if view.cars[number].status == "racing"]


def _reach_of_legend(
    observation: Observation, traffic: Traffic, car: CarView, legend: LegendSetup
) -> set[int]:
    """List where one of the Legend cards may lead a Legend."""
    track, start = observation.track, car.progress
    assert legend.helmet is not None
    found: set[int] = set()
    for card in LEGEND_CARDS:
        diamond, top_speed = card[legend.helmet]
        aim = legend_aim(
            track,
            start,
            observation.finish_line,
            diamond=diamond,
            top_speed=top_speed + legend.bonus,
            chevrons=legend.chevrons,
            roads=observation.roads,
        )
        short = set() if aim.stop is None else {aim.stop}
        for stop in traffic.stops(start, car.spot, start + aim.speed) if aim.stop is None else ():
            too_far = aim.stop_of(track, start, stop.progress, observation.finish_line)
            if too_far is None:
                found.add(stop.progress)
            else:
                short.add(too_far)
        for last in short:
            back = traffic.stops(start, car.spot, max(last, start), is_back=True)
            found.update(stop.progress for stop in back)
    return found


def _pace(card: CardName) -> int:
    """Give the most spaces that a card can bring a car, but for what it accelerates."""
    facts = CATALOGUE[card]
    brought = {"flip": _FASTEST_FLIP, "draft": 1, "slipstream": 1}
    return max(facts.speeds, default=0) + sum(n * brought.get(kind, 0) for kind, n in facts.symbols)


_FASTEST_FLIP: Final = max(SPEED_VALUES.values())
_PACES: Final = {card: _pace(card) for card in CATALOGUE}
_FASTEST_SPONSORSHIP: Final = max(_PACES[card] for card in SPONSORSHIP_CARDS)
_BESIDES_CARDS: Final = _FASTEST_FLIP + 1 + SLIPSTREAM_SPACES + 2
"""A boost, adrenaline, a slipstream, and what a sector adds to it."""


def _reach_of_seat(observation: Observation, car: CarView) -> range:
    """Give where another seat may stop: from where it stands, with a cluttered hand, to the farthest place.

    That is with the fastest cards that it may own, all that they bring, and full spaces that send it on.
    """
    modules = observation.setup.modules
    owned = [deck_card(upgrade) for upgrade in car.upgrades]
    paces = [_PACES[card] for card in owned]
    paces += [max(_PACES[card] for card in STARTING_CARDS)] + [_FASTEST_FLIP] * car.gear
    paces += [_FASTEST_SPONSORSHIP] * car.gear if modules.sponsorships or modules.event else []
    spaces = sum(sorted(paces)[-car.gear :]) + _BESIDES_CARDS
    spaces += sum(_PACES[card] for card in owned if card in DIRECT_CARDS)
    symbols = Counter[str]()
    for card in owned:
        symbols.update(dict(CATALOGUE[card].symbols))
    # A Stress card for each other card of the gear, and the boost, are flips too.
    spaces += symbols["accelerate"] * (symbols["flip"] + car.gear + 1)
    return range(car.progress, car.progress + spaces + len(observation.view.cars))
