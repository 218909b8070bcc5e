"""The PettingZoo forms of a race: its own tests of a form, and what they do not ask for."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.seed_test import parallel_seed_test, seed_test

from heat_core.api import PRESETS, BadDrivers, BadSetup, Modules, load_track
from heat_core.race.phase import Phase
from heat_core.rl import ACTIONS, FEATURES, ParallelRaces, RaceOptions, TurnRaces, action_text
from heat_core.rl.actions import DONE
from heat_core.rl.features import features
from heat_core.rng import Stream
from heat_core.view.observation import Observation
from heat_core.view.secrecy import public_setup, view_race
from tests.core.properties_seen import swapped
from tests.core.random_setups import random_module_setup
from tests.core.support import RandomPlay

BASE_GAME = RaceOptions(load_track("usa"), laps=1)
ALL_MODULES = RaceOptions(
    load_track("japan"),
    ("agent", "steady", "agent", "legend:hard", "agent"),
    laps=1,
    rules=PRESETS["rulebook"],
    modules=Modules("mixed", True, "one", True, True, "smile-and-wave"),
)

with_options = pytest.mark.parametrize("options", [BASE_GAME, ALL_MODULES], ids=["base game", "all modules"])


@with_options
@pytest.mark.spec("BOT-4.2")
def test_races_pass_the_four_tests_of_pettingzoo(options: RaceOptions) -> None:
    pass_the_four_tests(options)


def pass_the_four_tests(options: RaceOptions) -> None:
    """Hold both forms of a race against what PettingZoo asks of any environment."""
    with warnings.catch_warnings():
        # Observations are a dictionary for the mask's sake, as in PettingZoo's own card games.
        for text in ("Observation is not a NumPy array", "Observation space for each agent probably"):
            warnings.filterwarnings("ignore", text)
        api_test(TurnRaces(options), num_cycles=500)
    seed_test(lambda: TurnRaces(options), num_cycles=100)
    parallel_api_test(ParallelRaces(options), num_cycles=500)
    parallel_seed_test(lambda: ParallelRaces(options), num_cycles=100)


def act_at_random(mask: np.ndarray[Any, Any], random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(mask)))


def in_turns(options: RaceOptions, seed: int) -> tuple[dict[str, float], str]:
    """Race by random legal actions, one agent at a time: rewards, and what happened."""
    races, random = TurnRaces(options, "ansi"), np.random.default_rng(seed)
    races.reset(seed=seed)
    rewards = {}
    for agent in races.agent_iter():
        seen, reward, is_at_end, is_cut_off, _ = races.last()
        assert seen is not None
        assert races.observation_space(agent).contains(seen)
        if is_at_end or is_cut_off:
            rewards[agent] = reward
            races.step(None)
        else:
            races.step(act_at_random(seen["action_mask"], random))
    return rewards, races.render() or ""


@with_options
def test_a_race_is_scored_by_its_places_and_told(options: RaceOptions) -> None:
    rewards, told = in_turns(options, 1)
    assert set(rewards) == {f"driver_{seat}" for seat in options.seats}
    values = np.linspace(1, -1, len(options.drivers))
    assert all(min(abs(values - reward)) < 1e-9 for reward in rewards.values())
    assert len(set(rewards.values())) == len(rewards)
    assert told.splitlines()[-1].startswith("The race is over: 1st ")
    winner = max(rewards, key=lambda agent: rewards[agent])
    if rewards[winner] == 1:
        assert f"1st Policy {int(winner[-1]) + 1}" in told
    assert in_turns(options, 1) == (rewards, told), "the same seed, the same race"
    assert in_turns(options, 2) != (rewards, told)


@with_options
def test_all_agents_act_at_once_in_whole_races_and_the_same_seed_repeats_them(options: RaceOptions) -> None:
    def race(choose: Callable[[dict[str, Any]], int]) -> tuple[dict[str, float], set[int], list[Any]]:
        races = ParallelRaces(options)
        seen, _ = races.reset(seed=5)
        asked_at_once: set[int] = set()
        rows: list[Any] = []
        rewards: dict[str, float] = {}
        while races.agents:
            waited = [agent for agent in races.agents if seen[agent]["action_mask"][DONE + 1 :].any()]
            asked_at_once.add(len(waited))
            seen, rewards, *_ = races.step({agent: choose(seen[agent]) for agent in races.agents})
            rows.append([seen[agent]["observation"].tobytes() for agent in rewards])
        return rewards, asked_at_once, rows

    def at_random() -> Callable[[dict[str, Any]], int]:
        random = np.random.default_rng(5)
        return lambda seen: act_at_random(seen["action_mask"], random)

    rewards, asked_at_once, rows = race(at_random())
    assert asked_at_once >= {1, len(options.seats)}
    assert len(set(rewards.values())) == len(options.seats)
    assert race(at_random()) == (rewards, asked_at_once, rows)
    blind = np.random.default_rng(5)
    race(lambda seen: int(blind.integers(len(ACTIONS))))


def test_a_seed_fixes_the_races_that_follow_too() -> None:
    def grids() -> list[bytes]:
        races = TurnRaces(ALL_MODULES)
        races.reset(seed=7)
        rows = []
        for _ in range(3):
            rows.append(races.observe("driver_0")["observation"].tobytes())
            races.reset()
        return rows

    assert len(set(grids())) == 3
    assert grids() == grids()


def test_an_illegal_action_is_refused_or_in_the_parallel_form_replaced_and_named() -> None:
    gear_4 = next(number for number in range(len(ACTIONS)) if action_text(number) == "gear 4")
    turns = TurnRaces(BASE_GAME)
    turns.reset(seed=0)
    before = turns.observe("driver_0")
    said = r"seat 0: action 4 \(gear 4\) is not legal now; legal are 1 \(gear 1\), 2 \(gear 2\), 3 \(gear 3\)"
    with pytest.raises(ValueError, match=said):
        turns.step(gear_4)
    with pytest.raises(ValueError, match=r"action 999 \(none\) is not legal"):
        turns.step(999)
    after = turns.observe("driver_0")
    assert all(np.array_equal(before[part], after[part]) for part in before)

    at_once = ParallelRaces(BASE_GAME)
    at_once.reset(seed=0)
    *_, infos = at_once.step({"driver_0": gear_4, "driver_1": 2})
    assert infos == {"driver_0": {"illegal_action": gear_4}, "driver_1": {}}


def test_half_of_a_choice_is_seen_by_its_driver_alone() -> None:
    races = ParallelRaces(BASE_GAME)
    seen, _ = races.reset(seed=0)
    seen, *_ = races.step({"driver_0": 2, "driver_1": 2})
    card = int(np.flatnonzero(seen["driver_0"]["action_mask"])[0])
    others = seen["driver_1"]["observation"]
    turns = TurnRaces(BASE_GAME)
    turns.reset(seed=0)
    for action in (2, 2, card):
        turns.step(action)
    taken = [feature.name for feature in FEATURES].index(f"taken {action_text(card)}")
    assert turns.observe("driver_0")["observation"][taken] > 0
    assert np.array_equal(turns.observe("driver_1")["observation"], others)


def test_a_race_that_never_ends_is_cut_off_and_scored_by_the_track() -> None:
    options = RaceOptions(load_track("usa"), ("agent", "agent", "agent"), most_rounds=3)
    races = ParallelRaces(options)
    seen, _ = races.reset(seed=0)
    random = np.random.default_rng(0)
    while races.agents:
        seen, rewards, ended, cut_off, _ = races.step(
            {agent: act_at_random(seen[agent]["action_mask"], random) for agent in races.agents}
        )
    assert not any(ended.values())
    assert all(cut_off.values())
    assert sorted(rewards.values()) == [-1, 0, 1]


def test_the_row_is_what_the_seat_sees() -> None:
    races = TurnRaces(BASE_GAME)
    races.reset(seed=3)
    row = races.observe("driver_1")["observation"]
    named = {feature.name: value * feature.most for feature, value in zip(FEATURES, row, strict=True)}
    assert len(named) == len(FEATURES)
    own = races._race.observation(1)
    assert named["asked for gear"] == 1
    assert named["car 0 gear 1"] == 1
    assert named["car 0 engine"] == pytest.approx(own.own_car.engine)
    assert named["corner 1 spaces before"] == pytest.approx(
        own.track.next_line(own.own_car.progress) - own.own_car.progress
    )
    for card in ("1", "4", "start-5", "stress", "heat"):
        assert named[f"hand {card}"] == pytest.approx(own.own.hand.count(card)), card
        assert named[f"draw pile {card}"] == pytest.approx(own.own.draw_pile.count(card)), card
    assert named["car 1 is there"] == 1
    assert named["car 2 is there"] == 0


def test_what_is_hidden_from_a_seat_changes_nothing_in_its_row() -> None:
    stream = Stream("hidden")
    moments = 0
    for _ in range(24):
        play = RandomPlay(random_module_setup(stream), stream)
        while play.race.phase is not Phase.ENDED and play.race.round < 6:
            race, seat = play.race, stream.choose(play.race.owing)
            setup = public_setup(race.setup)
            row, other = [
                features(Observation(setup, view_race(one, seat)), ())
                for one in (race, swapped(race, seat, stream, {}))
            ]
            assert np.array_equal(row, other)
            moments += 1
            play.step()
    assert moments > 1000


def test_wrong_options_are_refused_before_a_race() -> None:
    track = load_track("usa")
    with pytest.raises(BadDrivers, match="no car has the driver 'agent'"):
        TurnRaces(RaceOptions(track, ("steady", "random")))
    with pytest.raises(BadDrivers, match="there is no driver 'agents'"):
        TurnRaces(RaceOptions(track, ("agent", "agents")))
    with pytest.raises(BadSetup, match="2 to 6"):
        ParallelRaces(RaceOptions(track, ("agent",) * 7))


def test_the_engine_needs_nothing_of_what_agents_need() -> None:
    code = "import sys, heat_core.api, heat_core.__main__; print({'numpy', 'gymnasium'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
