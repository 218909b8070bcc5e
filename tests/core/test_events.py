"""The event cards of a championship: what a race with each begins with, and which race has which."""

from __future__ import annotations

from collections import Counter

import pytest

from heat_core.cards import SPONSORSHIP_CARDS, STRESS
from heat_core.data.event_cards import EVENTS, NO_EVENT, EventFacts
from heat_core.engine import start_race
from heat_core.race import events as e
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import COLOURS, CarSetup, Modules, make_setup
from heat_core.race.state import Race
from heat_core.season.setup import YEARS, PlannedRace, make_season, plan_year
from tests.core.seasons import begin as begin_season
from tests.core.seasons import cars_of, race_on
from tests.core.support import track_facts
from tests.core.support_events import gains
from tests.core.support_turns import (
    FAR,
    begin,
    discard,
    leave_react,
    reveal,
)


def begun(event: str, *, on: str | None = None, laps: int | None = None) -> tuple[Race, list[e.Event]]:
    """Begin a race with an event on the grid of its own board."""
    cars = [CarSetup(name, COLOURS[number]) for number, name in enumerate(("ana", "ben", "cy"))]
    facts = track_facts(on or EVENTS[event].track)
    return start_race(
        make_setup(facts, cars, seed="x", laps=laps, modules=Modules(sponsorships=True, event=event))
    )


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_changes_what_all_begin_with(event: str) -> None:
    facts = EVENTS[event]
    laps, heat, stress, hand = {
        "strike": (-1, 0, 0, 7),
        "restrictions-lifted": (0, 1, 0, 7),
        "record-crowds": (1, 0, 0, 8),
        "safety-rules": (0, -2, -1, 6),
        "sponsor-withdraws": (0, 0, 1, 7),
        "pressure-cooker": (1, 0, 0, 7),
    }.get(event, (0, 0, 0, 7))
    race, events = begun(event)
    track = race.setup.track
    assert race.setup.laps == track.laps + laps
    for number in race.seats():
        seat = race.seat(number)
        assert seat.engine == track.heat + heat
        assert Counter([*seat.hand, *seat.draw_pile])[STRESS] == track.stress + stress
        assert len(seat.hand) == hand
        # Sponsorships of the start are in the hand and count in it.
        assert sum(card in SPONSORSHIP_CARDS for card in seat.hand) == facts.sponsorships
    assert gains(events, "start") == [n for n in range(3) for _ in range(facts.sponsorships)]


def test_no_event_takes_the_last_lap() -> None:
    race, _ = begun("strike", laps=1)
    assert race.setup.laps == 1
    race, _ = begun("strike", on="spain")
    assert race.setup.laps == 1
    race, _ = begun("strike", laps=3)
    assert race.setup.laps == 2


@pytest.mark.spec("CHAMP-5")
def test_each_race_has_one_event_as_printed_for_its_year_or_drawn_without_replacement() -> None:
    """And each but one has a rule of its own, which the next two files prove; no race loses its last lap."""
    rules = EventFacts._fields.index("text") + 1
    without_rule = [name for name, facts in EVENTS.items() if facts[rules:] == NO_EVENT[rules:]]
    assert without_rule == ["title-sponsor"]
    for year in YEARS:
        season = begin_season(make_season(plan_year(year, track_facts, laps=1), cars_of(2), seed="x"))
        setups = [table.setup for table in race_on(season)]
        assert [(setup.modules.event, setup.track.id) for setup in setups] == [
            (name, facts.track) for name, facts in EVENTS.items() if facts.year == year
        ]
        assert all(setup.laps == max(1, 1 + setup.event_card.laps) for setup in setups)
    for seed in range(10):
        races = tuple(PlannedRace(track_facts("usa"), 1) for _ in range(4))
        season = begin_season(make_season(races, cars_of(2), seed=str(seed), draws_events=True))
        drawn = [table.setup.modules.event for table in race_on(season)]
        assert len(set(drawn)) == 4
        assert set(drawn) <= set(EVENTS)


def test_events_that_give_points_are_data_for_the_season() -> None:
    points = {name: facts.points for name, facts in EVENTS.items() if facts.points}
    assert points == {"strike": (2,), "corruption": (1, 1, 1)}


@pytest.mark.spec("CORE-7", "TURN-17")
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("event", "size"), [(None, 7), ("record-crowds", 8), ("safety-rules", 6)])
def test_the_hand_is_drawn_up_to_seven_or_as_the_event_says_with_a_reshuffle_and_a_full_hand_stays(
    event: str | None, size: int, preset: PresetName
) -> None:
    ana = "lap 1 space 20 gear 1 engine 3 hand 4 4 4 3 draw 1 1 2 discard 2 3 stress"
    race = begin(
        {"ana": ana, "ben": f"{FAR} discard 3 3 4 4"}, event=event, garage="none", rules=PRESETS[preset]
    )
    reveal(race, "4")
    leave_react(race)
    events = discard(race, "3")
    assert len(race.seat(0).hand) == size
    assert any(isinstance(item, e.PileReshuffled) and item.seat == 0 for item in events)
    assert Counter(["4", "4", "1", "1", "2"]) <= Counter(race.seat(0).hand), "the old pile is drawn first"
    ana = "lap 1 space 20 gear 1 hand 4 4 4 3 3 3 2 2 1 1 draw 1 2"
    race = begin({"ana": ana, "ben": FAR}, event=event, garage="none", rules=PRESETS[preset])
    reveal(race, "4")
    leave_react(race)
    discard(race)
    assert len(race.seat(0).hand) == 9, "a larger hand stays"
