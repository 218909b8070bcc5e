"""Whole races under an umpire that knows RULES.md and nothing of the engine's code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from heat_core import commands as c
from heat_core import events as e
from heat_core.cards import HEAT, STRESS, starting_deck
from heat_core.choices import may_give_up
from heat_core.engine import step
from heat_core.files import track_names
from heat_core.folding import apply
from heat_core.positions import make_position
from heat_core.presets import LEGEND_LEVELS, PRESETS, LegendLevel, PresetName
from heat_core.race import Phase, Race, Seat, new_race
from heat_core.rng import Stream
from heat_core.setup import LegendSetup
from heat_core.simulation import make_table, play_out
from tests.core.support import RandomPlay, all_cards, setup_of, track_facts
from tests.core.umpire import Umpire

LEVELS: tuple[LegendLevel, ...] = ("easy", "medium", "hard", "hard")


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("board", track_names())
def test_every_event_of_random_races_is_what_the_rules_say(board: str, preset: PresetName) -> None:
    for number, level in enumerate(LEVELS):
        setup = setup_of(
            board,
            seats=1 + number,
            legends=(3, 1, 0, 4)[number],
            legend=LegendSetup(*LEGEND_LEVELS[level]),
            laps=1 + number % 2,
            seed=f"umpire/{board}/{number}",
            rules=PRESETS[preset],
        )
        game = RandomPlay(setup, f"umpire/{number}")
        game.run()
        Umpire(setup).watch(game.events)


def check_moment(race: Race, umpire: Umpire) -> None:
    """Hold the folded state against the umpire's own, and against what must hold at every moment."""
    spots = Counter(
        (race.track.space(car.progress), car.spot)
        for car in race.cars
        if car.status in ("racing", "finished")
    )
    assert race.phase == 0 or set(spots.values()) <= {1}, "two cars on one spot"
    for car, known in zip(race.cars, umpire.cars, strict=True):
        assert (car.progress, car.spot, car.status) == (known.place, known.spot, known.status)
        if isinstance(car, Seat):
            assert (car.gear, car.engine, Counter(car.hand)) == (known.gear, known.engine, known.hand)
            assert car.draw_pile == known.draw[::-1]
            assert Counter(car.discard_pile) == Counter(known.discard)
            assert Counter(car.played) == Counter(known.played)


@pytest.mark.spec("CORE-14")
@pytest.mark.parametrize("preset", list(PRESETS))
def test_after_every_single_event_cards_are_conserved_and_the_state_is_the_umpires(
    preset: PresetName,
) -> None:
    """At every moment: what set-up gave plus the Stress of spin-outs, each card in one place."""
    for board in track_names():
        setup = setup_of(board, seats=3, legends=2, laps=1, seed=f"moment/{board}", rules=PRESETS[preset])
        game = RandomPlay(setup, f"moment/{board}")
        game.run()
        race, umpire = new_race(setup), Umpire(setup)
        gained: Counter[int] = Counter()
        deck = Counter(starting_deck(setup.track.stress)) + Counter({HEAT: setup.track.heat})
        for event in game.events:
            apply(race, event)
            umpire.see(event)
            check_moment(race, umpire)
            gained[event.seat if isinstance(event, e.SpunOut) else -1] += getattr(event, "stress", 0)
            for number in race.seats() if race.round else ():
                assert all_cards(race, number) == deck + Counter({STRESS: gained[number]})
        assert gained.total(), "nobody spun out"


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


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_event_is_what_the_rules_say_with_poor_hands_and_empty_piles(preset: PresetName) -> None:
    """From crowds in the middle of a lap, with hands full of Heat and Stress, and next to no Speed cards."""
    kinds: Counter[type[e.Event]] = Counter()
    for number in range(40):
        stream = Stream(f"poor/{number}")
        cars = {}
        for place, name in enumerate(("ana", "ben", "cy", "dora")):
            heat = stream.below(7)
            hand = ["heat"] * heat + ["stress"] * stream.below(5) + ["1", "start-0"][: stream.below(3)]
            draw = [*stream.sample(("heat", "stress", "start-5", "2"), stream.below(4)), "4"][
                stream.below(2) :
            ]
            if "heat" in draw and heat == 6:
                draw.remove("heat")
            words = f"engine {stream.below(7 - heat)} hand {' '.join(hand)} draw {' '.join(draw)}"
            cars[name] = f"lap 1 space {43 + place // 2} gear {1 + stream.below(4)} {words}"
        cars["robot"] = "lap 1 space 42 legend hard"
        facts = track_facts("italy")
        setup = make_position(facts, cars, laps=2, rules=PRESETS[preset], seed=f"poor/{number}")
        game = RandomPlay(setup, f"poor/{number}")
        while game.race.phase is not Phase.ENDED and game.race.round < 40:
            game.step()
        Umpire(setup).watch(game.events, to_the_end=False)
        kinds.update(map(type, game.events))
    assert kinds[e.HandCluttered] > 20
    assert kinds[e.FlipFailed] > 20


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_event_is_what_the_rules_say_when_drivers_give_up(preset: PresetName) -> None:
    """At any moment in some phase of some car's turn; until nobody is left, in some of the races."""
    ends = set()
    for number in range(24):
        setup = setup_of(
            "italy",
            seats=1 + number % 5,
            legends=1 + number % 2,
            laps=1,
            seed=f"out/{number}",
            rules=PRESETS[preset],
        )
        game = RandomPlay(setup, f"out/{number}")
        while game.race.phase is not Phase.ENDED:
            quitters = [seat for seat in game.race.seats() if may_give_up(game.race, seat)]
            if quitters and game.stream.below(40) == 0:
                game.events += step(game.race, game.stream.choose(quitters), c.GiveUp())
            else:
                game.step()
        Umpire(setup).watch(game.events)
        ends.add(game.race.end)
    assert ends == {"finished", "gave_up"}


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


@pytest.mark.parametrize("change", [off_by_one, lambda event: None], ids=["falsified", "left out"])
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
