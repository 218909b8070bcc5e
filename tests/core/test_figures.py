"""The figures of a race, read from its events alone."""

from __future__ import annotations

import pytest

from heat_core import commands as c
from heat_core import events as e
from heat_core.engine import step
from heat_core.figures import race_figures
from heat_core.race import Race
from heat_core.view import view_event
from tests.core.support import RandomPlay, play, position, setup_of


def turn(race: Race, *commands: c.Command) -> list[e.Event]:
    return [event for command in commands for event in step(race, 0, command)]


def test_a_turn_is_counted() -> None:
    race = position(
        {
            "ana": "lap 1 space 30 gear 3 engine 6 hand 4 3 2 1 draw 1 1 2 2",
            "ben": "lap 1 space 10 gear 1 hand 1 2 3 draw 4 4 4",
        }
    )
    step(race, 1, c.PlayCards(("1",)))
    events = play(race, "4", "3", "2") + turn(race, c.EndReact())
    ana, _ = race_figures(2, events)
    assert (ana.rounds, ana.top_speed, ana.heat_paid, ana.corners_pressed) == (1, 9, 6, 1)
    assert ana.spin_outs == 0


def test_a_corner_that_spins_the_car_out_is_not_pressed() -> None:
    race = position(
        {
            "ana": "lap 1 space 30 gear 3 engine 5 hand 4 3 2 1 draw 1 1 2 2",
            "ben": "lap 1 space 10 gear 1 hand 1 2 3 draw 4 4 4",
        }
    )
    step(race, 1, c.PlayCards(("1",)))
    ana, _ = race_figures(2, play(race, "4", "3", "2") + turn(race, c.EndReact()))
    assert (ana.heat_paid, ana.corners_pressed, ana.spin_outs) == (5, 0, 1)


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_whole_races_count_the_same_for_every_onlooker(seed: str) -> None:
    game = RandomPlay(setup_of(seats=3, legends=2, seed=seed), seed)
    race = game.run()
    figures = race_figures(5, game.events)
    assert figures == race_figures(5, [view_event(event, None) for event in game.events])
    assert [figures[standing.car].place for standing in race.standings] == [1, 2, 3, 4, 5]
    for number, car in enumerate(race.cars):
        assert len(figures[number].progress) == race.round
        assert figures[number].progress[-1] == car.progress
        assert figures[number].rounds == race.round
    assert figures[3].heat_paid == 0
