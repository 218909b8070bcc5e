"""The set-up of a race: track, cars, rules, seed; and helpers that complete it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

from heat_core.cards import (
    SPONSORSHIP_CARDS,
    UPGRADES,
    CardName,
    Cards,
    sponsorship_deck,
    upgrade_deck,
)
from heat_core.data.event_cards import EVENTS, NO_EVENT, EventFacts
from heat_core.data.legends import HELMETS, Helmet
from heat_core.data.sponsorships import SPONSORSHIP_COPIES
from heat_core.data.upgrades import UPGRADE_COPIES
from heat_core.names import MOST_NAME_CHARACTERS
from heat_core.race.events.parts import CarNumbers, Commitment, SeedText
from heat_core.race.position_setup import Position
from heat_core.race.presets import STANDARD, DraftForm, Rules
from heat_core.race.rules_version import RULES_VERSION
from heat_core.rng import seed_commitment as commitment_of
from heat_core.text import counted
from heat_core.track_facts import TrackFacts

Colour: TypeAlias = Literal["red", "blue", "yellow", "green", "black", "grey", "orange", "purple"]

COLOURS: Final[tuple[Colour, ...]] = (
    "red",
    "blue",
    "yellow",
    "green",
    "black",
    "grey",
    "orange",
    "purple",
)

MIN_CARS: Final = 2
MAX_CARS: Final = 8
USUAL_CARS: Final = 6


ShownName: TypeAlias = Annotated[str, msgspec.Meta(max_length=MOST_NAME_CHARACTERS)]
EventName: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
"""The identifier of an event card."""
RulesVersion: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class LegendSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a Legend drives.

    Attributes:
        helmet: Whose entry of the Legend card it reads; None: not dealt out yet.
        bonus: Added to the top speed.
        chevrons: Whether it minds the chevrons of a corner.
    """

    bonus: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    chevrons: bool = False
    helmet: Helmet | None = None


class CarSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One car: a seat, or with `legend` an automated one."""

    name: ShownName
    colour: Colour
    legend: LegendSetup | None = None


GarageName: TypeAlias = Literal["none", "basic", "advanced", "mixed"]

GARAGES: Final[tuple[GarageName, ...]] = get_args(GarageName)

WITH_EXPANSION: Final[tuple[GarageName, ...]] = ("advanced", "mixed")
"""The garages that the expansion's upgrades, which are advanced ones, go into."""


class Modules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a race has besides the base game.

    Attributes:
        garage: Which upgrades are drafted before it.
        expansion: Whether the expansion's upgrades and Sponsorships are in.
        draft: How many picks there are, and whether they add up: three in a race by itself; `make_season`
            takes it from its rules' `season_draft`, which nothing else reads.
        weather: Whether there are weather and road tokens.
        sponsorships: Whether corners gain Sponsorship cards; in a championship.
        event: Its event card, by identifier.
    """

    garage: GarageName = "none"
    expansion: bool = False
    draft: DraftForm = "three"
    weather: bool = False
    sponsorships: bool = False
    event: EventName | None = None


BASE_GAME: Final = Modules()

CarsCards: TypeAlias = Annotated[tuple[Cards, ...], msgspec.Meta(max_length=MAX_CARS)]
"""Cards of each car, by its number."""


class Carried(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a race of a season takes over from those before; each by number of the car.

    Attributes:
        grid: Cars, pole first; None: by lot.
        upgrades: Those owned, where they add up; those drafted, where a position begins behind the draft.
        sponsorships: Those in the owner's deck, where they stay.
    """

    grid: CarNumbers | None = None
    upgrades: CarsCards = ()
    sponsorships: CarsCards = ()


NOTHING_CARRIED: Final = Carried()


def race_seed(season_seed: str, race: int) -> str:
    """Give the seed of a race of a season, by the race's number from 0."""
    return f"{season_seed}/{race}"


class SeasonPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which race of a season a race is; its seed is `race_seed` of the season's.

    Attributes:
        race: From 0.
        commitment: Hash of the season's seed, shown to all from the season's beginning (CORE-16).
        drawn_from: The events that the race's was drawn from; empty where it was not drawn.
    """

    race: Annotated[int, msgspec.Meta(ge=0, le=3)]
    commitment: Commitment
    drawn_from: Annotated[tuple[EventName, ...], msgspec.Meta(max_length=200)] = ()


class RaceSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything from which the first events of a race follow.

    Attributes:
        track: The whole track, so that a record needs no other file.
        laps: In [1, 6), an event's counted.
        cars: Numbered from 0 in this order.
        rules: The settings of this table.
        seed: The text that all shuffles come from; None in what clients see while the race runs.
        position: Where to begin; None: on the grid.
        modules: What there is besides the base game.
        carried: What comes from the races before.
        season: Where a season's seed deals the cards, and so is not shown before the season is over.
        rules_version: See `heat_core.race.rules_version.RULES_VERSION`.
    """

    track: TrackFacts
    laps: Annotated[int, msgspec.Meta(ge=1, le=5)]
    cars: Annotated[tuple[CarSetup, ...], msgspec.Meta(min_length=MIN_CARS, max_length=MAX_CARS)]
    rules: Rules = STANDARD
    seed: SeedText | None = None
    position: Position | None = None
    modules: Modules = BASE_GAME
    carried: Carried = NOTHING_CARRIED
    season: SeasonPlace | None = None
    rules_version: RulesVersion = RULES_VERSION

    @property
    def event_card(self) -> EventFacts:
        """The facts of the race's event card; one that changes nothing where there is none."""
        return EVENTS[self.modules.event] if self.modules.event else NO_EVENT

    @property
    def hand_size(self) -> int:
        """What hands are drawn up to (CORE-7): as the event card says, else the rules."""
        return self.event_card.hand_size or self.rules.hand_size

    @property
    def seed_commitment(self) -> str:
        """The hash to show at the start: of the race's seed, or of the season's (CORE-16)."""
        if self.season is not None:
            return self.season.commitment
        return commitment_of(self.seed or "")


def most_cars(track: TrackFacts, rules: Rules) -> int:
    """Give how many cars may race on a track by some rules: six, or eight by setting, if they find places."""
    return min(rules.most_cars, len(track.grid))


def garage_cards(setup: RaceSetup, *, are_owned_in: bool = False) -> list[CardName]:
    """Name the upgrades of a race's garage, in the order of the catalogue.

    Args:
        are_owned_in: False: without those that cars own already.
    """
    modules = setup.modules
    deck = upgrade_deck(
        basic=modules.garage in ("basic", "mixed"),
        advanced=modules.garage in ("advanced", "mixed"),
        expansion=modules.expansion and modules.garage in WITH_EXPANSION,
    )
    return deck if are_owned_in else _without(deck, setup.carried.upgrades)


def sponsorship_cards(setup: RaceSetup) -> list[CardName]:
    """Name the Sponsorships of a race's box, in its order; those in decks from the start are among them."""
    return sponsorship_deck(expansion=setup.modules.expansion) if setup.modules.sponsorships else []


def _without(deck: list[CardName], owned: CarsCards) -> list[CardName]:
    for cards in owned:
        for card in cards:
            if card in deck:
                deck.remove(card)
    return deck


class BadSetup(ValueError):
    """A set-up that no race can begin from; the text names every problem."""


def make_setup(
    track: TrackFacts,
    cars: Sequence[CarSetup],
    *,
    seed: str,
    laps: int | None = None,
    rules: Rules = STANDARD,
    position: Position | None = None,
    modules: Modules = BASE_GAME,
    carried: Carried = NOTHING_CARRIED,
) -> RaceSetup:
    """Make a complete set-up.

    Args:
        track: A checked track.
        cars: With different names and colours; at least 2, at most `most_cars`, one at least a seat.
        seed: Any text.
        laps: None: the track's own. An event's are added.
        rules: The table's settings.
        position: None: the grid.
        modules: What there is besides the base game.
        carried: What comes from earlier races of a season.

    Raises:
        BadSetup: The cars do not fit the rules or the track.
    """
    problems = setup_problems(
        track,
        cars,
        seed=seed,
        laps=laps,
        rules=rules,
        position=position,
        modules=modules,
        carried=carried,
    )
    if problems:
        raise BadSetup("; ".join(problems))
    length = length_of(laps or track.laps, modules)
    return RaceSetup(track, length, _with_helmets(cars), rules, seed, position, modules, carried)


def length_of(laps: int, modules: Modules) -> int:
    """Give the laps of a race that would have so many without its event, at least 1."""
    event = EVENTS.get(modules.event or "", NO_EVENT)
    return max(1, laps + event.laps)


def laps_without_event(setup: RaceSetup) -> int:
    """Give the laps from which `make_setup` makes a set-up's own."""
    return setup.laps - EVENTS.get(setup.modules.event or "", NO_EVENT).laps


def setup_problems(
    track: TrackFacts,
    cars: Sequence[CarSetup],
    *,
    seed: str,
    laps: int | None,
    rules: Rules,
    position: Position | None = None,
    modules: Modules,
    carried: Carried = NOTHING_CARRIED,
) -> list[str]:
    """List everything for which `make_setup` would refuse the same values."""
    problems = []
    if problem := number_problem(len(cars), track, rules):
        problems.append(problem)
    if all(car.legend for car in cars):
        problems.append("at least one car needs a driver")
    if len({car.colour for car in cars}) < min(len(cars), len(COLOURS)):  # of more cars the number is wrong
        problems.append("two cars have the same colour")
    if len({car.name.casefold() for car in cars}) < len(cars):
        problems.append("two cars have the same name")
    if laps is not None and not 1 <= laps <= 4:
        problems.append(f"{laps} laps; a race has 1 to 4")
    if position is not None and len(position.cars) != len(cars):
        problems.append(f"the position places {len(position.cars)} cars of {len(cars)}")
    if problem := seed_problem(seed):
        problems.append(problem)
    if modules.event is not None and modules.event not in EVENTS:
        problems.append(f"there is no event {modules.event!r}")
    if position is not None and (carried.grid is not None or carried.sponsorships):
        problems.append(
            "a position itself says where cars and Sponsorships are, so none can be carried into it"
        )
    return problems + _carried_problems(cars, carried)


def _carried_problems(cars: Sequence[CarSetup], carried: Carried) -> list[str]:
    problems = []
    if carried.grid is not None and sorted(carried.grid) != list(range(len(cars))):
        problems.append("the grid must name each car once")
    for owned in (carried.upgrades, carried.sponsorships):
        if owned and len(owned) != len(cars):
            problems.append(f"cards are carried for {len(owned)} cars of {len(cars)}")
    for kind, owned, known, copies in (
        ("upgrade", carried.upgrades, UPGRADES, UPGRADE_COPIES),
        ("Sponsorship", carried.sponsorships, SPONSORSHIP_CARDS, SPONSORSHIP_COPIES),
    ):
        for card, count in Counter([card for cards in owned for card in cards]).items():
            if card not in known:
                problems.append(f"there is no {kind} {card!r}")
            elif count > copies:
                problems.append(f"{count} of the {kind} {card!r} are carried, but the game has {copies}")
    return problems


_MOST_SEED_CHARACTERS: Final = 4_000
"""With the race's number behind it, a season's seed still is a `SeedText`."""


def seed_problem(seed: str) -> str | None:
    """Say why a seed cannot be written down: a command line can bring bytes that are no text."""
    if any("\ud800" <= sign <= "\udfff" for sign in seed):
        return "the seed must be text"
    if len(seed) > _MOST_SEED_CHARACTERS:
        return f"the seed has more than {_MOST_SEED_CHARACTERS} characters"
    return None


def strip_helmets(cars: tuple[CarSetup, ...]) -> tuple[CarSetup, ...]:
    """Leave the Legends' helmets out where `make_setup` deals out the same ones."""
    bare = tuple(
        msgspec.structs.replace(car, legend=msgspec.structs.replace(car.legend, helmet=None))
        if car.legend
        else car
        for car in cars
    )
    return bare if _with_helmets(bare) == cars else cars


def number_problem(cars: int, track: TrackFacts, rules: Rules) -> str | None:
    """Say what is wrong with a number of cars (RACE-3), None where it is right."""
    most = most_cars(track, rules)
    if MIN_CARS <= cars <= most:
        return None
    problem = f"{counted(cars, 'car')}; a race on {track.name} has {MIN_CARS} to {most}"
    if most < cars <= min(MAX_CARS, len(track.grid)):
        problem += f", and up to {min(MAX_CARS, len(track.grid))} by the setting most_cars=8"
    return problem


def _with_helmets(cars: Sequence[CarSetup]) -> tuple[CarSetup, ...]:
    """Deal helmets to the Legends that have none: their colour's where free, else the first free one."""
    wanted = {car.colour for car in cars if car.legend}
    free: list[Helmet] = [helmet for helmet in HELMETS if helmet not in wanted]
    result = []
    for car in cars:
        if car.legend and car.legend.helmet is None:
            if car.colour in HELMETS:
                helmet: Helmet = car.colour
            else:
                free = free or list(HELMETS)
                helmet = free.pop(0)
            legend = msgspec.structs.replace(car.legend, helmet=helmet)
            car = msgspec.structs.replace(car, legend=legend)
        result.append(car)
    return tuple(result)
