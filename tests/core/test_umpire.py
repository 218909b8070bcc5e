"""Well-driven races under an umpire that knows docs/rules.md and nothing of the engine's code.

Over random play it watches as a property (`tests.core.properties_ruled`).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from heat_core.files import track_names
from heat_core.race import events as e
from heat_core.race.presets import PRESETS, LegendLevel, PresetName
from heat_core.rng import Stream
from heat_core.simulation import make_table, play_out
from tests.core.random_setups import MODULE_EVENTS, random_module_setup
from tests.core.support import RandomPlay, setup_of, track_facts
from tests.core.umpire import Umpire

LEVELS: tuple[LegendLevel, ...] = ("easy", "medium", "hard", "hard")


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("board", track_names())
def test_every_event_of_well_driven_races_is_what_the_rules_say(board: str, preset: PresetName) -> None:
    drivers = ["steady"] * 4 + ["legend:hard", "legend:medium"]
    table = make_table(track_facts(board), None, drivers, PRESETS[preset], f"umpire/{board}")
    play_out(table)
    Umpire(table.setup).watch(table.log)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_event_is_what_the_rules_say_where_the_road_is_narrow(preset: PresetName) -> None:
    """Italy with one spot a space from 6 on, two of them flooded and some in a tunnel; six cars."""
    facts = replace(track_facts("italy"), narrow=((6, 50),), flooded=((8, 9), (30, 33)), tunnel=((20, 28),))
    drivers = ["random", "steady", "random", "legend:hard", "legend:easy", "legend:medium"]
    for number in range(6):
        table = make_table(facts, 2, drivers, PRESETS[preset], f"narrow/{number}")
        play_out(table)
        Umpire(table.setup).watch(table.log)


def off_by_one(event: e.Event) -> e.Event | None:
    """Falsify an event a little, None for kinds that are left alone."""
    match event:
        case e.CarMoved():
            return replace(event, end=event.end + 1)
        case e.SpeedSet():
            return replace(event, speed=event.speed + 1)
        case e.CornerChecked():
            return replace(event, owed=event.owed + 1)
        case e.SpunOut():
            return replace(event, end=event.end - 1)
        case e.CardsDrawn() | e.HeatCooled() | e.HeatPaid() as changed:
            field = "count" if isinstance(changed, e.CardsDrawn) else "amount"
            return replace(changed, **{field: getattr(changed, field) + 1})
        case e.TurnOrderFixed():
            return replace(event, order=event.order[::-1])
        case e.LegendMoved():
            return replace(event, speed=event.speed + 1)
        case e.RaceEnded():
            return replace(event, standings=event.standings[::-1])
        case _:
            return None


def module_off_by_one(event: e.Event) -> e.Event | None:
    """Falsify an event of the modules a little, None for other kinds."""
    match event:
        case e.UpgradesDealt():
            return replace(event, order=event.order[::-1])
        case e.UpgradePicked() | e.CardPlayedDirectly():
            return replace(event, card="rpm-3" if event.card == "gas-4" else "gas-4")
        case e.UpgradeSwapped():
            return replace(event, take=event.give)
        case e.RoadsDrawn():
            return replace(event, roads=("limit+1",) * len(event.roads))
        case e.SponsorshipGained():
            return replace(event, reason="slipstream" if event.reason != "slipstream" else "press")
        case e.SponsorshipsSpent() | e.CardsSalvaged() | e.CardsRefreshed() | e.CardsDropped():
            return replace(event, cards=(*event.cards, "1"))
        case e.StressReduced() | e.HeatSuperCooled():
            return replace(event, amount=event.amount + 1)
        case e.CardScrapped():
            return replace(event, card="2" if event.card == "1" else "1")
        case e.LapCompleted():
            return replace(event, lap=event.lap + 1)
        case e.HeatLost():
            return replace(event, place="hand" if event.place == "engine" else "engine")
        case _:
            return None


def left_out(event: e.Event) -> None:
    """Tell nothing of an event."""


@pytest.mark.parametrize("change", [module_off_by_one, left_out], ids=["falsified", "left out"])
def test_the_umpire_is_awake_for_modules(change: Callable[[e.Event], e.Event | None]) -> None:
    """Each kind of event of the modules, falsified or left out once, is noticed."""
    seen: set[type[e.Event]] = set()
    kinds = set(MODULE_EVENTS)
    for number in range(100):
        setup = random_module_setup(Stream(f"awake/{number}"))
        game = RandomPlay(setup, f"awake/{number}")
        game.run()
        for place, event in enumerate(game.events):
            kind = type(event)
            changed = change(event)
            if kind not in kinds - seen or (change is module_off_by_one and changed is None):
                continue
            seen.add(kind)
            told = [*game.events[:place], *([changed] if changed else []), *game.events[place + 1 :]]
            with pytest.raises((AssertionError, KeyError, IndexError, ValueError)):
                Umpire(setup).watch(told)
    silent = {e.GarageClosed, e.WeatherDrawn} if change is module_off_by_one else set()
    assert seen == kinds - silent


@pytest.mark.parametrize("change", [off_by_one, left_out], ids=["falsified", "left out"])
def test_the_umpire_is_awake(change: Callable[[e.Event], e.Event | None]) -> None:
    """Each kind of event, falsified or left out once, is noticed; but for what only opens or tells."""
    setup = setup_of("italy", seats=3, legends=2, laps=1, seed="awake")
    game = RandomPlay(setup, "awake")
    game.run()
    seen: set[type[e.Event]] = set()
    silent = {e.RaceSetUp}
    for place, event in enumerate(game.events):
        kind = type(event)
        if kind in seen | silent or (change is off_by_one and off_by_one(event) is None):
            continue
        seen.add(kind)
        changed = change(event)
        told = [*game.events[:place], *([changed] if changed else []), *game.events[place + 1 :]]
        with pytest.raises((AssertionError, KeyError, IndexError, ValueError)):
            Umpire(setup).watch(told)
    assert len(seen) >= (9 if change is off_by_one else 20)
