"""Whatever the rules allow can be said by keys: random choices, pressed and compared with what is sent."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from heat_core.decisions import (
    Choice,
    DiscardChoice,
    ReactChoice,
    SlipstreamChoice,
    UnpaidChoice,
    ValueChoice,
    only_answer,
    sample_command,
)
from heat_core.files import load_track
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race.normal_form import normalised
from heat_core.race.setup import Modules
from heat_core.rng import Stream
from heat_core.table import Table
from heat_core.view.race_view import OwnView
from heat_tui.race.draft import usable_rows
from tests.tui.support_app import SMALL, until
from tests.tui.support_race import HeldSession, RaceApp, begin, keys_of, own_decision

UPGRADES = "brakes-1 gas-4 fuel-1 suspension-1 suspension-3 intake-3 rpm-2 body-3 wings-1"
ROUNDS = 8
RACES = 4


def keys_for(command: c.Command, own: OwnView) -> list[str]:
    """Give keys that say any command that a choice contains."""
    choice = own.choice
    match command, choice:
        case c.ChooseValue(), ValueChoice():
            return [key for value in command.values for key in (str(value), "down")] + ["enter"]
        case c.UseSymbol(), ReactChoice():
            return reaction_keys(command, choice)
        case c.DropUnpaid(), UnpaidChoice():
            return ["up"] * 9 + ["down"] * choice.ways.index(command.cards) + ["enter"]
        case c.Slipstream(), SlipstreamChoice():
            farther = [spaces for spaces in choice.spaces if spaces > command.spaces]
            return ["up"] * 9 + ["down"] * len(farther) + ["enter"]
        case c.Discard(), DiscardChoice():
            keys = keys_of(c.Discard(command.cards), own.hand)[:-1]
            left = list(choice.refreshable)
            for card in command.refresh:
                place = left.index(card)
                left[place] = "picked"
                keys.append(str(len(own.hand) + place + 1))
            return [*keys, "enter"]
        case _:
            return keys_of(command, own.hand)


def reaction_keys(command: c.UseSymbol, choice: ReactChoice) -> list[str]:
    direct = [use.card for use in choice.direct]
    is_direct = command.number == len(choice.symbols)
    row = command.number + (direct.index(command.cards[0]) if is_direct else 0)
    rows = usable_rows(choice)
    keys = [*["up"] * len(rows), *["down"] * rows.index(row), str(command.amount), "enter"]
    if not is_direct and choice.symbols[row].symbol.kind == "salvage":
        for card in dict.fromkeys(choice.salvageable):
            keys += [str(command.cards.count(card)) if card in command.cards else "left", "down"]
        keys.append("enter")
    return keys


def is_by_keys(own: OwnView) -> bool:
    """Tell whether the nine numbers reach all that can be picked; the mouse reaches the rest."""
    refreshable = len(own.choice.refreshable) if isinstance(own.choice, DiscardChoice) else 0
    return len(own.hand) + refreshable <= 9


def kind_of(command: c.Command, choice: Choice) -> str:
    """Name the control that says a command."""
    match command, choice:
        case c.UseSymbol(), ReactChoice() if command.number == len(choice.symbols):
            return "direct"
        case c.UseSymbol(), ReactChoice():
            use = choice.symbols[command.number]
            part = " in part" if command.amount < use.most else ""
            return f"{use.symbol.kind}{part}"
        case c.Discard(), _:
            return f"discard {min(1, len(command.cards))}, refresh {min(2, len(command.refresh))}"
        case _:
            return type(command).__name__


CONTROLS = {
    *("ShiftGear", "PlayCards", "ChooseValue", "EndReact", "Slipstream"),
    *("cooldown", "cooldown in part", "heat", "scrap", "salvage in part", "super_cool", "direct"),
    *("discard 1, refresh 0", "discard 0, refresh 1"),
}
"""What must have been said in all races together."""


@pytest.mark.asyncio
@pytest.mark.spec("DASH-11")
async def test_each_choice_inside_a_phase_or_symbol_can_be_made(
    tmp_path: Path,
) -> None:
    told: set[str] = set()
    for number in range(RACES):
        await race_by_keys(tmp_path / str(number), str(number), told)
    assert told >= CONTROLS, CONTROLS - told


async def race_by_keys(path: Path, seed: str, told: set[str]) -> None:
    """Race some rounds by random choices, and note which controls were used."""
    cars = {
        "Ana": f"lap 1 space 3 gear 2 engine 3 upgrades {UPGRADES}",
        "Ben": "lap 1 space 5 gear 2 upgrades body-1",
    }
    modules = Modules(garage="mixed", expansion=True)
    setup = make_position(load_track("italy"), cars, phase="shift", modules=modules, seed=seed)
    session = HeldSession(Table(setup, {0: "human", 1: "human"}))
    app = RaceApp(path, session)
    stream = Stream(f"keys {seed}")
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        while app.controller.view.round < 2 + ROUNDS and app.controller.view.status != "ended":
            view, own, decision = (
                app.controller.view,
                app.controller.view.own,
                own_decision(app.race),
            )
            if own is None or own.choice is None or decision is None or only_answer(own.choice) is not None:
                session.others_act()
                await pilot.pause(0.01)
                continue
            command = normalised(sample_command(own.choice, stream))
            if is_by_keys(own):
                await pilot.press(*keys_for(command, own))
                await until(partial(_is_past, app, view.event_number))
                said = [normalised(said) for _, answered, said in session.said if answered == decision]
                assert said == [command], (own, app.panel("forecast"))
                told.add(kind_of(command, own.choice))
            else:
                session.other_says(0, command)
            await pilot.pause()


def _is_past(app: RaceApp, number: int) -> bool:
    return app.controller.view.event_number > number
