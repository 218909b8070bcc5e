"""The championship: races, points, grids and what is carried on.

docs/rules.md: Two sets of rules; Setting up; Championship.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from msgspec.structs import replace

from heat_core.data.event_cards import EVENTS, EXPANSION_YEARS, NO_EVENT
from heat_core.engine import start_race
from heat_core.files import track_names
from heat_core.race import events as e
from heat_core.race.presets import PRESETS, RULEBOOK, STANDARD, PresetName, Rules
from heat_core.race.setup import BadSetup, Modules, make_setup
from heat_core.rules.points import CarResult, SeasonStanding, rank, score, season_grid
from heat_core.season import events as s
from heat_core.season.setup import YEARS, PlannedRace, event_deck, make_season, plan_year, public_season_setup
from heat_core.season.state import Season
from heat_core.season.view import view_season
from heat_core.table import Table
from tests.core.seasons import (
    ALL_MODULES,
    begin,
    cars_of,
    end_of,
    grid_of,
    order_of,
    race_on,
    race_with,
    season_setup,
)
from tests.core.support import setup_of, track_facts
from tests.core.test_season_carried import carried, given_up


def placed(*ends: str) -> tuple[e.Standing, ...]:
    """Rank cars 0, 1, ... in this order."""
    return tuple(e.Standing(car, car + 1, status) for car, status in enumerate(ends))  # type: ignore[arg-type]


def points_of(rules: Rules, cars: int, event: str | None = None) -> list[int]:
    standings = placed(*["finished"] * cars)
    return [result.points for result in score(rules, EVENTS[event] if event else NO_EVENT, standings)]


@pytest.mark.spec("CHAMP-1")
@pytest.mark.parametrize("tracks", [("usa", "italy", "france"), ("gb", "gb", "japan", "netherlands")])
def test_each_race_has_its_track_its_draft_its_weather_its_roads_and_its_event(
    tracks: tuple[str, ...],
) -> None:
    drawn: Counter[str] = Counter()
    setup = season_setup(*tracks, modules=ALL_MODULES, draws_events=True)
    tables = list(race_on(begin(setup)))
    assert [table.setup.track.id for table in tables] == list(tracks)
    for table in tables:
        drawn.update(type(event).__name__ for event in table.log[:60])
        dealt = [event for event in table.log if isinstance(event, e.UpgradesDealt)]
        assert [len(deal.cards) for deal in dealt] == [6, 6, 6], "three rounds of picks, anew in each race"
    assert drawn["WeatherDrawn"] == drawn["RoadsDrawn"] == len(tracks)
    events = {table.setup.modules.event for table in tables}
    assert len(events) == len(tracks), "no event comes twice"
    assert events <= EVENTS.keys()
    weathers = {next(x.weather for x in t.log if isinstance(x, e.WeatherDrawn)) for t in tables}
    assert len(weathers) > 1, "each race draws its own"

    plain = list(race_on(begin(season_setup(*tracks))))
    seen = {type(event).__name__ for table in plain for event in table.log}
    assert not seen & {"UpgradesDealt", "WeatherDrawn", "RoadsDrawn", "SponsorshipGained"}
    assert {table.setup.modules.event for table in plain} == {None}


def test_a_season_that_cannot_be_raced_is_refused_with_every_reason_once() -> None:
    for number in (0, 2, 5):
        with pytest.raises(BadSetup, match=rf"^{number} races; a season has 3 or 4$"):
            make_season([PlannedRace(track_facts("usa"))] * number, cars_of(2), seed="")
    cars = [*cars_of(1), *cars_of(1)]
    races = [PlannedRace(track_facts("usa"), event="no-such")] * 3
    with pytest.raises(BadSetup) as refused:
        make_season(races, cars, seed="", modules=Modules(event="strike"))
    assert str(refused.value) == (
        "a season plans its events race by race; two cars have the same colour; "
        "two cars have the same name; there is no event 'no-such'"
    )
    with pytest.raises(ValueError, match=r"drivers for seats \[1\], seats are \(0, 1\)"):
        Season(season_setup(seats=2), {1: "human"})
    with pytest.raises(ValueError, match="a season without its seed can be looked at, not played on"):
        begin(public_season_setup(season_setup()))


@pytest.mark.spec("CHAMP-2")
def test_points() -> None:
    """The table of points, places shared by nobody, Legends like everyone, ties by the last race."""
    assert points_of(STANDARD, 6) == [12, 10, 8, 6, 4, 2]
    assert points_of(STANDARD, 2) == [4, 2]
    assert points_of(STANDARD, 8) == [16, 14, 12, 10, 8, 6, 4, 2]
    assert points_of(RULEBOOK, 8) == [9, 6, 4, 3, 2, 1, 0, 0]
    assert points_of(replace(STANDARD, points="printed"), 3) == [9, 6, 4]

    # Seat 1 gives up and so comes last: the Legends have places and points above it, and all adds up.
    season = begin(season_setup(seats=2, legends=4))
    total = Counter[int]()
    for _ in range(3):
        table = race_with(season, 1)
        order = order_of(table.log)
        assert order[-1] == 1
        for car, points in zip(order, (12, 10, 8, 6, 4, 2), strict=True):
            total[car] += points
        season.finish_race(table.log)
    assert {standing.car: standing.points for standing in season.state.standings()} == total
    assert total[1] == 6

    # 10 points each: the title goes to the better in the last race, not to who won the first.
    first = (CarResult(0, 1, "finished", 6), CarResult(1, 2, "finished", 4), CarResult(2, 3, "racing", 2))
    last = (CarResult(1, 1, "finished", 6), CarResult(0, 2, "finished", 4), CarResult(2, 3, "racing", 2))
    ranked = (SeasonStanding(1, 1, 10), SeasonStanding(0, 2, 10), SeasonStanding(2, 3, 4))
    assert rank([first, last]) == ranked
    assert [standing.car for standing in rank([last, first])] == [0, 1, 2]
    assert rank([]) == ()


def test_points_of_events() -> None:
    assert points_of(STANDARD, 4, "strike") == [10, 6, 4, 2]
    assert points_of(RULEBOOK, 4, "corruption") == [10, 7, 5, 3]
    assert points_of(STANDARD, 2, "corruption") == [5, 3]
    assert [event.points for name, event in EVENTS.items() if name not in ("strike", "corruption")] == [
        ()
    ] * 16
    results = score(STANDARD, EVENTS["corruption"], placed("finished", "gave_up"))
    assert results[0] == CarResult(0, 1, "finished", 5, 1)
    # No printed event tells its places apart; one that does is a line of data.
    steps = score(STANDARD, NO_EVENT._replace(points=(3, 2, 1)), placed(*["finished"] * 4))
    assert [(result.points, result.event_points) for result in steps] == [(11, 3), (8, 2), (5, 1), (2, 0)]


@pytest.mark.parametrize("rules", PRESETS.values())
def test_who_gave_up_scores_for_its_place_and_whose_race_an_event_ended_scores_nothing(rules: Rules) -> None:
    """The places of the others stay as they are: a car behind one that is out gets no better."""
    standings = placed("finished", "racing", "spun_out", "gave_up", "spun_out")
    results = score(rules, EVENTS["sponsor-withdraws"], standings)
    whole = points_of(rules, 5)
    assert [result.points for result in results] == [whole[0], whole[1], 0, whole[3], 0]
    assert [result.place for result in results] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("rules", PRESETS.values())
def test_every_race_is_driven_by_the_rules_of_the_season(rules: Rules) -> None:
    assert [setup.rules for setup in carried(begin(season_setup(seats=2, rules=rules)))] == [rules] * 3


@pytest.mark.spec("CHAMP-3")
@pytest.mark.parametrize("preset", list(PRESETS))
def test_grids_after_the_first_race_follow_the_standings(preset: PresetName) -> None:
    """Reverse in standard, the leader on pole as printed; of cars with as many points the better in the last
    race counts as ahead."""
    rules = replace(PRESETS[preset], giving_up="any_time")
    season = begin(season_setup("usa", "italy", "france", "gb", seats=3, rules=rules))
    grids: list[tuple[int, ...]] = []
    had_tie = False
    # Each time two seats give up, the first of them comes last; before the last race seats 1 and 2 are level.
    for quitters in ((1, 0), (0, 2), (2, 1), (0, 1)):
        table = race_with(season, *quitters)
        grids.append(grid_of(table.log))
        standings = season.state.standings()
        if standings:
            leader_first = tuple(standing.car for standing in standings)
            assert grids[-1] == (leader_first if preset == "rulebook" else leader_first[::-1])
            points = {standing.car: standing.points for standing in standings}
            last = {result.car: result.place for result in season.state.races[-2].results}
            for ahead, behind in pairwise(leader_first):
                assert points[ahead] >= points[behind]
                if points[ahead] == points[behind]:
                    had_tie = True
                    assert last[ahead] < last[behind]
        season.finish_race(table.log)
    assert had_tie
    level = [SeasonStanding(2, 1, 9), SeasonStanding(0, 2, 9), SeasonStanding(1, 3, 1)]
    assert season_grid(replace(STANDARD, season_grid="leader_on_pole"), level) == (2, 0, 1)
    assert season_grid(replace(RULEBOOK, season_grid="last_on_pole"), level) == (1, 0, 2)


@pytest.mark.spec("RACE-1")
def test_track_and_laps_are_chosen_and_the_grid_is_drawn_first_and_by_the_standings_later() -> None:
    for name in track_names():
        for laps in (1, 2, 3, 4):
            setup = setup_of(name, laps=laps)
            assert (setup.track.id, setup.laps) == (name, laps)
            race, _ = start_race(setup)
            assert race.finish_line == (laps + 1) * setup.track.spaces
        assert setup_of(name, laps=None).laps == track_facts(name).laps
        for laps in (0, 5):
            with pytest.raises(BadSetup, match=rf"^{laps} laps; a race has 1 to 4$"):
                setup_of(name, laps=laps)

    poles = Counter(grid_of(start_race(setup_of(seats=6, seed=f"grid {n}"))[1])[0] for n in range(600))
    assert set(poles) == set(range(6)), "each car has pole now and then"
    assert all(60 <= times <= 145 for times in poles.values()), poles
    again = [grid_of(start_race(setup_of(seats=6, seed="same"))[1]) for _ in range(2)]
    assert again[0] == again[1]

    first: set[tuple[int, ...]] = set()
    for number in range(12):
        season = begin(season_setup(seats=3, seed=f"season {number}"))
        for place, table in enumerate(race_on(season)):
            grid = grid_of(table.log)
            assert table.setup.carried.grid == (None if place == 0 else grid)
            if place == 0:
                first.add(grid)
            else:
                assert grid[::-1] == tuple(standing.car for standing in season.state.standings())
    assert len(first) > 3


@pytest.mark.parametrize("year", YEARS)
def test_a_printed_year_has_its_tracks_and_events_in_order(year: int) -> None:
    races = plan_year(year, track_facts, laps=2)
    printed = [(name, event) for name, event in EVENTS.items() if event.year == year]
    assert [race.event for race in races] == [name for name, _ in printed]
    assert [race.track.id for race in races] == [event.track for _, event in printed]
    season = begin(make_season(races, cars_of(2), seed="", draws_events=True))
    for table, (name, event) in zip(race_on(season), printed, strict=True):
        assert table.setup.modules.event == name
        assert table.setup.laps == 2 + event.laps


def test_the_years_are_those_of_the_box() -> None:
    assert {year: len(plan_year(year, track_facts)) for year in YEARS} == {
        1961: 3,
        1962: 3,
        1963: 4,
        1964: 4,
        1965: 4,
    }


def test_a_race_never_has_fewer_than_one_lap() -> None:
    """Strike takes a lap, record crowds add one, whatever was chosen."""
    for laps in (1, 2, 3, 4):
        for event, length in (("strike", max(1, laps - 1)), ("record-crowds", laps + 1)):
            modules = Modules(event=event)
            setup = make_setup(track_facts("usa"), cars_of(2), seed="", laps=laps, modules=modules)
            assert setup.laps == length


def test_events_are_drawn_without_the_printed_ones_and_with_the_expansion_s_only_where_it_is_in() -> None:
    plain = event_deck(season_setup(draws_events=True))
    assert {EVENTS[name].year for name in plain} == {1961, 1962, 1963}
    assert len(plain) == 10
    setup = season_setup(modules=Modules(expansion=True), draws_events=True)
    assert event_deck(setup) == list(EVENTS)
    assert set(YEARS) >= EXPANSION_YEARS
    printed = replace(setup.races[0], event="strike")
    mixed = replace(setup, races=(printed, *setup.races[1:]))
    assert "strike" not in event_deck(mixed)
    drawn: Counter[str | None] = Counter()
    for number in range(60):
        season = begin(replace(mixed, seed=f"draw {number}"))
        events = []
        while not season.is_over:
            events.append(season.next_race().modules.event)
            season.finish_race(given_up(season))
        assert events[0] == "strike"
        drawn.update(events[1:])
    assert "strike" not in drawn
    assert len(drawn) == len(EVENTS) - 1, "every other event comes up"


def test_seats_change_drivers_between_races() -> None:
    season = begin(season_setup(seats=2), "human")
    assert season.set_driver(0, "human") == []
    assert season.set_driver(0, "random") == [s.DriverChanged(0, "random")]
    assert season.set_driver(1, "steady") == [s.DriverChanged(1, "steady")]
    table = race_with(season)
    assert table.drivers == {0: "random", 1: "steady"}
    season.finish_race(table.log)
    season.set_driver(0, "human")
    assert Table(season.next_race(), season.drivers).drivers == {0: "human", 1: "steady"}
    assert Season.load(season.dump()).drivers == {0: "human", 1: "steady"}
    with pytest.raises(KeyError):
        season.set_driver(2, "human")


def test_what_comes_at_the_wrong_moment_is_refused_and_changes_nothing() -> None:
    season = begin(season_setup(seats=2))
    with pytest.raises(ValueError, match="the season is between, not racing"):
        season.finish_race([])
    table = Table(season.next_race(), season.drivers)
    before = season.dump()
    with pytest.raises(ValueError, match="the season is racing, not between"):
        season.next_race()
    with pytest.raises(ValueError, match="race 1 is not over: it is in round 1"):
        season.finish_race(table.log)
    assert season.dump() == before


def test_an_abandoned_race_scores_nothing_and_ends_the_season() -> None:
    season = begin(season_setup(seats=2))
    first = race_with(season)
    season.finish_race(first.log)
    standings = season.state.standings()
    table = Table(season.next_race(), season.drivers)
    table.abandon()
    scored, ended = season.finish_race(table.log)
    assert isinstance(scored, s.RaceScored)
    assert (scored.reason, scored.results) == ("abandoned", ())
    assert ended == s.SeasonEnded("abandoned", season.setup.seed)
    assert season.is_over
    assert season.state.standings() == standings
    assert season.abandon() == []


def test_a_season_can_be_abandoned_at_any_moment() -> None:
    season = begin(season_setup(seats=2))
    season.next_race()
    assert season.abandon() == [s.SeasonEnded("abandoned", season.setup.seed)]
    assert view_season(season, None).standings == ()
    with pytest.raises(ValueError, match="the season is ended, not between"):
        season.next_race()


def test_the_view_shows_races_done_and_to_come() -> None:
    season = begin(season_setup("usa", "gb", "italy", laps=2, legends=1))
    view = view_season(season, None)
    assert (view.status, view.race, view.standings) == ("between", 0, ())
    assert view.drivers == ("random", "random", "random", None)
    assert [(race.track, race.laps, race.end) for race in view.races] == [
        ("USA", 2, None),
        ("Great Britain", 2, None),
        ("Italy", 2, None),
    ]
    table = race_with(season)
    assert (view_season(season, None).status, view_season(season, None).race) == ("racing", 1)
    season.finish_race(table.log)
    view = view_season(season, None)
    assert (view.status, view.race, view.races[0].end) == ("between", 1, end_of(table.log).reason)
    assert tuple(result.car for result in view.races[0].results) == order_of(table.log)
    assert [standing.car for standing in view.standings] == list(order_of(table.log))
    year = make_season(plan_year(1962, track_facts, 2), cars_of(2), seed="")
    assert [(race.event, race.laps) for race in view_season(begin(year), None).races] == [
        ("restrictions-lifted", 2),
        ("record-crowds", 3),
        ("corruption", 2),
    ]
