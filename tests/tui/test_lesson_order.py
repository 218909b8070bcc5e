"""What a first race explains at which moment: how to answer first, and nothing that happened gets lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from heat_core.cards import HEAT
from heat_core.decisions import (
    CardsChoice,
    DiscardChoice,
    GearChoice,
    ReactChoice,
    SlipstreamChoice,
    only_answer,
    sample_command,
)
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import RULEBOOK
from heat_core.rng import Stream
from heat_core.table import Table
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.view.race_view import RaceView
from heat_tui.flow.lesson import Lesson
from heat_tui.flow.table_factory import make_lesson
from heat_tui.words.hints import ALSO, HINTS, Hint
from tests.tui.support_race import DRAW, table_at

Chooser = Callable[[Observation], c.Command]


class Shown(NamedTuple):
    """A decision and what stood beside it."""

    view: RaceView
    hint: Hint | None

    @property
    def title(self) -> str:
        return self.hint.title if self.hint is not None else ""

    @property
    def kind(self) -> type:
        assert self.view.own is not None
        return type(self.view.own.choice)


def learn(table: Table, choose: Chooser) -> list[Shown]:
    """Race to the end as seat 0; gives every decision that takes a key, and the end."""
    lesson, heard = Lesson(), 0
    shown: list[Shown] = []
    while True:
        for event in table.log[heard:]:
            lesson.hear(event, 0)
        heard = len(table.log)
        view = table.view(0)
        hint = lesson.look(view, table.setup)
        own = view.own
        assert own is not None
        if table.is_over:
            return [*shown, Shown(view, hint)]
        assert own.choice is not None
        answer = only_answer(own.choice)
        if answer is None:
            shown.append(Shown(view, hint))
            answer = choose(Observation(table.setup, view))
        table.submit(0, own.decision, answer)


def by_chance(seed: str) -> Chooser:
    stream = Stream(seed)

    def choose(observation: Observation) -> c.Command:
        assert observation.own.choice is not None
        return sample_command(observation.own.choice, stream)

    return choose


def reckless(observation: Observation) -> c.Command:
    """The highest gear and the highest cards."""
    match observation.own.choice:
        case GearChoice():
            return c.ShiftGear(observation.own.choice.options[-1].gear)
        case CardsChoice() as choice:
            return c.PlayCards(tuple(sorted(choice.pool, reverse=True)[: choice.count]))
        case _:
            return default_command(observation)


OWN_TITLES: Mapping[type, str] = {
    GearChoice: "Gear",
    CardsChoice: "Cards",
    ReactChoice: "React",
    SlipstreamChoice: "Slipstream",
    DiscardChoice: "Discarding",
}


@pytest.mark.parametrize("seed", [f"s{number}" for number in range(40)])
def test_however_one_drives_legends_are_explained_by_round_three(seed: str) -> None:
    choose = reckless if seed == "s0" else by_chance(seed)
    shown = learn(make_lesson("Ana", "red"), choose)
    titles = [moment.title for moment in shown if moment.title]
    assert len(set(titles)) == len(titles), "nothing is explained twice"
    rounds = {moment.title: moment.view.round for moment in shown}
    assert rounds["Legends"] <= 3
    assert rounds["Turn order"] <= 3
    for kind, title in OWN_TITLES.items():
        first = next((moment for moment in shown[:-1] if moment.kind is kind), None)
        assert first is None or first.title == title, "how to answer comes before anything else"


def test_a_spin_out_waits_only_for_how_to_answer_and_displaces_nothing_for_good() -> None:
    shown = learn(make_lesson("Ana", "red"), reckless)
    titles = [moment.title for moment in shown]
    spin = titles.index("Spin-out")
    assert titles[spin - 1] in OWN_TITLES.values()
    assert {"Corner", "Heat", "Legends", "Turn order"} <= set(titles)


@pytest.mark.parametrize(("drive", "crosses_more"), [(default_command, False), (reckless, True)])
def test_a_continued_race_explains_a_corner_only_when_another_is_crossed(
    drive: Chooser, crosses_more: bool
) -> None:
    table = make_lesson("Ana", "red")

    def crossed() -> int:
        return sum(isinstance(event, e.CornerChecked) and event.seat == 0 for event in table.log)

    while not (crossed() and isinstance((own := table.view(0).own) and own.choice, GearChoice)):
        own = table.view(0).own
        assert own is not None
        table.submit(0, own.decision, drive(Observation(table.setup, table.view(0))))
    before, counts = crossed(), list[int]()

    def choose(observation: Observation) -> c.Command:
        counts.append(crossed())
        return drive(observation)

    titles = [moment.title for moment in learn(table, choose)[:-1]]
    explained = [count for count, title in zip(counts, titles, strict=True) if title == "Corner"]
    assert bool(explained) is crosses_more
    assert all(count > before for count in explained)


def test_adrenaline_and_stress_are_named_when_they_first_come_up() -> None:
    shown = learn(make_lesson("Ana", "red"), default_command)
    cards = next(moment for moment in shown if moment.kind is CardsChoice)
    react = next(moment for moment in shown if moment.kind is ReactChoice)
    assert cards.hint is not None
    assert cards.hint.text.endswith(ALSO["stress"])
    assert react.hint is not None
    assert react.hint.text.endswith(ALSO["adrenaline"])
    assert "last" in HINTS["adrenaline"].text
    assert "five or more" in HINTS["adrenaline"].text, "who gets it"


@pytest.mark.parametrize("holds_heat", [False, True])
def test_after_a_spin_out_only_what_is_in_the_hand_is_said_to_cool(holds_heat: bool) -> None:
    hand = "hand 4 4 3 3" + (" heat" if holds_heat else "")
    cars = {"Ana": f"lap 1 space 30 gear 4 engine 0 {hand} {DRAW}", "L": "lap 1 space 2 legend easy"}
    table = table_at(cars)
    shown = learn(table, reckless)
    hint = next(moment.hint for moment in shown if moment.title == "Spin-out")
    own = next(moment.view.own for moment in shown if moment.title == "Spin-out")
    assert hint is not None
    assert own is not None
    assert "with 2 Stress in hand" in hint.text, "it was in 4th gear"
    assert "discard pile" in hint.text
    assert ("{race.cool} in phase 5" in hint.doing) == (HEAT in own.hand)


def test_what_answers_itself_explains_nothing() -> None:
    table = table_at(
        {"Ana": f"lap 1 space 40 gear 3 engine 6 hand 1 2 3 4 {DRAW}", "L": "lap 1 space 2 legend easy"}
    )
    lesson, own = Lesson(), table.view(0).own
    assert own is not None
    table.submit(0, own.decision, c.PlayCards(("1", "2", "3")))
    view = table.view(0)
    assert view.own is not None
    assert isinstance(view.own.choice, ReactChoice)
    assert only_answer(view.own.choice) is not None, "3rd gear, and nobody near: nothing to use"
    assert lesson.look(view, table.setup) is None
    assert lesson.told == []


AT_THE_LINE = {
    "Ana": f"lap 1 space 58 gear 4 engine 6 hand 4 4 3 2 1 {DRAW}",
    "L": "lap 1 space 68 legend easy",
}


def test_the_last_round_is_explained_while_one_still_drives() -> None:
    cars = AT_THE_LINE | {"Ana": f"lap 1 space 20 gear 2 engine 6 hand 4 4 3 2 1 {DRAW}"}
    shown = learn(table_at(cars | {"L": "lap 1 space 44 legend easy"}, laps=1), default_command)
    last = [moment for moment in shown if moment.view.is_last_round]
    assert "Last round" in [moment.title for moment in shown]
    assert last, "the Legend crossed the line before"
    end = shown[-1].hint
    assert end is not None
    assert end.text.startswith("A car crossed the finish line")


def test_the_end_says_whose_crossing_it_was() -> None:
    cars = AT_THE_LINE | {"L": "lap 1 space 20 legend easy"}
    end = learn(table_at(cars, laps=1), reckless)[-1].hint
    assert end is not None
    assert end.text.startswith("You crossed the finish line")
    assert end.is_final


def test_where_all_race_on_no_last_round_is_promised() -> None:
    shown = learn(table_at(AT_THE_LINE, laps=1, phase="shift", rules=RULEBOOK), default_command)
    assert "Last round" not in [moment.title for moment in shown]
    finish = next(moment.hint for moment in shown if moment.title == "Finish")
    assert finish is not None
    assert "others continue" in finish.text
