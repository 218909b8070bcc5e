"""What is true of every race after every event, whatever was chosen.

Theory of operation. `invariants` looks at a race right after an event and lists what cannot be. What can be
read from the race alone is checked each time; which cards a seat should own follows from what it was
given and from the events since, so a `CardCount` counts along. Nothing here says which event may follow
which: that is proved by dealing a race again from its seed (`heat_core.record.record.verify_record`). Records
without a seed are held against these invariants, and so is every race of the random driver of the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

from heat_core.cards import (
    CATALOGUE,
    HEAT,
    SPONSORSHIP_CARDS,
    STARTING_CARDS,
    STRESS,
    UPGRADES,
    CardName,
    deck_card,
    sponsorship_deck,
    starting_deck,
)
from heat_core.data.legends import LEGEND_CARDS
from heat_core.data.upgrades import UPGRADE_COPIES
from heat_core.data.weather import NO_WEATHER, WEATHER
from heat_core.race import events as e
from heat_core.race.cars import Seat
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup
from heat_core.race.state import OFF_TRACK, ON_TRACK, Race
from heat_core.rules.order import standings
from heat_core.rules.sectors import road_problems
from heat_core.rules.start import cards_left, engine_of, named_cards


def invariants(race: Race, event: e.Event, count: CardCount) -> Iterator[str]:
    """List what does not hold of a race: nothing for any that the engine plays.

    Args:
        event: The last one that the race contains.
        count: Of this race; it has been asked after each event before.
    """
    yield from _names(race, event)
    yield from _cars(race)
    yield from _decisions(race)
    yield from _turns(race)
    yield from _tokens(race)
    yield from _end(race)
    yield from count.faults(race, event)


def cards_of(seat: Seat) -> Counter[CardName]:
    """Count a seat's cards wherever they are."""
    cards = Counter([*seat.hand, *seat.draw_pile, *seat.discard_pile, *seat.played])
    cards[HEAT] += seat.engine
    return cards


# --- what an event names --------------------------------------------------------------------------------


def _names(race: Race, event: e.Event) -> Iterator[str]:
    """See that cars, corners and cards that an event names exist: its sentence names them too."""
    cars = range(len(race.cars))
    for field in ("car", "seat"):
        number = getattr(event, field, None)
        if number is not None and number not in cars:
            yield f"car {number} of {len(race.cars)}"
        elif number is not None and field == "seat" and type(race.cars[number]) is not Seat:
            yield f"car {number} is a Legend and has no seat"
    if (corner := getattr(event, "corner", None)) is not None and corner not in range(
        len(race.track.corners)
    ):
        yield f"corner {corner + 1} of {len(race.track.corners)}"
    if unknown := sorted({card for card in cards_named(event) if card not in KNOWN_CARDS}):
        yield f"there is no card {unknown[0]!r}"
    if isinstance(event, e.GridDrawn) and sorted(event.order) != [*cars]:
        yield f"the grid {event.order} does not name each car once"


def cards_named(event: e.Event) -> Iterator[CardName]:
    """List the cards that an event names, as far as they are not hidden."""
    for named in (event, event.command) if isinstance(event, e.ChoiceMade) else (event,):
        for field in _card_fields(named.__struct_fields__ if named else ()):
            value: Any = getattr(named, field)
            for card in value if isinstance(value, tuple) else (value,):
                if isinstance(card, str):
                    yield card


@cache
def _card_fields(fields: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(field for field in fields if field in _CARD_FIELDS)


KNOWN_CARDS: Final = CATALOGUE.keys() | UPGRADES.keys()
_CARD_FIELDS: Final = (
    "card",
    "cards",
    "hand",
    "played",
    "discarded",
    "draw_pile",
    "discard_pile",
    "give",
    "take",
)


# --- what can be read from the race alone ---------------------------------------------------------------


def _cars(race: Race) -> Iterator[str]:
    """See that each car is on the board, alone on its spot, and that statuses and lists agree."""
    track, places = race.track, race.places
    if race.phase is not Phase.SET_UP or any(places):
        for car in race.cars:
            space = track.space(car.progress)
            if car.progress < 1 or not 0 <= car.spot < track.spots[space]:
                yield f"car {car.number} is at {car.progress}, spot {car.spot}, which is not on the board"
            place = 2 * space + car.spot if car.status in ON_TRACK else OFF_TRACK
            if places[car.number] != place:
                yield f"car {car.number} takes up the place {places[car.number]}, not {place}"
        taken = [place for place in places if place != OFF_TRACK]
        if len(set(taken)) < len(taken):
            yield f"two cars are on one spot: {places}"
    gone: dict[str, list[int]] = {"left": [], "out": []}
    for car in race.cars:
        if car.status not in ON_TRACK:
            gone["left" if car.status == "left" else "out"].append(car.number)
        if type(car) is Seat:
            yield from _seat(car)
    if sorted(race.left) != gone["left"] or sorted(race.out) != gone["out"]:
        yield f"the cars {race.left} have left and {race.out} are out, and their statuses differ"


def _seat(seat: Seat) -> Iterator[str]:
    if seat.engine < 0 or seat.heat_to_lose < 0:
        yield f"car {seat.number} has {seat.engine} Heat in its engine and {seat.heat_to_lose} to lose"
    if not 1 <= seat.gear <= 4:
        yield f"car {seat.number} is in gear {seat.gear}"
    if seat.face_down and Counter(seat.face_down) - Counter(seat.hand):
        yield f"car {seat.number} has chosen cards that are not in its hand"


def _decisions(race: Race) -> Iterator[str]:
    """See that only seats that race are asked, all the same, and what their phase asks."""
    if race.owing != [seat for seat, decision in race.open.items() if decision.chosen is None]:
        yield f"the seats {race.owing} owe a choice, and {[*race.open]} are asked"
    for seat, decision in race.open.items():
        car = race.cars[seat]
        if type(car) is not Seat or car.status != "racing":
            yield f"car {seat} is asked and does not race"
        if race.phase is not _ASKED_IN[decision.kind]:
            yield f"{decision.kind} is not asked in phase {race.phase.value}"
        if decision.kind in _OF_THE_ACTIVE_CAR and (race.turn is None or race.turn.car != seat):
            yield f"car {seat} is asked in another's turn"
    if len({decision.kind for decision in race.open.values()}) > 1:
        yield "the seats are asked different things"


_ASKED_IN: Final[dict[e.DecisionKind, Phase]] = {
    "pick": Phase.SET_UP,
    "swap": Phase.SET_UP,
    "gear": Phase.SHIFT_GEARS,
    "cards": Phase.PLAY_CARDS,
    "value": Phase.REVEAL_AND_MOVE,
    "react": Phase.REACT,
    "unpaid": Phase.REACT,
    "slipstream": Phase.SLIPSTREAM,
    "discard": Phase.DISCARD,
}
_OF_THE_ACTIVE_CAR: Final[frozenset[e.DecisionKind]] = frozenset({"value", "react", "unpaid", "slipstream"})


def _turns(race: Race) -> Iterator[str]:
    """See that the order names cars, each once, and that the turn's symbols come from what exists."""
    cars = range(len(race.cars))
    for named in (race.turn_order, race.adrenaline, race.picking):
        if len(set(named)) < len(named) or any(car not in cars for car in named):
            yield f"the order {named} of {len(race.cars)} cars"
    if not set(race.adrenaline) <= set(race.turn_order):
        yield f"the cars {race.adrenaline} have adrenaline in the order {race.turn_order}"
    turn = race.turn
    if turn is None:
        return
    if turn.car not in cars:
        yield f"it is the turn of car {turn.car} of {len(race.cars)}"
    if turn.used >> len(turn.symbols):
        yield f"a symbol is used that the turn's {len(turn.symbols)} do not have"
    if unknown := [
        symbol.source for symbol in turn.symbols if symbol.card and symbol.source not in CATALOGUE
    ]:
        yield f"there is no card {unknown[0]!r}"


def _tokens(race: Race) -> Iterator[str]:
    """See that Legend cards, weather and road tokens are those of the game, each where it may lie."""
    legend_cards = race.legend_deck if race.legend_card is None else [*race.legend_deck, race.legend_card]
    if len(set(legend_cards)) < len(legend_cards) or not set(legend_cards) <= _LEGEND_CARDS:
        yield f"the Legend cards {legend_cards}"
    if race.weather is not None and not race.setup.modules.weather:
        yield f"the weather {race.weather} in a race without weather"
    if race.roads and race.weather is None:
        yield "road tokens in a race without weather"
    yield from road_problems(race.track, race.roads)


_LEGEND_CARDS: Final = frozenset(range(len(LEGEND_CARDS)))


def _end(race: Race) -> Iterator[str]:
    is_over = race.phase is Phase.ENDED
    if (race.end is not None) != is_over or race.standings != (standings(race) if is_over else ()):
        yield f"the end {race.end} and the standings are not those of phase {race.phase.value}"


# --- which cards there are ------------------------------------------------------------------------------


class CardCount:
    """Counts along which cards each seat owns, and which Sponsorships are spent.

    A seat owns what its set-up gave it, the Stress of its spin-outs and the Sponsorships that it gained, but
    for what has left the game. All Sponsorships, with those in the game and those spent, stay as many as they
    are; no upgrade is there more often than it has copies.
    """

    def __init__(self, setup: RaceSetup) -> None:
        """Begin before the first event.

        Args:
            setup: With its position and the Sponsorships in its decks, if it has any.
        """
        self._setup = setup
        self._owned: dict[int, Counter[CardName]] = {
            number: Counter() for number, car in enumerate(setup.cars) if car.legend is None
        }
        self._spent = Counter(setup.position.spent if setup.position else ())

    def faults(self, race: Race, event: e.Event) -> Iterator[str]:
        """Count an event, and list which seats own other cards; see `invariants`."""
        self._note(race, event)
        for number, owned in self._owned.items():
            cards = cards_of(race.seat(number))
            # Dicts compare much faster than counters, but a count of 0 that one of them names differs then.
            if not dict.__eq__(cards, owned) and cards != owned:
                more, fewer = _told(cards - owned), _told(owned - cards)
                yield f"car {number} has too many cards ({more}) or too few ({fewer})"
        if isinstance(event, e.RoundStarted | e.SponsorshipGained | e.UpgradesDealt | e.UpgradeSwapped):
            yield from self._box_faults(race)

    def _note(self, race: Race, event: e.Event) -> None:
        match event:
            case e.PositionPlaced() if self._setup.position is not None:
                for number, owned in self._owned.items():
                    owned.update(self._setup.position.cars[number].played)
            case e.PilesMade():
                self._owned[event.seat] = self._given(race, event.seat)
            case e.SpunOut():
                self._owned[event.seat][STRESS] += event.stress
            case e.SponsorshipGained() if event.card is not None:
                self._owned[event.seat][event.card] += 1
            case e.SponsorshipsSpent():
                self._spend(event.seat, event.cards)
            case e.HandCluttered():
                self._spend(event.seat, [card for card in event.discarded if card in SPONSORSHIP_CARDS])
            case e.HeatLost():
                self._owned[event.seat][HEAT] -= 1
            case _:
                pass

    def _given(self, race: Race, number: int) -> Counter[CardName]:
        """Count what set-up gives a seat, changed by upgrades, weather and event."""
        setup = self._setup
        if setup.position is not None:
            place = setup.position.cars[number]
            cards = named_cards(place)
            if place.draw_pile is None and place.shuffled is None:
                cards.update(cards_left(setup, setup.position, number))
            cards[HEAT] += engine_of(setup, setup.position, number)
            return cards
        weather = WEATHER[race.weather] if race.weather else NO_WEATHER
        upgrades = [deck_card(upgrade) for upgrade in race.seat(number).upgrades]
        own = upgrades if setup.modules.garage != "none" else STARTING_CARDS
        stress = setup.track.stress + weather.stress + setup.event_card.stress
        cards = Counter(starting_deck(max(0, stress), own))
        cards[HEAT] += max(0, setup.track.heat + weather.heat + setup.event_card.heat)
        kept = setup.carried.sponsorships
        return cards + Counter(kept[number] if kept else ())

    def _spend(self, seat: int, cards: Iterable[CardName]) -> None:
        self._owned[seat] -= Counter(cards)
        self._spent.update(cards)

    def _box_faults(self, race: Race) -> Iterator[str]:
        modules = self._setup.modules
        if race.phase is not Phase.SET_UP and modules.sponsorships:
            owned = [card for cards in self._owned.values() for card in cards.elements()]
            box = Counter(card for card in owned if card in SPONSORSHIP_CARDS)
            box += self._spent + Counter(race.sponsorship_deck)
            if box != Counter(sponsorship_deck(expansion=modules.expansion)):
                yield f"the Sponsorship cards are not those of the game: {_told(box)}"
        upgrades = Counter([*race.upgrade_deck, *race.offered])
        for number in self._owned:
            upgrades.update(race.seat(number).upgrades)
        if upgrades and max(upgrades.values()) > UPGRADE_COPIES:
            yield f"more than {UPGRADE_COPIES} equal upgrades: {_told(upgrades)}"


def _told(cards: Counter[CardName]) -> str:
    return " ".join(f"{count} x {card}" for card, count in cards.items()) or "none"
