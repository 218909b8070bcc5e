"""Positions of a race, and drafts of answers in them, in the words that a player reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from heat_core.cards import STRESS
from heat_core.decisions import Choice, ReactChoice
from heat_core.race import commands as c
from heat_core.table import Table
from heat_core.view.observation import Observation
from heat_tui.race.draft import Draft
from heat_tui.words.line import Line
from heat_tui.words.wording import forecast_lines
from tests.tui.support_race import DRAW, table_at

CARS = {
    "Ana": f"lap 1 space 30 gear 3 engine 5 hand 1 2 3 4 start-5 {STRESS} heat {DRAW}",
    "Ben": f"lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 {STRESS}",
}


def table_of(
    ana: str = CARS["Ana"], ben: str = CARS["Ben"], phase: Literal["shift", "play"] = "play", **others: str
) -> Table:
    return table_at({"Ana": ana, "Ben": ben, **others}, phase=phase)


def draft_of(observation: Observation, *picked: str, **changes: Any) -> Draft:
    kind = next(one.kind for one in observation.view.decisions if one.seat == observation.own.seat)
    draft = Draft.begin(observation.own, kind, observation.view.round, observation.own_car.gear)
    for card in picked:
        places = [n for n, held in enumerate(observation.own.hand) if held == card and n not in draft.picked]
        assert draft.toggle(observation.own, places[0]) == ""
    return replace(draft, **changes)


def told(observation: Observation, *picked: str, **changes: Any) -> list[Line]:
    return forecast_lines(observation, draft_of(observation, *picked, **changes))


def texts(lines: list[Line]) -> list[str]:
    return [line.text for line in lines]


def say(table: Table, seat: int, command: c.Command) -> None:
    own = table.view(seat).own
    assert own is not None
    table.submit(seat, own.decision, command)


def react_table() -> Table:
    """Ana alone behind: 1st gear and adrenaline."""
    table = table_of("lap 1 space 14 gear 1 engine 4 hand 1 2 heat heat", "lap 1 space 40 gear 1 hand 1 2")
    say(table, 0, c.PlayCards(("2",)))
    say(table, 1, c.PlayCards(("1",)))
    while table.view(0).own is not None and not isinstance(choice_of(table), ReactChoice):
        table.play_default(1)
    return table


def choice_of(table: Table) -> Choice | None:
    own = table.view(0).own
    assert own is not None
    return own.choice
