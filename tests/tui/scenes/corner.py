"""The race before a corner that the documentation shows: what has been driven, and what is picked now."""

from __future__ import annotations

from typing import Final

from textual.pilot import Pilot

from heat_core.cards import STRESS
from heat_core.decisions import CardsChoice, Choice, DiscardChoice, GearChoice, SlipstreamChoice
from heat_core.race import commands as c
from heat_tui.race.draft import Draft
from tests.tui.support_app import until
from tests.tui.support_race import HeldSession, RaceApp, begin, table_at

_ROUND = 4
_CARS: Final = {
    "Ana": f"lap 1 space 23 gear 2 engine 5 hand 4 3 2 4 1 {STRESS} heat draw 3 1 2 start-5 1 discard 2 3",
    "Nina": "lap 1 space 25 gear 3 engine 4",
    "Otto": "lap 1 space 21 gear 3 engine 3",
    "Rosa": "lap 1 space 31 gear 2 engine 5",
    "Legend 1": "lap 1 space 35 legend medium",
    "Legend 2": "lap 1 space 5 legend hard",
}
_NOW: Final = ("4", "3")
"""What is played in the round before the one that is shown: it takes the car to space 30."""
_DISCARDED: Final = ("4",)
_PICKED: Final = ("3", "2", "1")
"""What is picked in the picture: speed 6 over the line after 33, which is 3 Heat."""


def session_before_a_corner() -> HeldSession:
    """Play one round up to the cards of the next one, so that there is something to tell in the log."""
    table = table_at(_CARS, phase="shift", round=_ROUND, drivers=["human", "steady", "steady", "steady"])
    while True:
        view = table.view(0)
        assert view.own is not None
        if table.bot_due():
            table.step_bot()
        elif view.round > _ROUND and isinstance(view.own.choice, CardsChoice):
            return HeldSession(table)
        else:
            table.submit(0, view.own.decision, _said(view.own.choice, is_now=view.round == _ROUND))


def _said(choice: Choice | None, *, is_now: bool) -> c.Command:
    match choice:
        case GearChoice():
            return c.ShiftGear(2 if is_now else 3)
        case CardsChoice():
            return c.PlayCards(_NOW)
        case SlipstreamChoice():
            return c.Slipstream(0)
        case DiscardChoice():
            return c.Discard(_DISCARDED)
        case _:
            return c.EndReact()


async def pick(pilot: Pilot[None], app: RaceApp) -> None:
    """Pick the cards of the picture by their keys."""
    await begin(pilot)
    own = app.controller.view.own
    assert own is not None
    draft = Draft(0, "cards", app.controller.view.round)
    for card in _PICKED:
        place = next(n for n, held in enumerate(own.hand) if held == card and n not in draft.picked)
        draft.picked.append(place)
        await pilot.press(str(place + 1))
    await until(lambda: app.controller.draft is not None and app.controller.draft.picked == draft.picked)
    await pilot.pause()
