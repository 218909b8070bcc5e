"""The planner's bots: they use what their seat sees, and are as strong as their names say."""

from __future__ import annotations

import gc
import time
from collections import Counter

import pytest
from msgspec.structs import replace

from heat_core.bots import BOTS
from heat_core.bots.planner import LEVELS, table_needed
from heat_core.cards import UPGRADES
from heat_core.decisions import PickChoice
from heat_core.drivers import BotName
from heat_core.files import track_names
from heat_core.planner.board_worths import BOARDS, TURNS_BY_BOARD
from heat_core.planner.table_key import own_table_key, plain_table_key
from heat_core.planner.tables import TABLES
from heat_core.planner.upgrade_worths import UPGRADE_TURNS, upgrade_worth, worths_in
from heat_core.planner.weighing import Weighing
from heat_core.race import commands as c
from heat_core.race.normal_form import normalised
from heat_core.race.presets import PRESETS, STANDARD
from heat_core.race.setup import Modules
from heat_core.race.state import Race
from heat_core.record.figures import race_figures
from heat_core.rng import Stream
from heat_core.simulation import make_table, play_out
from heat_core.view.observation import Observation
from heat_core.view.secrecy import public_setup, view_race
from tests.core.properties_seen import swapped
from tests.core.support import RandomPlay, setup_of, track_facts
from tests.core.support_turns import begin

ALL_MODULES = Modules("mixed", expansion=True, weather=True, sponsorships=True, event="title-sponsor")


def observed(race: Race, seat: int = 0) -> Observation:
    return Observation(public_setup(race.setup), view_race(race, seat))


def chosen(race: Race, level: BotName = "hard") -> c.Command:
    return BOTS[level](observed(race), Stream("any"))


@pytest.mark.spec("BOT-1")
def test_what_is_hidden_from_a_seat_never_changes_its_choice() -> None:
    """A thousand decisions of all kinds with all modules, each with everything hidden changed."""
    stream = Stream("hidden")
    kinds = Counter[str]()
    race_number = 0
    while kinds.total() < 1_000:
        setup = setup_of("usa", seats=4, legends=1, seed=str(race_number), rules=PRESETS["rulebook"])
        setup = replace(setup, modules=ALL_MODULES)
        play = RandomPlay(setup, f"hidden/{race_number}")
        race_number += 1
        for _ in range(250):
            for seat in list(play.race.open):
                observation = observed(play.race, seat)
                other = observed(swapped(play.race, seat, stream, {}), seat)
                level: BotName = ("normal", "easy", "normal", "hard")[kinds.total() % 4]
                said = BOTS[level](observation, Stream("any"))
                assert BOTS[level](other, Stream("any")) == said
                kinds[type(said).__name__] += 1
            play.step()
    assert set(kinds) >= {"ShiftGear", "PlayCards", "UseSymbol", "EndReact", "Discard", "PickUpgrade"}


def test_the_table_of_the_first_round_is_that_of_all_seats_and_then_their_own() -> None:
    table = make_table(track_facts("usa"), None, ["hard", "normal"], STANDARD, "own", Modules("basic"))
    while table.view(None).round < 1:
        table.step_bot()
    assert table.table_needed(0) == table.table_needed(1) == plain_table_key(table.observation(0))
    while table.view(None).round < 2:
        table.step_bot()
    keys = [own_table_key(table.observation(seat)) for seat in (0, 1)]
    assert [table.table_needed(seat) for seat in (0, 1)] == keys
    assert keys[0] != keys[1]
    steady = make_table(track_facts("usa"), None, ["steady", "normal"], STANDARD, "own")
    assert steady.table_needed(0) is None


def test_levels_are_ahead_of_one_another_and_of_steady_bots() -> None:
    """A field of each on every board; the published table has many more."""
    ahead = Counter[tuple[str, str]]()
    drivers = ["hard", "normal", "easy", "steady", "steady", "random"]
    for number, board in enumerate(track_names()):
        seats = drivers[number % 6 :] + drivers[: number % 6]
        table = make_table(track_facts(board), None, seats, STANDARD, f"levels/{number}")
        play_out(table)
        places = [figures.place for figures in race_figures(table.setup, table.log)]
        for one, place in zip(seats, places, strict=True):
            for other, behind in zip(seats, places, strict=True):
                ahead[one, other] += place < behind
    assert ahead["hard", "steady"] >= 14  # of 16
    assert ahead["normal", "steady"] > ahead["steady", "normal"]
    assert ahead["hard", "easy"] > ahead["easy", "hard"]
    assert ahead["random", "hard"] + ahead["random", "normal"] + ahead["random", "easy"] == 0


def test_a_bot_brakes_for_a_corner_that_its_engine_cannot_pay() -> None:
    """Space 30, a corner of limit 3 behind 33: with Heat it drives through, without it stops before."""
    words = "lap 1 space 30 gear 2 engine {} hand 1 1 2 3 4 4 4 draw 1 2 2 3 3"
    slow = chosen(begin(words.format(0), garage="none"))
    fast = chosen(begin(words.format(6), garage="none"))
    assert isinstance(slow, c.PlayCards)
    assert isinstance(fast, c.PlayCards)
    assert sum(map(int, slow.cards)) <= 3
    assert sum(map(int, fast.cards)) > sum(map(int, slow.cards))


def test_a_bot_pays_heat_to_finish() -> None:
    """In the last round nothing but the place counts: Heat is worth nothing any more."""
    race = begin("lap 2 space 66 gear 3 engine 6 hand 1 2 3 3 4 4 4 draw 1 2 3", garage="none", laps=2)
    assert chosen(race) == c.PlayCards(("4", "4", "4"))


def test_what_costs_nothing_is_used_at_once() -> None:
    race = begin("lap 1 space 40 gear 1 engine 1 hand 1 2 2 3 heat heat heat draw 1 2 3", garage="none")
    observation = observed(race)
    weighing = Weighing(observation, TABLES.get(table_needed(observation)), Stream("any"), 2)
    choices = weighing.choices()
    assert choices == tuple(sorted(choices, key=lambda each: each.turns))
    assert {each.command for each in choices} == {c.PlayCards((card,)) for card in ("1", "2", "3")}
    assert LEVELS["hard"].error == 0 < LEVELS["normal"].error < LEVELS["easy"].error


def test_every_upgrade_has_a_worth_and_the_better_one_is_picked() -> None:
    assert set(UPGRADE_TURNS) == set(UPGRADES)
    assert upgrade_worth("intake-5") > upgrade_worth("4wd-1") > upgrade_worth("rpm-5")
    table = make_table(track_facts("usa"), None, ["hard", "normal"], STANDARD, "pick", Modules("basic"))
    observation = table.observation(table.view(None).picking[0])
    choice = observation.own.choice
    assert isinstance(choice, PickChoice)
    best = max(choice.offered, key=upgrade_worth)
    assert BOTS["hard"](observation, Stream("any")) == c.PickUpgrade(best)


def test_upgrades_have_a_worth_for_each_board_and_for_the_laps_of_the_race() -> None:
    assert set(BOARDS) == set(track_names())
    assert set(TURNS_BY_BOARD) == set(UPGRADES)
    assert all(len(turns) == len(BOARDS) for turns in TURNS_BY_BOARD.values())
    usa, japan = (worths_in(setup_of(board)) for board in ("usa", "japan"))
    assert usa.of("cooling-3") > japan.of("cooling-3")
    short = worths_in(replace(setup_of("usa"), laps=1))
    assert short.of("intake-5") == pytest.approx(usa.of("intake-5") / 2)
    assert (usa.gained_text(0.1), usa.gained_text(0.04)) == (
        "gains about 1 space here",
        "changes little here",
    )
    own = replace(setup_of("usa"), track=replace(track_facts("usa"), set="own"))
    assert worths_in(own).of is upgrade_worth
    assert worths_in(own).gained_text(-0.3) == "costs about 3 spaces in a race"


@pytest.mark.spec("BOT-7.2")
def test_no_decision_takes_long() -> None:
    """Processor time of a hard bot's decisions with all modules; `make bench` has the exact figures."""
    setup = replace(setup_of("usa", seats=3, seed="slow"), modules=ALL_MODULES)
    play = RandomPlay(setup, "slow")
    times: list[float] = []
    gc.disable()  # a collection in the middle is the program's, not the bot's
    try:
        while len(times) < 200:
            seat = play.race.owing[0]
            observation = observed(play.race, seat)
            TABLES.get(table_needed(observation))
            began = time.thread_time()
            said = BOTS["hard"](observation, Stream("any"))
            times.append(time.thread_time() - began)
            play.say(seat, normalised(said))
    finally:
        gc.enable()
    times.sort()
    assert times[int(0.98 * len(times))] < 0.020
    assert times[-1] < 0.060
