"""Set-ups of any kind, drawn number by number: boards, cars, rules, beginnings, modules.

Every choice is one draw, the plainest first, so that hypothesis can drive the same code and make a failing
set-up smaller.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final

from msgspec.structs import replace

from heat_core.cards import HEAT, STRESS, CardName, sponsorship_deck, starting_deck, upgrade_deck
from heat_core.data.event_cards import EVENTS
from heat_core.files import track_names
from heat_core.positions.checks import position_problems
from heat_core.positions.position import setup_of_position
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.position_setup import CarPosition, Position
from heat_core.race.presets import STANDARD, Rules
from heat_core.race.setup import (
    COLOURS,
    NOTHING_CARRIED,
    Carried,
    CarSetup,
    LegendSetup,
    Modules,
    RaceSetup,
    make_setup,
)
from heat_core.rng import Stream
from heat_core.track import compile_track
from heat_core.track_facts import Corner, Side, TrackFacts
from heat_core.track_files.checks import track_problems
from tests.core.support import RandomPlay, roomy, track_facts

SETTINGS: Final[dict[str, tuple[Any, ...]]] = {
    "boost_gears": ((4,), (1, 2, 3, 4)),
    "full_space": ("ahead", "behind"),
    "unfillable_gears": ("allowed", "withheld"),
    "discards": ("together", "each"),
    "race_end": ("first_finisher", "all_finished"),
    "slipstream_over_finish": (True, False),
    "giving_up": ("any_time", "after_a_finish"),
    "hand_size": (7, 6, 8),
}
"""Each single setting of `Rules` that changes a race of the base game with all that it may be, the standard
first; but that for more than six cars, which is on where a race has so many."""

MODULE_EVENTS: Final[tuple[type[e.Event], ...]] = (
    e.UpgradesDealt,
    e.UpgradePicked,
    e.UpgradeSwapped,
    e.GarageClosed,
    e.WeatherDrawn,
    e.RoadsDrawn,
    e.SponsorshipGained,
    e.SponsorshipsSpent,
    e.CardPlayedDirectly,
    e.StressReduced,
    e.HeatSuperCooled,
    e.CardScrapped,
    e.CardsSalvaged,
    e.CardsDropped,
    e.CardsRefreshed,
    e.LapCompleted,
    e.HeatLost,
)
"""What happens in no race of the base game."""

MODULE_SETTINGS: Final[dict[str, tuple[Any, ...]]] = {
    "weather_sectors": ("free", "tokens"),
    "press_corners": ("all", "event"),
}
"""The same of those that change nothing in a race without modules."""

SEASON_SETTINGS: Final = frozenset({"points", "season_grid", "season_draft", "unplayed_sponsorships"})
"""Those that act between races; what comes of them is drawn as what a race carries over."""

RULES: Final[tuple[Rules, ...]] = tuple(
    replace(STANDARD, **dict(zip(SETTINGS, values, strict=True))) for values in product(*SETTINGS.values())
)
"""Every combination of the single settings; both presets are among them."""

SIDES: Final[tuple[Side, Side]] = ("left", "right")
MOST_ROUNDS_BEFORE: Final = 8


def random_setup(stream: Stream, rules: Rules | None = None) -> RaceSetup:
    """Draw a race: any board, any cars, any rules unless given, from the grid or from the middle."""
    setup = random_setup_from_the_grid(stream, rules)
    match stream.below(4):
        case 0:
            return setup
        case 1:
            return with_poor_hands(setup, stream)
        case _:
            return taken_in_the_middle(setup, stream)


def random_setup_from_the_grid(stream: Stream, rules: Rules | None) -> RaceSetup:
    if rules is None:
        rules = RULES[stream.below(len(RULES))]
    facts = small_track(stream) if stream.below(2) else track_facts(stream.choose(track_names()))
    number = 2 + stream.below(min(len(facts.grid), len(COLOURS)) - 1)
    legends = stream.below(number)
    cars = [CarSetup(f"seat {n}", COLOURS[n]) for n in range(number - legends)]
    for n in range(number - legends, number):
        cars.append(CarSetup(f"legend {n}", COLOURS[n], LegendSetup(stream.below(7), bool(stream.below(2)))))
    laps = 1 + stream.below(2)
    seed = f"a seed to hide {stream.below(1 << 16)}"
    return make_setup(facts, cars, seed=seed, laps=laps, rules=roomy(rules, number))


def random_module_setup(stream: Stream, rules: Rules | None = None) -> RaceSetup:
    """Draw a race with modules: by itself or within a season, from the grid or from the middle."""
    base = random_setup_from_the_grid(stream, rules)
    drawn = {name: stream.choose(values) for name, values in MODULE_SETTINGS.items()}
    facts = base.track
    if facts.id == "small":
        facts = with_chicane_and_press(facts, stream)
    modules = random_modules(stream)
    setup = make_setup(
        facts,
        base.cars,
        seed=base.seed or "",
        laps=base.laps,
        rules=replace(base.rules, **drawn),
        modules=modules,
        carried=random_carried(base.cars, modules, stream),
    )
    return taken_in_the_middle(setup, stream) if stream.below(3) == 2 else setup


def random_modules(stream: Stream) -> Modules:
    return Modules(
        garage=stream.choose(("mixed", "advanced", "basic", "none")),
        expansion=bool(stream.below(2)),
        draft=stream.choose(("one", "three")),
        weather=stream.below(4) > 0,
        sponsorships=stream.below(4) > 0,
        event=stream.choose(tuple(EVENTS)) if stream.below(4) else None,
    )


def random_carried(cars: tuple[CarSetup, ...], modules: Modules, stream: Stream) -> Carried:
    """Draw what a race takes over from up to three before it; upgrades only where they add up."""
    if not stream.below(2):
        return NOTHING_CARRIED
    is_advanced = modules.garage in ("advanced", "mixed")
    garage = upgrade_deck(
        basic=modules.garage in ("basic", "mixed"),
        advanced=is_advanced,
        expansion=is_advanced and modules.expansion,
    )
    box = sponsorship_deck(expansion=modules.expansion)
    races = 1 + stream.below(3)
    upgrades, sponsorships = [], []
    for car in cars:
        owned = 0 if car.legend or modules.draft != "one" else min(races, len(garage))
        kept = 0 if car.legend or not modules.sponsorships else stream.below(4)
        upgrades.append(tuple(garage.pop(stream.below(len(garage))) for _ in range(owned)))
        sponsorships.append(tuple(box.pop(stream.below(len(box))) for _ in range(kept)))
    grid = tuple(stream.sample(range(len(cars)), len(cars)))
    return Carried(grid, tuple(upgrades), tuple(sponsorships))


def with_chicane_and_press(facts: TrackFacts, stream: Stream) -> TrackFacts:
    """Make two of the corners a chicane now and then, and list where the press stands."""
    corners = list(facts.corners)
    second = 1 + stream.below(len(corners))
    if second < len(corners):
        corners[second] = replace(corners[second], chicane_with_corner=second)
    numbers = range(1, len(corners) + 1)
    press = sorted(stream.sample(numbers, stream.below(len(numbers) + 1)))
    facts = replace(facts, corners=tuple(corners), press_corners=tuple(press))
    assert not track_problems(facts)
    return facts


def small_track(stream: Stream) -> TrackFacts:
    """Draw a board of 10 to 24 spaces, where everything comes often: laps, corners, full spaces."""
    spaces = 10 + stream.below(15)
    corners = []
    for line in sorted(stream.sample(range(1, spaces + 1), 1 + stream.below(3))):
        corners.append(
            Corner(
                line,
                limit=2 + stream.below(5),
                legends_line_after_space=(line - 2 - stream.below(4)) % spaces + 1,
                race_line_from_here=stream.choose(SIDES),
                chevron_within=(chevron := stream.below(4)),
                double_chevron_within=stream.below(chevron + 1),
            )
        )
    narrow = ((1, spaces),) if stream.below(8) == 7 else one_range(stream, spaces)
    singles = {space for first, last in narrow for space in range(first, last + 1)}
    grid = tuple(
        (space, side) for space in range(spaces, 0, -1) for side in SIDES[: 1 if space in singles else 2]
    )
    facts = TrackFacts(
        format=1,
        id="small",
        name="Small",
        country="Nowhere",
        laps=1,
        spaces=spaces,
        stress=stream.below(5),
        heat=stream.below(8),
        corners=tuple(corners),
        grid=grid[:8],
        outline=((1, 0.0, 0.0), (3, 10.0, 0.0), (6, 10.0, 10.0), (8, 0.0, 10.0)),
        narrow=narrow,
        flooded=one_range(stream, spaces),
        tunnel=one_range(stream, spaces),
    )
    assert not track_problems(facts)
    return facts


def one_range(stream: Stream, spaces: int) -> tuple[tuple[int, int], ...]:
    """Draw no range, or one of up to six spaces."""
    if not stream.below(2):
        return ()
    first = 1 + stream.below(spaces)
    return ((first, min(spaces, first + stream.below(6))),)


def taken_in_the_middle(setup: RaceSetup, stream: Stream) -> RaceSetup:
    """Play some rounds, and make the table as it lies then the position that a race begins from."""
    phase = (Phase.SHIFT_GEARS, Phase.PLAY_CARDS)[stream.below(2)]
    rounds = stream.below(MOST_ROUNDS_BEFORE)
    game = RandomPlay(setup, f"before/{setup.seed}")
    while game.race.phase is not Phase.ENDED:
        race = game.race
        nobody_has_chosen = all(decision.chosen is None for decision in race.open.values())
        if race.round > rounds and race.phase is phase and nobody_has_chosen:
            return checked(setup_of_position(race))
        game.step()
    return setup


def with_poor_hands(setup: RaceSetup, stream: Stream) -> RaceSetup:
    """Begin in a crowd, with hands full of Heat and Stress and next to no Speed cards."""
    facts = setup.track
    track = compile_track(facts)
    deck: list[CardName] = [card for card in starting_deck(0) if card != HEAT]
    progress = track.progress(1 + stream.below(setup.laps), 1 + stream.below(facts.spaces))
    places = []
    spot = 0
    for car in setup.cars:
        lap, space = track.lap(progress), track.space(progress)
        place = CarPosition(lap, space, spot)  # type: ignore[arg-type]  # because a spot is 0 or 1
        if car.legend is None:
            some = stream.sample(deck, 2 + stream.below(4))
            first, second = stream.below(3), stream.below(3)
            heat = stream.below(facts.heat + 2)
            stress = [STRESS] * stream.below(5)
            # Now and then no Speed card lies in a pile, so that a flip finds none.
            rest = some[first:] if stream.below(3) else []
            piles = [*rest, *[STRESS] * stream.below(2)]
            place = replace(
                place,
                gear=1 + stream.below(4),
                engine=stream.below(facts.heat + 2 - heat),
                hand=(*some[:first], *stress, *[HEAT] * heat),
                draw_pile=tuple(piles[second:]),
                discard_pile=tuple(piles[:second]),
            )
        places.append(place)
        spot = 1 - spot if track.spots[space] == 2 else 0
        progress -= spot == 0
    position = Position(tuple(places), 1 + stream.below(9), ("shift", "play")[stream.below(2)])
    return checked(replace(setup, position=position))


def checked(setup: RaceSetup) -> RaceSetup:
    assert not (problems := position_problems(setup)), problems
    return setup
