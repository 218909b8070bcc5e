"""Checks of a position: one that was played passes, an impossible one does not (CORE-15)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from heat_core.cards import HEAT, SPONSORSHIP_CARDS, STRESS, CardName
from heat_core.data.legends import LEGEND_CARDS
from heat_core.data.upgrades import UPGRADE_COPIES
from heat_core.race.position_setup import CarPosition, Position
from heat_core.race.setup import RaceSetup, garage_cards, sponsorship_cards
from heat_core.rules.preparing import stress_and_heat
from heat_core.rules.sectors import road_problems
from heat_core.rules.start import cards_left, deck_of, engine_of, named_cards, position_spots
from heat_core.track import OTHER_SPOT, Track, compile_track

MOST_HAND: Final = 40


def position_problems(setup: RaceSetup, *, is_whole: bool = True) -> list[str]:
    """List everything that makes a set-up's position impossible.

    Args:
        setup: With as many places in its position as it has cars.
        is_whole: False: cars lack words or are missing, so their places are not checked.
    """
    position = setup.position
    if position is None:
        return []
    track = compile_track(setup.track)
    problems = []
    for number, (car, place) in enumerate(zip(setup.cars, position.cars, strict=True)):
        faults = _place_problems(setup, track, place) or _spot_problems(setup, track, position, number)
        if car.legend:
            faults += _legend_problems(place)
        else:
            faults += _card_problems(setup, position, number)
        problems += [f"{car.name}: {fault}" for fault in faults]
    if is_whole:
        problems += _order_problems(setup, position)
    return [
        *problems,
        *_deck_problems(setup, position),
        *_garage_problems(setup),
        *_weather_problems(setup, position),
        *_sponsorship_problems(setup, position),
    ]


def _place_problems(setup: RaceSetup, track: Track, place: CarPosition) -> list[str]:
    if place.space > track.spaces:
        return [f"space {place.space} is past the track's {track.spaces}"]
    is_beyond = track.progress(place.lap, place.space) > track.finish_line(setup.laps)
    if place.finished and not is_beyond:
        return [f"a finished car must be in lap {setup.laps + 1}, where it crossed the line"]
    if is_beyond and not place.has_left:
        return [f"lap {place.lap} is past the race's {setup.laps}"]
    return []


def _spot_problems(setup: RaceSetup, track: Track, position: Position, number: int) -> list[str]:
    """Look whether a car that is on the track has a spot of its own."""
    place = position.cars[number]
    spots = position_spots(track, position)
    if place.has_left:
        return []
    if place.spot == OTHER_SPOT and track.spots[place.space] == 1:
        return [f"space {place.space} is narrow and has no other spot"]
    if spots[number] is None:
        return [f"no spot is free in space {place.space}"]
    for before in range(number):
        other = position.cars[before]
        if not other.has_left and (other.space, spots[before]) == (place.space, spots[number]):
            return [f"the spot in space {place.space} is already taken by {setup.cars[before].name}"]
    return []


def _legend_problems(place: CarPosition) -> list[str]:
    problems = []
    has_cards = place.hand is not None or place.dealt is not None or named_cards(place)
    if place.gear != 1 or place.engine is not None or has_cards:
        problems.append("a Legend has no gear and no cards")
    if place.gave_up:
        problems.append("a Legend cannot give up")
    if place.spun_out:
        problems.append("a Legend cannot spin out")
    return problems


def _card_problems(setup: RaceSetup, position: Position, number: int) -> list[str]:
    problems = []
    place = position.cars[number]
    named = named_cards(place)
    most: Counter[CardName] = Counter(deck_of(setup, position, number))
    for card, count in named.items():
        if card in SPONSORSHIP_CARDS and setup.modules.sponsorships:
            continue
        if card not in most and card not in (HEAT, STRESS):
            problems.append(f"there is no card {card!r} in the deck")
        elif card not in (HEAT, STRESS) and count > most[card]:
            problems.append(f"{count} of the card {card!r}, the deck has {most[card]}")
    heat = stress_and_heat(setup, position.weather)[1] + most[HEAT]
    if place.draw_pile is None and place.shuffled is None:
        rest = cards_left(setup, position, number)
    else:
        rest = []
    said = (place.engine or 0) + named[HEAT] + rest.count(HEAT)
    if said > heat:
        problems.append(f"{said} Heat in engine and piles, there are {heat}")
    elif engine_of(setup, position, number) < 0:
        problems.append("more Heat in the piles than the engine can have lost")
    hand = len(place.hand or ()) + (place.dealt or 0)
    if hand > MOST_HAND:
        problems.append(f"a hand of {hand} cards; it has at most {MOST_HAND}")
    if place.draw_pile is not None and place.shuffled is not None:
        problems.append("the draw pile is either in order or shuffled, not both")
    pile = place.draw_pile or place.shuffled or rest
    if (place.dealt or 0) > len(pile):
        problems.append(f"{place.dealt} cards to be dealt, but the draw pile has {len(pile)}")
    if place.played and not place.has_left:
        problems.append("it has played cards, but this phase begins with none on the table")
    if place.speed is not None:
        problems.append("only a Legend has a speed")
    return problems


def _order_problems(setup: RaceSetup, position: Position) -> list[str]:
    """Look how the cars that have left count up, and whether the rules let them leave."""
    problems = []
    finished = sorted(place.finished for place in position.cars if place.finished)
    out = sorted(place.out for place in position.cars if place.out)
    gave_up = [place for place in position.cars if place.gave_up]
    if finished != list(range(1, len(finished) + 1)):
        problems.append(f"the cars that have finished have places {_numbers(finished)}, not 1, 2 and so on")
    if out != list(range(1, len(out) + 1)):
        how = "gave up" if len(out) == len(gave_up) else "gave up or spun out"
        problems.append(f"the cars that {how} are numbered {_numbers(out)}, not 1, 2 and so on")
    if finished and setup.rules.race_end == "first_finisher":
        problems.append("a car has finished, but with these rules the race ends in that round")
    if gave_up and not finished and setup.rules.giving_up == "after_a_finish":
        problems.append("a car gave up, but with these rules that is possible only after a car has finished")
    if not setup.event_card.spin_out_ends_race and any(place.spun_out for place in position.cars):
        problems.append("a spin-out ended a car's race, but no event of this race does that")
    seats = [place for car, place in zip(setup.cars, position.cars, strict=True) if not car.legend]
    if seats and all(place.has_left for place in seats):
        problems.append("no seat is still racing, so there is nothing to decide")
    return problems


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _deck_problems(setup: RaceSetup, position: Position) -> list[str]:
    cards = position.legend_cards
    problems = []
    if (cards or position.are_others_turned) and not any(car.legend for car in setup.cars):
        problems.append("there are Legend cards, but no Legend")
    for card, count in Counter(cards).items():
        if not 0 <= card < len(LEGEND_CARDS):
            problems.append(f"there is no Legend card {card + 1}")
        elif count > 1:
            problems.append(f"Legend card {card + 1} is listed twice")
    return problems


def _garage_problems(setup: RaceSetup) -> list[str]:
    owned = setup.carried.upgrades
    if not any(owned):
        return []
    if setup.modules.garage == "none":
        return ["a car has upgrades, but the race has no garage"]
    most = Counter(garage_cards(setup, are_owned_in=True))
    named = Counter(card for cards in owned for card in cards)
    problems = [
        f"{car.name}: a Legend has no upgrades"
        for car, cards in zip(setup.cars, owned, strict=True)
        if car.legend and cards
    ]
    for card, count in named.items():
        if card not in most:
            problems.append(f"the garage has no upgrade {card!r}")
        elif count > most[card]:
            problems.append(f"{count} of the upgrade {card!r}, the garage has {UPGRADE_COPIES}")
    return problems


def _weather_problems(setup: RaceSetup, position: Position) -> list[str]:
    problems = []
    if setup.modules.weather and position.weather is None:
        problems.append("the race has weather, but no weather token is named")
    elif not setup.modules.weather and (position.weather is not None or position.roads):
        problems.append("there are weather or road tokens, but the race has no weather")
    return [*problems, *road_problems(compile_track(setup.track), position.roads)]


def _sponsorship_problems(setup: RaceSetup, position: Position) -> list[str]:
    """Count the Sponsorship cards of all cars, and those spent, against the copies in the game."""
    box = Counter(sponsorship_cards(setup))
    if position.spent and not box:
        return ["Sponsorship cards are spent, but the race has none"]
    named = Counter(position.spent)
    for place in position.cars:
        named += named_cards(place)
    problems = [
        f"spent: {card!r} is not a Sponsorship card"
        for card in position.spent
        if card not in SPONSORSHIP_CARDS
    ]
    for card, count in named.items():
        if box and card in SPONSORSHIP_CARDS and count > box[card]:
            problems.append(f"{count} of the card {card!r}, there are {box[card]}")
    return problems
