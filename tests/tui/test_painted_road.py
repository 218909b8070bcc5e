"""The painted road never says anything else than the forecasts of all legal picks (LOOK-3)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from heat_core.cards import HEAT, STRESS, playable_cards
from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    SlipstreamChoice,
    SwapChoice,
    choice_of,
    enumerate_commands,
    sample_command,
)
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race.phase import Phase
from heat_core.race.state import Race
from heat_core.rng import Stream
from heat_core.view.forecast import forecast_each_value
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast
from heat_tui.flow.asking import draft_for
from heat_tui.flow.painted_road import RoadPainter, forecasts_of, in_gear, paint_road
from heat_tui.map.marks import RoadState
from heat_tui.race.draft import Draft
from tests.core.properties_forecasts import observation_of
from tests.core.random_setups import random_setup
from tests.core.support import RandomPlay, position
from tests.tui.support_race import table_at

BEN = {"Ben": "lap 1 space 10 gear 1 engine 6 hand 1 1 2 2 3 3 4"}
ORDER = ("free", "heat", "spin_out")
_NO_MOVE = DiscardChoice | PickChoice | SwapChoice


def cost(forecast: Forecast) -> list[tuple[int, str]]:
    """Give progress and price of each place that a pick may lead to."""
    if forecast.lacking:
        return []
    paid = forecast.heat + forecast.cards_heat
    return [
        (each.end, "spin_out" if each.spin_ends else "heat" if paid + each.owed else "free")
        for each in forecast.outcomes
    ]


def picks(observation: Observation, choice: Choice, draft: Draft) -> list[Forecast]:
    """Forecast every legal pick, one by one and in no clever way."""
    if isinstance(choice, GearChoice):
        shifted = in_gear(observation, choice, draft.gear)
        hands = combinations(playable_cards(observation.own.hand), draft.gear)
        return [forecast for cards in hands for forecast in forecast_each_value(shifted, cards)]
    picked = Counter(draft.cards(observation.own)) if isinstance(choice, CardsChoice) else Counter[str]()
    return [
        forecast
        for command in enumerate_commands(choice)
        if not isinstance(command, c.PlayCards) or (command.cards and picked <= Counter(command.cards))
        for forecast in forecasts_of(observation, command)
    ]


def expected(observation: Observation, choice: Choice, draft: Draft) -> dict[int, str]:
    best: dict[int, str] = {}
    for forecast in picks(observation, choice, draft):
        for end, price in cost(forecast):
            space = observation.track.space(end)
            best[space] = min(best.get(space, price), price, key=ORDER.index)
    return best


def agrees(painted: RoadState, price: str) -> bool:
    return painted == price or (painted in ("target", "slipstream") and price == "free")


def check(race: Race, seat: int, stream: Stream, seen: Counter[str]) -> None:
    observation, choice = observation_of(race, seat), choice_of(race, seat)
    draft = draft_for(observation, None)
    assert draft is not None
    if isinstance(choice, GearChoice):
        draft.gear = stream.choose([option.gear for option in choice.options])
    elif isinstance(choice, CardsChoice) and not choice.is_cluttered:
        command = sample_command(choice, stream)
        assert isinstance(command, c.PlayCards)
        for card in command.cards[: stream.below(choice.count + 1)]:
            draft.picked.append(
                next(
                    place
                    for place, held in enumerate(observation.own.hand)
                    if held == card and place not in draft.picked
                )
            )
    marks = paint_road(observation, draft).marks
    wanted = expected(observation, choice, draft)
    assert marks.spaces.keys() == wanted.keys(), (choice, draft)
    assert all(agrees(marks.spaces[space], price) for space, price in wanted.items()), (marks, wanted)
    seen[type(choice).__name__] += bool(wanted)
    seen.update(wanted.values())


@pytest.mark.spec("LOOK-3")
def test_the_painted_road_is_what_the_forecasts_of_all_legal_picks_say() -> None:
    seen = Counter[str]()
    for number in range(12):
        setup = random_setup(Stream(f"painted road/{number}"))
        game, stream = RandomPlay(setup, f"painted/{number}"), Stream(f"draws/{number}")
        looked = 0
        while game.race.phase is not Phase.ENDED and looked < 60:
            for seat, decision in game.race.open.items():
                choice = choice_of(game.race, seat)
                if decision.chosen is None and not isinstance(choice, _NO_MOVE):
                    check(game.race, seat, stream, seen)
                    looked += 1
            game.step()
    kinds = ("GearChoice", "CardsChoice", "ReactChoice", "SlipstreamChoice")
    assert all(seen[kind] >= 10 for kind in (*kinds, *ORDER)), seen


def test_a_full_choice_marks_its_target_and_the_bill_of_each_corner() -> None:
    cars = BEN | {"Ana": f"lap 1 space 30 gear 2 engine 5 hand 1 2 3 4 start-5 {STRESS} {HEAT} draw 1 2 3 4"}
    observation = table_at(cars).observation(1)
    draft = draft_for(observation, None)
    assert draft is not None
    before = paint_road(observation, draft).marks
    assert before.spaces[33] == "free"
    assert before.spaces[37] == "heat"
    assert before.spaces[39] == "spin_out"
    assert not before.corners
    draft.picked = [0, 1]
    assert paint_road(observation, draft).marks.spaces == {33: "target"}
    draft.picked = [2, 3]
    after = paint_road(observation, draft).marks
    assert after.spaces == {37: "heat"}
    assert {corner: (mark.state, mark.bill) for corner, mark in after.corners.items()} == {
        1: ("heat", "7 - 3 = 4 Heat")
    }
    draft.picked = [3, 4]
    after = paint_road(observation, draft).marks
    assert [mark.state for mark in after.corners.values()] == ["spin_out"]


def test_a_slipstream_is_marked_where_it_ends() -> None:
    cars = {
        "Ana": "lap 1 space 14 gear 1 engine 6 hand 1 2 3 4 draw 1 2 3 4",
        "Ben": f"lap 1 space 16 gear 1 engine 6 hand 1 1 2 2 3 3 {STRESS}",
    }
    race = position(cars)
    step(race, 0, c.PlayCards(("2",)))
    step(race, 1, c.PlayCards(("1",)))
    while not isinstance(choice_of(race, next(iter(race.open))), SlipstreamChoice):
        step(race, next(iter(race.open)), c.EndReact())
    seat = next(iter(race.open))
    observation = observation_of(race, seat)
    draft = draft_for(observation, None)
    assert draft is not None
    draft.spaces = 0
    here = observation.own_car.space
    assert paint_road(observation, draft).marks.spaces == {here: "target", here + 2: "slipstream"}


def test_the_road_is_painted_in_slices_and_shown_only_whole() -> None:
    cars = BEN | {
        "Ana": f"lap 1 space 30 gear 3 engine 5 hand 1 2 3 4 start-5 {STRESS} {STRESS} draw 1 2 3 4"
    }
    observation = table_at(cars).observation(1)
    draft = draft_for(observation, None)
    assert draft is not None
    painter = RoadPainter()
    painter.begin(observation, draft)
    slices = 0
    while not painter.paint(0.0):
        assert not painter.road.marks.spaces
        slices += 1
    assert slices > 5
    assert painter.road == paint_road(observation, draft)
    painter.begin(observation, draft)
    assert painter.road.marks.spaces, "the same choice is not painted twice"
    draft.picked.append(0)
    painter.begin(observation, draft)
    assert not painter.road.marks.spaces
