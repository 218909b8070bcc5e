"""Weather and road tokens as a race begins: when they turn up, what they change, who sees them."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from msgspec.structs import replace

from heat_core.cards import HEAT, STRESS
from heat_core.data.weather import ROAD_COPIES, ROADS, WEATHER, WeatherName
from heat_core.engine import start_race, step
from heat_core.files import track_names
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import COLOURS, CarSetup, Modules, make_setup
from heat_core.race.state import Race
from heat_core.rules.sectors import sector_effects, token_places
from heat_core.track_facts import TrackFacts
from heat_core.view.secrecy import view_race
from tests.core.support import all_cards, track, track_facts

CARS = [CarSetup("ana", COLOURS[0]), CarSetup("ben", COLOURS[1])]


def begin(
    facts: TrackFacts, seed: str, *, event: str | None = None, preset: PresetName = "standard"
) -> tuple[Race, list[e.Event]]:
    modules = Modules(weather=True, event=event)
    return start_race(make_setup(facts, CARS, seed=seed, modules=modules, rules=PRESETS[preset]))


@cache
def seed_with(weather: WeatherName) -> str:
    """Give a seed that turns a weather up; the tokens are drawn before all that depends on the track."""
    for number in range(200):
        race, _ = begin(track_facts("usa"), str(number))
        if race.weather == weather:
            return str(number)
    raise AssertionError(f"no seed brings {weather}")


@pytest.mark.spec("WEATHER-1")
@pytest.mark.parametrize(
    ("weather", "stress", "engine", "in_draw_pile", "in_discard_pile", "sector"),
    [
        ("clouds", 2, 6, 0, 0, "no_cooldown"),
        ("fog", 3, 7, 0, 0, "no_slipstream"),
        ("storm", 4, 6, 0, 0, "slipstream+2"),
        ("snow", 3, 5, 0, 0, "cooldown+1"),
        ("rain", 3, 3, 3, 0, "cooldown+1"),
        ("sun", 3, 3, 0, 3, "slipstream+2"),
    ],
)
def test_one_token_a_race_changes_what_all_begin_with_and_acts_where_the_preset_says(
    weather: WeatherName,
    stress: int,
    engine: int,
    in_draw_pile: int,
    in_discard_pile: int,
    sector: str,
) -> None:
    assert len(WEATHER) == 6
    race, events = begin(track_facts("usa"), seed_with(weather))
    assert sum(isinstance(event, e.WeatherDrawn) for event in events) == 1
    for seat in (0, 1, None):
        assert view_race(race, seat).weather == weather
    made = [event for event in events if isinstance(event, e.PilesMade)]
    assert len(made) == 2
    for piles in made:
        cards = Counter(piles.draw_pile)
        assert (cards[STRESS], cards[HEAT]) == (stress, in_draw_pile + 1), "one is the starting upgrade"
        assert (piles.engine, piles.discard_pile) == (engine, (HEAT,) * in_discard_pile)
    effect = WEATHER[weather].sector
    for preset in PRESETS:
        race, _ = begin(track_facts("usa"), seed_with(weather), preset=preset)
        where = sector_effects(race.track, race.roads, race.weather, race.rules.weather_sectors)
        for token, found in zip(race.roads, where, strict=True):
            if token in ("free-boost", "slipstream+1"):
                assert found == token
            elif token == "weather" or preset == "standard":
                assert found == effect == sector
            else:
                assert found is None


@pytest.mark.parametrize(
    ("weather", "heat", "engine", "in_draw_pile", "in_discard_pile", "stress"),
    [
        ("clouds", 6, 4, 0, 0, 0),
        ("snow", 6, 3, 0, 0, 0),
        ("snow", 2, 0, 0, 0, 0),
        ("rain", 4, 0, 2, 0, 0),
        ("rain", 6, 1, 3, 0, 0),
        ("sun", 3, 0, 0, 1, 0),
    ],
)
def test_nothing_goes_below_zero_by_weather_and_event_together(
    weather: WeatherName, heat: int, engine: int, in_draw_pile: int, in_discard_pile: int, stress: int
) -> None:
    facts = replace(track_facts("usa"), stress=1, heat=heat)
    race, events = begin(facts, seed_with(weather), event="safety-rules")
    made = next(event for event in events if isinstance(event, e.PilesMade))
    cards = Counter(made.draw_pile)
    assert (made.engine, cards[HEAT] - 1, len(made.discard_pile)) == (engine, in_draw_pile, in_discard_pile)
    assert cards[STRESS] == stress
    assert all_cards(race, 0)[HEAT] == 1 + engine + in_draw_pile + in_discard_pile


@pytest.mark.parametrize("board", track_names())
def test_one_road_token_lies_at_each_corner_and_a_chicane_has_one(board: str) -> None:
    assert sum(ROAD_COPIES for _ in ROADS) == 12
    seen: Counter[str] = Counter()
    for seed in range(12):
        race, events = begin(track_facts(board), str(seed))
        (drawn,) = [event.roads for event in events if isinstance(event, e.RoadsDrawn)]
        assert race.roads == drawn == view_race(race, None).roads
        places = token_places(track(board))
        assert [corner for corner, token in enumerate(drawn) if token] == list(places)
        counts = Counter(token for token in drawn if token)
        assert max(counts.values()) <= ROAD_COPIES
        seen += Counter(counts)
    assert set(seen) == set(ROADS)
    for corner, facts in enumerate(track_facts(board).corners):
        assert bool(facts.chicane_with_corner) == (corner not in token_places(track(board)))


def test_tokens_turn_up_after_the_draft_and_before_the_piles_are_made() -> None:
    setup = make_setup(track_facts("usa"), CARS, seed="x", modules=Modules("basic", weather=True))
    race, events = start_race(setup)
    while race.open and next(iter(race.open.values())).kind == "pick":
        assert (race.weather, race.roads, view_race(race, 0).weather) == (None, (), None)
        (seat,) = race.open
        events += step(race, seat, c.PickUpgrade(race.offered[0]))
    kinds = [type(event) for event in events]
    order = [kinds.index(kind) for kind in (e.GarageClosed, e.WeatherDrawn, e.RoadsDrawn, e.PilesMade)]
    assert order == sorted(order)


def test_a_race_without_the_module_has_no_tokens() -> None:
    race, events = start_race(make_setup(track_facts("usa"), CARS, seed="x"))
    assert not any(isinstance(event, e.WeatherDrawn | e.RoadsDrawn) for event in events)
    assert (race.weather, race.roads) == (None, ())


def test_a_track_with_more_corners_than_tokens_has_as_many_as_there_are() -> None:
    facts = track_facts("spain")
    corners = tuple(
        replace(facts.corners[0], after_space=5 + 6 * number, legends_line_after_space=3 + 6 * number)
        for number in range(14)
    )
    race, _ = begin(replace(facts, corners=corners, press_corners=(), tunnel=()), "x")
    assert [token is not None for token in race.roads] == [True] * 12 + [False] * 2
