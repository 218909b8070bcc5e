"""What a driver hears of the clock: before, what silence will do; afterwards, what was chosen."""

from __future__ import annotations

from typing import Literal

import pytest

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.view.defaults import default_command
from heat_tui.client.local import LocalSession
from heat_tui.flow.race import RaceController
from heat_tui.words.silence import silence_text, time_was_up
from tests.tui.support_race import DRAW, table_at

HAND = "hand 4 3 1 stress heat 2 start-5"


def controller(cars: dict[str, str], phase: Literal["shift", "play"]) -> RaceController:
    race = RaceController(LocalSession(table_at(cars, phase=phase)))
    race.settle(race.unseen())
    return race


def alone(
    gear: int,
    phase: Literal["shift", "play"] = "play",
) -> RaceController:
    cars = {
        "Ana": f"lap 1 space 31 gear {gear} engine 4 {HAND} {DRAW}",
        "L1": "lap 1 space 20 legend easy",
    }
    return controller(cars, phase)


@pytest.mark.spec("EAR-4")
@pytest.mark.parametrize(
    ("race", "before", "after"),
    [
        (alone(1, "shift"), "1st gear is kept", "1st gear was kept"),
        (alone(1), "1 is played", "1 was played"),
        (alone(3), "1, 2, Stress are played", "1, 2, Stress were played"),
    ],
)
def test_silence_and_what_the_clock_chose_are_said(race: RaceController, before: str, after: str) -> None:
    observation = race.observation
    assert observation is not None
    assert silence_text(observation) == before
    event = e.ChoiceMade(observation.seat, 1, default_command(observation), by_clock=True)
    line = race.take_in(event)
    assert line is not None
    assert line.text.plain == f"Time was up: {after} for you"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (c.ShiftGear(2), "2nd gear was chosen"),
        (c.ChooseValue((1, 2)), "a speed of 1 and 2 was chosen"),
        (c.EndReact(), "nothing more was used"),
        (c.UseSymbol(0), "a symbol was used"),
        (c.Slipstream(0), "no slipstream was taken"),
        (c.Slipstream(2), "a slipstream of 2 spaces was taken"),
        (c.Discard(()), "nothing was discarded"),
        (c.PlayCards(()), "no card was played"),
        (c.SwapUpgrade(None, None), "no upgrade was swapped"),
    ],
)
def test_each_kind_of_choice_has_its_words(command: c.Command, told: str) -> None:
    race = alone(3)
    event = e.ChoiceMade(0, 1, command, by_clock=True)
    assert time_was_up(event, race.observation) == f"Time was up: {told} for you"
    assert time_was_up(event, None) == ""


def test_what_others_missed_or_one_chose_oneself_is_told_as_before() -> None:
    race = alone(3)
    for event in (
        e.ChoiceMade(0, 1, c.ShiftGear(2)),
        e.ChoiceMade(1, 1, c.ShiftGear(2), by_clock=True),
        e.ChoiceMade(0, 1, None, by_clock=True),
    ):
        assert time_was_up(event, race.observation) == ""
