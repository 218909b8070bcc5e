"""How a round runs, how a race ends, and giving up."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from heat_core.decisions import may_give_up
from heat_core.engine import abandon, start_race, step
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import apply
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.race.setup import RaceSetup
from heat_core.race.state import OFF_TRACK, Race, new_race
from heat_core.race.state_dump import dump_race
from heat_core.refusal import RefusalCode, Refused
from tests.core.support import RandomPlay, least_command, pass_all, play, position, setup_of, track_facts

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


@pytest.mark.spec("RACE-9")
def test_giving_up_in_every_phase_ranks_last_and_all_giving_up_ends_the_race() -> None:
    kinds = set()
    for stop in range(120):
        race, _ = start_race(setup_of(seats=3, legends=1, seed=f"give {stop % 3}"))
        for _ in range(stop // 3):
            seat = next(seat for seat, decision in race.open.items() if decision.chosen is None)
            step(race, seat, least_command(race, seat))
        active = next(iter(race.open))
        kinds.add(race.open[active].kind)
        for quitter in (active, *(seat for seat in (0, 1, 2) if seat != active)):
            assert race.end is None
            events = step(race, quitter, c.GiveUp())
            assert e.CarOut(quitter, "gave_up") in events
            assert quitter not in race.open
            places = [race.track.space(car.progress) * 2 + car.spot for car in race.cars]
            assert places[quitter] not in race.places or places.count(places[quitter]) > 1
        assert race.end == "gave_up"
        assert race.standings[0].car == 3
        assert race.standings[1].car == race.out[-1], "the later it left the better"
        assert [standing.status for standing in race.standings] == ["racing"] + ["gave_up"] * 3
    assert kinds == {"gear", "cards", "react", "slipstream", "discard"}
    race, _ = start_race(setup_of(seats=2))
    (ended,) = abandon(race)
    assert isinstance(ended, e.RaceEnded)
    assert (ended.reason, race.end, race.status) == ("abandoned", "abandoned", "ended")
    raced = RandomPlay(setup_of("italy", seats=2, laps=1, seed="end"), "end")
    assert (raced.run().end, raced.race.status) == ("finished", "ended")
    # One who gives up among others who race on to the end is ranked last of all, whatever the place.
    race = position(
        {
            "ana": "lap 1 space 54 gear 1 hand 4 3 draw 1",
            "ben": "lap 1 space 40 gear 1 hand 4 3 draw 1",
            "cy": "lap 1 space 53 gear 1 hand 4 3 draw 1",
        },
        on="italy",
        laps=1,
    )
    step(race, 2, c.GiveUp())
    pass_all(race)
    assert race.end == "finished"
    assert [(standing.car, standing.status) for standing in race.standings] == [
        (0, "finished"),
        (1, "racing"),
        (2, "gave_up"),
    ]


def test_the_others_go_on_when_one_gives_up() -> None:
    race, _ = start_race(setup_of(seats=3, seed="on"))
    step(race, 1, c.ShiftGear(2))
    step(race, 2, c.ShiftGear(2))
    step(race, 0, c.GiveUp())
    assert {decision.kind for decision in race.open.values()} == {"cards"}, "the last choice missing was his"
    pass_all(race)
    assert race.round == 2
    assert set(race.open) == {1, 2}


def test_a_race_in_which_one_has_finished_is_finished_though_the_others_give_up() -> None:
    cars = {
        "ana": "lap 1 space 68 gear 1 hand 4 1 1 draw 2 2 2",
        "ben": "lap 1 space 20 gear 1 hand 1 2 3 draw 4 4 4",
        "leg": "lap 1 space 10 legend easy",
    }
    race = position(cars, laps=1)
    play(race, "4")
    play(race, "1", seat=1)
    step(race, 0, c.EndReact())
    assert race.seat(0).status == "finished"
    assert list(race.open) == [1]
    events = step(race, 1, c.GiveUp())
    assert any(isinstance(event, e.LegendMoved) for event in events), "the round is raced to its end"
    assert race.end == "finished"
    assert [standing.car for standing in race.standings] == [0, 2, 1]


@pytest.mark.parametrize("kind", ["gear", "cards", "discard"])
def test_the_last_chooser_giving_up_lets_the_choices_of_the_others_turn_up(kind: str) -> None:
    race, _ = start_race(setup_of(seats=3, seed="on"))
    while True:
        due = [seat for seat, decision in race.open.items() if decision.chosen is None]
        if len(due) == 1 and race.open[due[0]].kind == kind:
            break
        step(race, due[0], least_command(race, due[0]))
    (last,) = due
    assert len(race.open) == 3
    events = step(race, last, c.GiveUp())
    closed = [event for event in events if isinstance(event, e.ChoicesTurnedUp | e.TurnOrderFixed)]
    assert len(closed) == 1
    assert (
        closed[0] == e.ChoicesTurnedUp(kind) if kind != "cards" else isinstance(closed[0], e.TurnOrderFixed)
    )
    others = {0, 1, 2} - {last}
    assert race.open.keys() <= others
    assert race.seat(last).status == "gave_up"
    pass_all(race)
    assert set(race.open) == others, "a new round, of two"
    assert race.places[last] == OFF_TRACK, "its spot is free"


@pytest.mark.parametrize(
    ("preset", "kind"),
    [("standard", "react"), ("standard", "slipstream"), *(("rulebook", k) for k in ("react", "discard"))],
)
def test_when_the_active_car_gives_up_the_next_one_has_its_turn(preset: PresetName, kind: str) -> None:
    """Two drive on behind a Legend that has finished, as the rulebook asks; the first one leaves."""
    words = "gear 1 hand 1 2 3 draw 4 4 4 2 2"
    cars = {
        "ana": f"lap 1 space 40 {words}",
        "ben": f"lap 1 space 20 {words}",
        "cy": "lap 1 space 41 gear 1 hand start-0 1 draw 2 2",
        "done": "lap 1 space 54 legend hard",
    }
    race = position(cars, on="italy", laps=1, rules=PRESETS[preset])
    if preset == "standard":
        # Without a finisher the round is an ordinary one.
        race = position({name: cars[name] for name in ("ana", "ben", "cy")}, on="italy", laps=1)
    step(race, 2, c.PlayCards(("start-0",)))
    for seat in (0, 1):
        step(race, seat, c.PlayCards(("1",)))
    while race.turn is None or race.turn.car != 0 or race.open[0].kind != kind:
        (seat,) = race.open
        step(race, seat, least_command(race, seat))
    events = step(race, 0, c.GiveUp())
    assert [event.car for event in events if isinstance(event, e.TurnStarted)] == [1]
    assert list(race.open) == [1]
    events = pass_all(race)
    assert not [event for event in events if isinstance(event, e.CarMoved) and event.car == 0]
    assert (race.round, race.end, set(race.open)) == (3, None, {1, 2})


def test_by_the_rulebook_nobody_gives_up_before_a_car_has_finished() -> None:
    race, _ = start_race(setup_of(seats=2, rules=RULEBOOK))
    before = dump_race(race)
    assert not may_give_up(race, 0)
    with pytest.raises(Refused) as refused:
        step(race, 0, c.GiveUp())
    assert refused.value.code == RefusalCode.MAY_NOT_GIVE_UP
    assert dump_race(race) == before


def test_by_the_rulebook_one_may_give_up_once_a_car_has_finished_and_the_finisher_keeps_its_place() -> None:
    words = "gear 1 hand 4 3 2 draw 1 1 1 2 2"
    cars = {name: f"lap 1 space {space} {words}" for name, space in (("ana", 54), ("ben", 30), ("cy", 20))}
    race = position(cars, on="italy", laps=1, rules=RULEBOOK)
    for seat in (0, 1, 2):
        assert not may_give_up(race, seat)
        step(race, seat, c.PlayCards(("4",)))
    assert not may_give_up(race, 2), "Ana stands beyond the line, but her phase 7 is yet to come"
    step(race, 0, c.EndReact())
    assert race.seat(0).status == "finished"
    assert [may_give_up(race, seat) for seat in (0, 1, 2)] == [False, True, True]
    pass_all(race)
    assert race.seat(0).status == "left"
    assert race.cars[0].progress * 2 not in race.places
    step(race, 1, c.GiveUp())
    assert race.end is None, "Cy races on alone"
    step(race, 2, c.GiveUp())
    assert race.status == "ended"
    assert [(standing.car, standing.status) for standing in race.standings] == [
        (0, "finished"),
        (2, "gave_up"),
        (1, "gave_up"),
    ]


@pytest.mark.parametrize("ben_gives_up_in", [Phase.SHIFT_GEARS, Phase.PLAY_CARDS])
def test_by_the_rulebook_legends_race_on_when_no_seat_does_any_more(ben_gives_up_in: Phase) -> None:
    """Ana finishes, then Ben, the last seat, gives up: nobody is asked, and the Legend finishes alone."""
    words = "gear 1 hand 4 3 2 draw 1 1 1 2 2"
    cars = {
        "ana": f"lap 1 space 54 {words}",
        "ben": f"lap 1 space 40 {words}",
        "robot": "lap 1 space 2 legend easy",
    }
    race = position(cars, on="italy", laps=1, rules=RULEBOOK)
    events = play(race, "4") + play(race, "4", seat=1) + pass_all(race)
    while race.phase is not ben_gives_up_in:
        events += step(race, 1, least_command(race, 1))
    events += step(race, 1, c.GiveUp())
    assert not race.open
    assert race.end == "finished"
    rounds = [event.round for event in events if isinstance(event, e.RoundStarted)]
    assert rounds == list(range(3, race.round + 1))
    assert race.round > 4
    turns = [event.car for event in events if isinstance(event, e.TurnStarted)]
    assert turns == [0, 1, 2, *[2] * (race.round - 2)], "one move of the Legend a round"
    assert [event.car for event in events if isinstance(event, e.CarLeft)] == [0, 2]
    assert [(standing.car, standing.status) for standing in race.standings] == [
        (0, "finished"),
        (2, "finished"),
        (1, "gave_up"),
    ]


def test_nothing_is_taken_after_the_end() -> None:
    race, _ = start_race(setup_of(seats=2))
    abandon(race)
    for command in (c.GiveUp(), c.ShiftGear(1)):
        with pytest.raises(Refused) as refused:
            step(race, 0, command)
        assert refused.value.code == RefusalCode.RACE_ENDED
