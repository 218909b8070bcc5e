"""How a race of a championship is scored, and what its cars keep for the next one."""

from __future__ import annotations

from typing import TypeAlias

from heat_core.cards import HAND_ORDER, SPONSORSHIP_CARDS, CardName
from heat_core.data.event_cards import EventFacts
from heat_core.race.cars import Seat
from heat_core.race.events import Standing
from heat_core.race.rules_version import RULES_VERSION, is_of_older_rules
from heat_core.race.setup import Carried, setup_problems
from heat_core.race.state import Race
from heat_core.rules.points import score
from heat_core.season import events as s
from heat_core.season.setup import SeasonSetup

_Cards: TypeAlias = tuple[CardName, ...]


def race_scored(setup: SeasonSetup, number: int, race: Race, rules: int) -> s.RaceScored:
    """Score a race that is over.

    Args:
        number: Which race it is, from 0.
        rules: The version of the rules that it was raced by.
    """
    assert race.end is not None
    upgrades: tuple[_Cards, ...] = ()
    sponsorships: tuple[_Cards, ...] = ()
    if setup.modules.draft == "one" and setup.modules.garage != "none":
        upgrades = tuple(car.upgrades if type(car) is Seat else () for car in race.cars)
    if setup.rules.unplayed_sponsorships == "stay" and setup.modules.sponsorships:
        sponsorships = tuple(_unplayed_sponsorships(race, car) for car in range(len(race.cars)))
    results = () if race.end == "abandoned" else score(setup.rules, race.event_card, race.standings)
    counts = tuple(len(cards) for cards in sponsorships)
    return s.RaceScored(number, race.end, results, upgrades, sponsorships, counts, rules)


def _unplayed_sponsorships(race: Race, number: int) -> _Cards:
    """List the Sponsorships that lie in a car's hand and piles, in hand order; a Legend has none."""
    car = race.cars[number]
    if type(car) is not Seat:
        return ()
    cards = [card for card in (*car.hand, *car.draw_pile, *car.discard_pile) if card in SPONSORSHIP_CARDS]
    return tuple(sorted(cards, key=HAND_ORDER.__getitem__))


def score_fault(event: s.RaceScored, setup: SeasonSetup, number: int, event_card: EventFacts) -> str | None:
    """Say why a race cannot have ended so; None where it can.

    Args:
        setup: With the seed.
        number: Which race is under way, from 0.
        event_card: Its event card.
    """
    standings = [Standing(result.car, result.place, result.status) for result in event.results]
    if event.rules_version != RULES_VERSION and not is_of_older_rules(event.rules_version):
        return f"race {event.race + 1} was raced by version {event.rules_version} of the rules"
    if event.race != number:
        return f"race {event.race + 1} is scored in race {number + 1}"
    cars = list(range(len(setup.cars)))
    if sorted(standing.car for standing in standings) != ([] if event.reason == "abandoned" else cars):
        return "its results do not name each car once"
    if [standing.place for standing in standings] != list(range(1, len(standings) + 1)):
        return "its places do not count up"
    if event.results != score(setup.rules, event_card, standings):
        return "its points are not those of the places"
    kept = Carried(None, event.upgrades, tuple(cards or () for cards in event.sponsorships))
    if event.sponsorship_counts != tuple(len(cards) for cards in kept.sponsorships):
        return "it counts Sponsorships that no car keeps"
    plan = setup.races[number]
    return "; ".join(
        setup_problems(
            plan.track,
            setup.cars,
            seed=setup.seed or "",
            laps=plan.laps,
            rules=setup.rules,
            modules=setup.modules,
            carried=kept,
        )
    )
