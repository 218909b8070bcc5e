"""A season's log: it folds, is saved and goes on, keeps its secrets, and can be checked at the end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from heat_core.__main__ import main
from heat_core.data.event_cards import EVENTS
from heat_core.engine import start_race
from heat_core.files import track_names
from heat_core.game_files import write_record
from heat_core.race import events as e
from heat_core.race.dump import BadDump
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.race.rules_version import RULES_VERSION
from heat_core.race.setup import GARAGES, USUAL_CARS, Modules, RaceSetup
from heat_core.record.position import position_in
from heat_core.record.record import (
    BadRecord,
    Record,
    decode_record,
    encode_record,
    fold_record,
    verify_record,
)
from heat_core.rng import Stream, seed_commitment
from heat_core.season import events as s
from heat_core.season.setup import PlannedRace, SeasonSetup, make_season, public_season_setup
from heat_core.season.state import SEASON_FORMAT, Season
from heat_core.season.view import view_season
from heat_core.sentences.events import sentence
from heat_core.simulation import play_out
from heat_core.table import Table
from heat_core.view.secrecy import public_setup
from tests.core.seasons import ALL_MODULES, begin, cars_of, fold_season, race_on, race_with, season_setup
from tests.core.support import track, track_facts

SEED = "a seed that nobody may see"


def random_season(stream: Stream) -> SeasonSetup:
    """Draw a season of any kind, the plainest choice first."""
    modules = Modules(
        GARAGES[stream.below(len(GARAGES))],
        bool(stream.below(2)),
        weather=bool(stream.below(2)),
        sponsorships=bool(stream.below(2)),
    )
    races = [PlannedRace(track_facts(stream.choose(track_names())), 1) for _ in range(3 + stream.below(2))]
    cars = 2 + stream.below(USUAL_CARS - 1)
    legends = stream.below(cars)
    return make_season(
        races,
        cars_of(cars - legends, legends),
        seed=f"{SEED} {stream.below(1 << 16)}",
        rules=list(PRESETS.values())[stream.below(2)],
        modules=modules,
        draws_events=bool(stream.below(2)),
    )


def play_on(season: Season, table: Table | None) -> tuple[bytes, list[bytes]]:
    """Play a season to its end, from the middle of a race where there is one; give all that came of it."""
    tables = []
    while not season.is_over:
        table = table or Table(season.next_race(), season.drivers)
        play_out(table)
        season.finish_race(table.log)
        tables.append(table.dump())
        table = None
    return season.dump(), tables


@settings(max_examples=25)
@given(st.integers(0, 1 << 32), st.integers(0, 3), st.integers(0, 120))
def test_any_season_folds_and_goes_on_to_the_same_end_from_any_moment(
    number: int, races: int, steps: int
) -> None:
    season = begin(random_season(Stream(f"season/{number}")))
    table: Table | None = None
    for _ in range(races):
        if not season.is_over:
            season.finish_race(race_with(season).log)
    if not season.is_over and steps:
        table = Table(season.next_race(), season.drivers)
        for _ in range(steps):
            table.step_bot()
    dump, table_dump = season.dump(), table.dump() if table else None
    assert Season.load(dump).dump() == dump
    end = play_on(season, table)
    again = play_on(Season.load(dump), Table.load(table_dump) if table_dump else None)
    assert again == end
    assert fold_season(season.log) == season.state == Season.load(end[0]).state
    assert season.state.end == "finished"
    assert season.state.event_number == len(season.log)
    assert all(race.results for race in season.state.races)


def test_a_season_that_is_no_season_or_of_another_version_is_not_loaded() -> None:
    season = begin(season_setup())
    race_with(season)
    dump = season.dump()
    with pytest.raises(BadDump, match="no season: "):
        Season.load(dump[:-1])
    with pytest.raises(BadDump, match=f"season format 99; this version reads format {SEASON_FORMAT}"):
        Season.load(msgspec.msgpack.encode({"format": 99, "other": "things"}))
    other = begin(season_setup())
    other.setup = replace(other.setup, rules_version=RULES_VERSION + 1)
    with pytest.raises(BadDump, match=f"begun by version {RULES_VERSION + 1} of the rules"):
        Season.load(other.dump())
    season.log.append(s.RaceScored(2, "finished", (), (), (), ()))
    with pytest.raises(BadDump, match="its events do not follow on one another"):
        Season.load(season.dump())


def season_after_a_race() -> Season:
    season = begin(season_setup(seats=2, rules=RULEBOOK, modules=Modules("basic", sponsorships=True)))
    season.finish_race(race_with(season).log)
    return season


def refusal(season: Season) -> str:
    with pytest.raises(BadDump) as refused:
        Season.load(season.dump())
    return str(refused.value)


def test_a_race_that_cannot_have_ended_so_is_not_loaded() -> None:
    season = season_after_a_race()
    *before, scored = season.log
    assert isinstance(scored, s.RaceScored)
    results = scored.results
    joker = ("joker",)
    changes: list[tuple[dict[str, object], str]] = [
        ({"race": 1}, "race 2 is scored in race 1"),
        ({"results": results[:1]}, "its results do not name each car once"),
        ({"results": ()}, "its results do not name each car once"),
        ({"reason": "abandoned"}, "its results do not name each car once"),
        ({"results": results[::-1]}, "its places do not count up"),
        ({"results": (results[0], replace(results[1], points=9))}, "its points are not those of the places"),
        ({"sponsorship_counts": (9, 9)}, "it counts Sponsorships that no car keeps"),
        ({"sponsorships": (joker, ()), "sponsorship_counts": (1, 0)}, "there is no Sponsorship 'joker'"),
        ({"upgrades": (joker,)}, "cards are carried for 1 cars of 2; there is no upgrade 'joker'"),
    ]
    for changed, reason in changes:
        season.log[:] = [*before, replace(scored, **changed)]
        assert refusal(season) == f"no season: its events do not follow on one another: {reason}"


def test_events_that_cannot_follow_on_one_another_are_not_loaded() -> None:
    season = season_after_a_race()
    began, race_began, scored = season.log
    for log, reason in (
        ([began, began], "it begins twice"),
        ([began, s.DriverChanged(0, "random")], "car 0 has that driver already"),
        ([began, s.SeasonEnded("abandoned", "x"), s.SeasonEnded("abandoned", "x")], "it has already ended"),
        ([began, scored], "the season is between, not racing"),
        ([began, race_began, race_began], "the season is racing, not between"),
    ):
        season.log[:] = log
        assert refusal(season) == f"no season: its events do not follow on one another: {reason}"
    for log in ([], [race_began]):
        season.log[:] = log
        assert refusal(season) == "no season: it does not begin"
    for other in (replace(race_began, grid=(1, 0)), s.SeasonEnded("abandoned", "another seed")):
        season.log[:] = [began, other]
        assert refusal(season) == "no season: its events are not those that its seed draws"
    one_car = season.setup.cars[:1]
    season.setup = replace(season.setup, cars=one_car * 2, modules=Modules(event="strike"))
    assert refusal(season) == (
        "no season: a season plans its events race by race; two cars have the same colour; "
        "two cars have the same name"
    )


def test_a_season_with_an_abandoned_race_is_loaded() -> None:
    season = begin(season_setup(seats=2))
    table = Table(season.next_race(), season.drivers)
    table.abandon()
    season.finish_race(table.log)
    again = Season.load(season.dump())
    assert again.log == season.log
    assert again.state.event_number == len(season.log)


def test_while_the_season_runs_nobody_is_told_its_seed() -> None:
    """Neither in what clients get of races that are over, nor in the season's own log and views."""
    season = begin(season_setup(rules=RULEBOOK, modules=ALL_MODULES, draws_events=True, seed=SEED))
    for number, table in enumerate(race_on(season)):
        told: list[object] = [public_setup(table.setup), season.record_setup(number), view_season(season, 0)]
        told += [table.view(0), *table.events_since(0, 0)]
        told += [public_season_setup(season.setup), *season.events_since(0, 0)]
        assert SEED not in repr(told)
        end = table.log[-1]
        assert isinstance(end, e.RaceEnded)
        assert (end.reason, end.seed) == ("finished", None)
        assert season.state.seed is None
    assert season.log[-1] == s.SeasonEnded("finished", SEED)
    assert view_season(season, None).seed == SEED
    assert season.record_setup(2).seed == f"{SEED}/2"


def test_which_sponsorships_a_seat_keeps_it_alone_is_told() -> None:
    season = begin(season_setup("usa", "italy", "france", "gb", rules=RULEBOOK, modules=ALL_MODULES))
    season = next(
        season
        for number in range(20)
        if keeps_some(season := begin(replace(season.setup, seed=f"keeps {number}")))
    )
    kept = season.state.sponsorships
    scored = season.log[-1]
    assert isinstance(scored, s.RaceScored)
    assert scored.sponsorships == kept
    for viewer in (0, 1, 2, None):
        seen = season.events_since(0, viewer)[-1]
        assert isinstance(seen, s.RaceScored)
        assert seen.sponsorships == tuple(kept[car] if car == viewer else None for car in range(3))
        assert seen.sponsorship_counts == tuple(len(cards) for cards in kept)
        view = view_season(season, viewer)
        assert view.sponsorships == (() if viewer is None else kept[viewer])
        assert view.sponsorship_counts == seen.sponsorship_counts
        assert fold_season(season.events_since(0, viewer)).standings() == season.state.standings()
    upgrades = view_season(season, None).upgrades
    assert [len(cards) for cards in upgrades] == [1, 1, 1]
    assert upgrades == season.state.upgrades


def keeps_some(season: Season) -> bool:
    season.finish_race(race_with(season).log)
    return any(season.state.sponsorships)


def whole_records(season: Season) -> list[tuple[RaceSetup, list[e.Event]]]:
    tables = list(race_on(season))
    return [(season.record_setup(number), table.log) for number, table in enumerate(tables)]


@pytest.mark.spec("CORE-16")
def test_the_shuffles_of_a_season_can_be_checked_when_it_is_over(tmp_path: Path) -> None:
    """One hash is shown from the beginning on; the seed told at the end fits it and deals all races anew."""
    season = begin(season_setup(rules=RULEBOOK, modules=ALL_MODULES, draws_events=True, seed=SEED))
    first = season.events_since(0, 0)[0]
    assert isinstance(first, s.SeasonBegan)
    assert first.seed_commitment == seed_commitment(SEED) == view_season(season, None).commitment
    records = whole_records(season)
    ended = season.events_since(0, 0)[-1]
    assert isinstance(ended, s.SeasonEnded)
    assert ended.seed == SEED
    for number, (setup, log) in enumerate(records):
        assert log[0] == e.RaceSetUp(first.seed_commitment, "season")
        assert sentence(log[0], [], track("usa")) == (
            f"The seed of all shuffles is shown after the season; its hash is {first.seed_commitment}"
        )
        assert setup.seed == f"{SEED}/{number}"
        path = tmp_path / f"{number}.jsonl"
        write_record(path, setup, log)
        done = CliRunner().invoke(main, ["replay", "--verify", "--quiet", str(path)])
        assert done.exit_code == 0, done.output
        assert f"The seed of the season is {SEED}; its hash is the one shown at the start.\n" in done.stderr

        # Another event than the one drawn is found out, though all cards of the race fit it.
        other = next(name for name in EVENTS if name != setup.modules.event and not EVENTS[name].laps)
        chosen = replace(setup, modules=replace(setup.modules, event=other))
        reason = (
            f"line 1: the race's event differs\n  recorded:    {other}\n  drawn again: {setup.modules.event}"
        )
        with pytest.raises(BadRecord, match=f"^{re.escape(reason)}$"):
            verify_record(Record(chosen, tuple(Table(chosen, season.drivers).log)))


def test_a_race_that_was_dealt_from_another_seed_than_the_season_s_is_found() -> None:
    setup, log = whole_records(begin(season_setup(seed=SEED)))[1]
    record = Record(setup, tuple(log))
    assert verify_record(record).end == "finished"
    for seed, reason in (
        (SEED, f"line 1: the seed {SEED} is not that of race 2 of a season"),
        (f"{SEED}/0", f"line 1: the seed {SEED}/0 is not that of race 2 of a season"),
        ("another/1", "line 2: event 1: the hash shown at the start is not the hash of the seed another\n"),
    ):
        with pytest.raises(BadRecord, match=f"^{re.escape(reason)}"):
            verify_record(Record(replace(setup, seed=seed), tuple(log)))
    with pytest.raises(BadRecord, match=r"the seed is shown only when a season is over$"):
        verify_record(Record(replace(setup, seed=None), tuple(log)))
    fold_record(Record(public_setup(setup), tuple(log)))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"modules": Modules(event="no-such")}, "there is no event 'no-such'"),
        ({"laps": 5}, "5 laps; a race has 1 to 4"),
        ({"laps": 4, "modules": Modules(event="strike")}, "5 laps; a race has 1 to 4"),
    ],
)
def test_a_record_of_a_race_that_no_season_has_is_refused(changes: dict[str, object], reason: str) -> None:
    setup, log = whole_records(begin(season_setup()))[0]
    with pytest.raises(BadRecord, match=f"^line 1: {re.escape(reason)}"):
        decode_record(encode_record(replace(setup, **changes), log, "test"))


def test_the_record_of_a_race_of_five_laps_is_read_and_verified() -> None:
    """Four chosen and one by the event; such a record was refused."""
    races = [PlannedRace(track_facts("italy"), 4, "record-crowds"), *season_setup().races[1:]]
    season = begin(make_season(races, cars_of(2), seed=SEED))
    table = next(race_on(season))
    assert table.setup.laps == 5
    again = decode_record(encode_record(table.setup, table.log, "test"))
    assert again == Record(table.setup, tuple(table.log))
    assert verify_record(again).end == "finished"


def test_races_of_a_season_differ_and_the_same_season_is_the_same_again() -> None:
    def logs(seed: str) -> list[Sequence[e.Event]]:
        return [log for _, log in whole_records(begin(season_setup("usa", "usa", "usa", seed=seed)))]

    first = logs("1")
    assert len({repr(log[2:]) for log in first}) == 3
    assert logs("1") == first
    assert logs("2") != first


def test_a_position_out_of_a_season_s_race_is_a_race_of_its_own() -> None:
    """It was raced on under the season's hash, and never told its seed."""
    setup, log = whole_records(begin(season_setup(seed=SEED)))[0]
    file = position_in(Record(setup, tuple(log)), 2, "shift")
    race, events = start_race(replace(file.setup, seed="its own"))
    assert race.round == 2
    assert events[0] == e.RaceSetUp(seed_commitment("its own"), "race")


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_races_of_a_season_are_verified_from_what_all_may_know_of_the_set_up(
    name: PresetName, tmp_path: Path
) -> None:
    """Which Sponsorships began in decks is not told by a public set-up; the piles of the record tell it."""
    rules = PRESETS[name]
    records = whole_records(
        begin(season_setup(legends=1, rules=rules, modules=ALL_MODULES, draws_events=True, seed=SEED))
    )
    assert any(any(setup.carried.sponsorships) for setup, _ in records) == (name == "rulebook")
    for setup, log in records:
        public = replace(public_setup(setup), seed=setup.seed)
        assert not public.carried.sponsorships
        path = tmp_path / "race.jsonl"
        write_record(path, public, log)
        done = CliRunner().invoke(main, ["replay", "--verify", "--quiet", str(path)])
        assert done.exit_code == 0, done.output
        assert f"Verified: dealt again from the seed, all {len(log)} events are the same." in done.stderr

        # Piles that name a Sponsorship more would be of another deal, or of another box.
        for cards in (("sponsor-1",), ("sponsor-1",) * 9):
            place = next(number for number, event in enumerate(log) if isinstance(event, e.PilesMade))
            piles = log[place]
            assert isinstance(piles, e.PilesMade)
            more = replace(
                piles, draw_pile=(*(piles.draw_pile or ()), *cards), cards=piles.cards + len(cards)
            )
            with pytest.raises(BadRecord, match=r"^line \d+: event \d+"):
                verify_record(Record(public, (*log[:place], more, *log[place + 1 :])))
