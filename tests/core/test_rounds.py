"""How a round runs, how a race ends, and giving up."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from heat_core.engine import abandon, start_race, step
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import apply
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race, new_race
from heat_core.refusal import RefusalCode, Refused
from tests.core.support import RandomPlay, pass_all, play, position, setup_of, track_facts

ORDER = [
    Phase.SHIFT_GEARS,
    Phase.PLAY_CARDS,
    Phase.REVEAL_AND_MOVE,
    Phase.ADRENALINE,
    Phase.REACT,
    Phase.SLIPSTREAM,
    Phase.CHECK_CORNERS,
    Phase.DISCARD,
    Phase.REPLENISH,
]


def phases_of_round(setup: RaceSetup, events: list[e.Event]) -> list[tuple[int | None, int]]:
    """Pair each phase that the race goes through with the car that is active in it, None where all are."""
    race = new_race(setup)
    told: list[tuple[int | None, int]] = []
    for event in events:
        apply(race, event)
        if isinstance(event, e.RoundStarted | e.TurnStarted | e.PhaseEntered):
            told.append((race.turn.car if race.turn else None, int(race.phase)))
    return told


@pytest.mark.spec("TURN-1", "TURN-3")
@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_nine_phases_run_in_order_and_one_car_is_done_before_the_next_begins(preset: PresetName) -> None:
    setup = setup_of(seats=3, seed="order", rules=PRESETS[preset])
    race, events = start_race(setup)
    events += pass_all(race)
    cars = race_order(events)
    assert sorted(cars) == [0, 1, 2]
    if preset == "standard":
        own = [(car, phase) for car in cars for phase in ORDER[2:7]]
        assert phases_of_round(setup, events) == [(None, 1), (None, 2), *own, (None, 8), (None, 9), (None, 1)]
    else:
        own = [(car, phase) for car in cars for phase in ORDER[2:]]
        assert phases_of_round(setup, events) == [(None, 1), (None, 2), *own, (None, 1)]
    asked = [(event.kind, event.seats) for event in events if isinstance(event, e.DecisionsOpened)]
    together = ["gear", "cards", "discard", "gear"] if preset == "standard" else ["gear", "cards", "gear"]
    assert [kind for kind, seats in asked if seats == (0, 1, 2)] == together
    alone = [seats for kind, seats in asked if len(seats) == 1]
    assert list(dict.fromkeys(alone)) == [(car,) for car in cars], "all of one car, then the next"
    assert alone == sorted(alone, key=lambda seats: cars.index(seats[0]))
    # What moves a car or asks about its movement lies between its turn's start and the next one's.
    active = None
    for event in events:
        match event:
            case e.TurnStarted():
                active = event.car
            case e.CarMoved():
                assert event.car == active
            case e.SpeedSet() | e.CornerChecked() | e.SymbolUsed() | e.SymbolsGained():
                assert event.seat == active
            case _:
                pass


def race_order(events: list[e.Event]) -> tuple[int, ...]:
    return next(event.order for event in events if isinstance(event, e.TurnOrderFixed))


def test_by_the_rulebook_each_car_discards_and_draws_right_after_its_corners() -> None:
    race, events = start_race(setup_of(seats=3, seed="order", rules=RULEBOOK))
    events += pass_all(race)
    kinds = [event.kind for event in events if isinstance(event, e.DecisionsOpened)]
    assert kinds.count("discard") == 3
    drawn = [
        event.seat
        for event in events[events.index(e.TurnStarted(race_order(events)[0])) :]
        if isinstance(event, e.CardsDrawn)
    ]
    assert tuple(dict.fromkeys(drawn)) == race_order(events)


@pytest.mark.spec("TURN-4")
def test_the_order_is_by_lap_space_and_spot_and_holds_for_the_round() -> None:
    words = "gear 1 hand 4 1 2 draw 3 3"
    race = position(
        {
            "ana": f"lap 1 space 40 spot other {words}",
            "ben": f"lap 2 space 3 {words}",
            "cy": f"lap 1 space 40 spot race {words}",
            "dora": f"lap 1 space 39 {words}",
        }
    )
    events: list[e.Event] = []
    for seat in range(4):
        events += step(race, seat, c.PlayCards(("4",)))
    assert race.turn_order == (1, 2, 0, 3)
    # Cy drives 44, Ana 44 or beyond, Dora 43: who passes whom now changes nothing in this round.
    events += pass_all(race)
    assert [event.car for event in events if isinstance(event, e.TurnStarted)] == [1, 2, 0, 3]


@pytest.mark.spec("TURN-18")
def test_a_cluttered_hand_is_shown_and_thrown_away_and_the_car_stays_in_first_gear() -> None:
    words = "lap 1 space 30 gear 4 engine 1 hand 3 stress start-5 heat heat heat heat draw 1 1 2 2 3 4 4"
    race = position({"ana": words, "ben": "lap 1 space 31 gear 1 hand 1 2 3 draw 4 4 4"})
    events = play(race)
    assert race.seat(0).played == []
    events += step(race, 1, c.PlayCards(("1",)))
    assert not any(isinstance(event, e.HandCluttered) for event in events), "shown when its turn comes"
    events = step(race, 1, c.EndReact())
    (shown,) = [event for event in events if isinstance(event, e.HandCluttered)]
    assert shown.hand == ("3", "start-5", "stress", "heat", "heat", "heat", "heat")
    assert sorted(shown.discarded) == ["3", "heat", "start-5", "stress"]
    ana = race.seat(0)
    assert (race.track.space(ana.progress), ana.gear, ana.hand) == (30, 1, ["heat"] * 3)
    assert list(race.open) == [1], "no reaction, no slipstream, no discards: straight to Replenish"
    assert race.open[1].kind == "discard"
    step(race, 1, c.Discard(()))
    assert len(ana.hand) == 7
    # By the rulebook her own phase 9 comes at once, without a phase 8, before Ben drives.
    ben = "lap 1 space 20 gear 1 hand 1 2 3 draw 4 4 4"
    race = position({"ana": words, "ben": ben}, rules=RULEBOOK)
    events = play(race) + play(race, "1", seat=1)
    first = next(n for n, event in enumerate(events) if isinstance(event, e.HandCluttered))
    turn = next(n for n, event in enumerate(events) if event == e.TurnStarted(1))
    phases = [event.phase for event in events[first:turn] if isinstance(event, e.PhaseEntered)]
    assert phases == [Phase.REPLENISH]
    ana = race.seat(0)
    assert (race.track.space(ana.progress), ana.gear, len(ana.hand)) == (30, 1, 7)


@pytest.mark.spec("TURN-19")
@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_round_number_goes_up_after_the_last_seat_has_drawn(preset: PresetName) -> None:
    """Followed event by event: the number changes once in a round, when each seat has drawn its fill."""
    setup = setup_of("italy", seats=3, legends=1, laps=1, seed="rounds", rules=PRESETS[preset])
    game = RandomPlay(setup, "r")
    game.run()
    race = new_race(setup)
    drew: set[int] = set()
    for event in game.events:
        before = race.round
        apply(race, event)
        if isinstance(event, e.PhaseEntered) and event.phase == Phase.REPLENISH:
            drew |= {race.turn.car} if race.turn else set(race.racing_seats())
        if race.round == before:
            continue
        assert isinstance(event, e.RoundStarted)
        assert race.round == before + 1
        if before:
            assert drew == set(race.racing_seats()), "a seat has not had its phase 9"
        for seat in race.racing_seats():
            full = len(race.seat(seat).hand) >= 7
            assert full or not (race.seat(seat).draw_pile or race.seat(seat).discard_pile)
        drew = set()
    assert race.round > 5


def last_lap(ana: str, ben: str) -> Race:
    """Italy, one lap, with a corner line of limit 1 on the finish line."""
    facts = track_facts("italy")
    late = replace(facts.corners[-1], after_space=54, limit=1, legends_line_after_space=40)
    circuit = replace(facts, corners=(*facts.corners, late))
    race, _ = start_race(make_position(circuit, {"ana": ana, "ben": ben}, phase="play", laps=1))
    for seat in (0, 1):
        step(race, seat, c.PlayCards(tuple(race.seat(seat).hand[: race.seat(seat).gear])))
    return race


@pytest.mark.spec("RACE-4", "RACE-5", "RACE-6", "TRACK-9")
def test_the_round_of_the_first_finisher_is_the_last_and_is_played_to_its_end() -> None:
    # Both finish; Ben, who moves later, may get further. On one space the race line wins.
    for ben_cards, winner in (("3 3", 1), ("1 2", 0), ("1 3", 0)):
        race = last_lap(
            "lap 1 space 54 gear 2 engine 6 hand 1 2 heat draw start-0",
            f"lap 1 space 53 gear 2 engine 6 hand {ben_cards} draw start-0",
        )
        step(race, 0, c.EndReact())
        assert race.status == "running", "the others still drive"
        assert race.is_last_round
        events = pass_all(race)
        assert race.end == "finished"
        assert race.standings[0].car == winner
        assert not [event for event in events if isinstance(event, e.CardsDrawn | e.CardsDiscarded)]
    # A spin-out in phase 7 takes Ana back before the line: she has not finished, and the race goes on.
    race = last_lap(
        "lap 1 space 54 gear 2 engine 0 hand 1 2 draw start-0", "lap 1 space 30 gear 1 hand 1 2 draw start-0"
    )
    events = pass_all(race)
    assert any(isinstance(event, e.SpunOut) for event in events)
    assert not any(isinstance(event, e.CarFinished) for event in events)
    assert (race.round, race.status) == (3, "running")


def test_by_the_rulebook_the_others_race_on() -> None:
    game = RandomPlay(setup_of("italy", seats=3, legends=2, laps=1, seed="on", rules=RULEBOOK), "on")
    race = game.run()
    finished = [event.car for event in game.events if isinstance(event, e.CarFinished)]
    left = [event.car for event in game.events if isinstance(event, e.CarLeft)]
    assert sorted(finished) == sorted(left) == [0, 1, 2, 3, 4]
    assert [standing.car for standing in race.standings] == left
    assert all(standing.status == "finished" for standing in race.standings)


def test_nothing_is_taken_after_the_end() -> None:
    race, _ = start_race(setup_of(seats=2))
    abandon(race)
    for command in (c.GiveUp(), c.ShiftGear(1)):
        with pytest.raises(Refused) as refused:
            step(race, 0, command)
        assert refused.value.code == RefusalCode.RACE_ENDED
