"""The position of a race as one seat knows it, to continue from it elsewhere (APP-13).

Everything is made from the seat's own view, so no other seat's secret can be in it. A position begins where
all are asked; what lies face down is dealt again when it is opened: the seat's own draw pile, whose cards it
knows, and hands and draw piles of the others, whose cards all can count. A car's cards are those of its deck,
the Heat that has left its engine, and for the rest Stress: a Sponsorship that nobody has seen counts as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from heat_core.cards import CATALOGUE, HEAT, SPONSORSHIP_CARDS, STRESS, CardName, starting_deck
from heat_core.drivers import DriverName
from heat_core.positions.file import PositionFile
from heat_core.positions.position import PHASE_WORDS
from heat_core.race import events as e
from heat_core.race.position_setup import CarPosition, Position
from heat_core.race.setup import BASE_GAME, NOTHING_CARRIED, Carried, RaceSetup, sponsorship_cards
from heat_core.rules.preparing import cards_of_garage, stress_and_heat
from heat_core.track import OTHER_SPOT, RACE_LINE_SPOT, compile_track
from heat_core.view.race_view import CarView, RaceView


class NoPosition(ValueError):
    """There is no position at this moment; the text says why."""


def is_beginning(view: RaceView) -> bool:
    """Tell whether a position can begin where a view was taken."""
    return view.phase in PHASE_WORDS


def seen_position(
    setup: RaceSetup, view: RaceView, since: Sequence[e.Event] = (), people: Sequence[int] = ()
) -> PositionFile:
    """Describe where a race is, as far as a seat or a spectator knows.

    Args:
        setup: The public one.
        view: Taken in phase 1 or 2: that of the present moment, or where cars drive that of the same round.
        since: What has happened since then, as the same seat saw it: cards that turned up were in hands.
        people: The seats that are played by people.

    Raises:
        NoPosition: The view was taken at another moment, or no seat races any more.
    """
    if not is_beginning(view):
        raise NoPosition("A position begins in phase 1 or 2 of a round.")
    if not any(not car.is_legend and car.status == "racing" for car in view.cars):
        raise NoPosition("No seat is still racing.")
    revealed = _revealed(since)
    cars = tuple(_place(setup, view, car, revealed.get(car.number, ())) for car in view.cars)
    turned = tuple(event.card for event in since if isinstance(event, e.LegendCardTurned))
    position = Position(
        cars,
        view.round,
        PHASE_WORDS[view.phase],
        turned[:1],
        False,
        view.weather,
        view.roads,
        _spent(setup, view, cars),
    )
    owned = tuple(car.upgrades for car in view.cars)
    setup = msgspec.structs.replace(
        setup,
        seed=None,
        position=position,
        modules=msgspec.structs.replace(setup.modules, draft=BASE_GAME.draft),
        carried=Carried(upgrades=owned) if any(owned) else NOTHING_CARRIED,
        season=None,
    )
    drivers: list[DriverName | None] = [None] * len(cars)
    for seat in people:
        drivers[seat] = "human"
    return PositionFile(setup, tuple(drivers))


def _revealed(since: Sequence[e.Event]) -> dict[int, tuple[CardName, ...]]:
    """Collect the cards that turned up out of hands, by seat."""
    cards: dict[int, tuple[CardName, ...]] = {}
    for event in since:
        match event:
            case e.CardsRevealed():
                cards[event.seat] = event.cards
            case e.HandCluttered():
                cards[event.seat] = event.hand
            case _:
                pass
    return cards


def _place(setup: RaceSetup, view: RaceView, car: CarView, revealed: Sequence[CardName]) -> CarPosition:
    track = compile_track(setup.track)
    rank = view.ranking.index(car.number)
    out_number = len(view.ranking) - rank
    place = CarPosition(
        lap=track.lap(car.progress),
        space=track.space(car.progress),
        spot=OTHER_SPOT if car.spot else RACE_LINE_SPOT,
        finished=rank + 1 if car.status == "left" else None,
        gave_up=out_number if car.status == "gave_up" else None,
        spun_out=out_number if car.status == "spun_out" else None,
    )
    if car.is_legend:
        return msgspec.structs.replace(place, speed=car.speed)
    own = view.own if view.own is not None and view.own.seat == car.number else None
    if own is not None:
        hand, pile, dealt = own.hand, own.draw_pile, None
    else:
        hidden = Counter(hidden_cards(setup, view, car))
        hand = ()
        for card in revealed:
            # What nobody counted on, a Sponsorship, takes the place of a Stress.
            taken = card if hidden[card] else STRESS
            if hidden[taken] and len(hand) < car.hand_size:
                hidden[taken] -= 1
                hand += (card,)
        pile, dealt = tuple(hidden.elements()), car.hand_size - len(hand)
    return msgspec.structs.replace(
        place,
        gear=car.gear,
        engine=car.engine,
        hand=hand,
        dealt=dealt,
        shuffled=pile,
        discard_pile=car.discard_pile,
        played=car.played,
    )


def hidden_cards(setup: RaceSetup, view: RaceView, car: CarView) -> list[CardName]:
    """Count which cards lie in a seat's hand and draw pile, by what everybody sees; in hand order.

    Returns:
        As many as there are. Where the rules took Heat out of the game, or there are Sponsorships, some of
        them are guessed; never is anything looked up that is hidden.
    """
    stress, heat = stress_and_heat(setup, view.weather)
    seen = Counter([*car.discard_pile, *car.played])
    deck = Counter(starting_deck(stress, cards_of_garage(setup, car.upgrades)))
    in_all = car.hand_size + car.draw_size
    plain = Counter({card: count for card, count in deck.items() if card not in (HEAT, STRESS)}) - seen
    cards = sorted(plain.elements(), key=[*CATALOGUE].index)[:in_all]
    heat_left = max(0, heat + deck[HEAT] - car.engine - seen[HEAT])
    cards += [HEAT] * min(heat_left, in_all - len(cards))
    return cards + [STRESS] * (in_all - len(cards))


def _spent(setup: RaceSetup, view: RaceView, cars: Sequence[CarPosition]) -> tuple[CardName, ...]:
    """Choose which Sponsorships are out of the game, so that as many are left as everybody knows."""
    box = Counter(sponsorship_cards(setup))
    for place in cars:
        piles = (place.hand or (), place.shuffled or (), place.discard_pile, place.played)
        box -= Counter(card for pile in piles for card in pile if card in SPONSORSHIP_CARDS)
    rest = list(box.elements())
    return tuple(rest[: max(0, len(rest) - view.sponsorships_left)])
