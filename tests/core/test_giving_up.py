"""Giving up: what becomes of the seat, of the round, and of the race."""

from __future__ import annotations

import pytest

from heat_core.decisions import may_give_up
from heat_core.engine import abandon, start_race, step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.race.state import OFF_TRACK
from heat_core.race.state_dump import dump_race
from heat_core.refusal import RefusalCode, Refused
from tests.core.support import RandomPlay, least_command, pass_all, play, position, setup_of


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
