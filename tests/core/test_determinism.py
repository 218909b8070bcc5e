"""The same set-up, seed and commands give the same events and state, everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from math import factorial

import pytest

from heat_core.choices import choice_of, sample_command
from heat_core.engine import step
from heat_core.files import new_seed
from heat_core.folding import fold
from heat_core.race import Phase, Race, dump_race, load_race
from heat_core.replay import encode_record
from heat_core.rng import Stream, seed_commitment, seed_key, shuffled, uniform_below
from tests.core.support import RandomPlay, setup_of

PROGRAM = """
import sys
import time
from hashlib import sha256
seconds = float(sys.argv[1])
time.time = time.monotonic = time.perf_counter = lambda: seconds
time.time_ns = lambda: int(seconds * 1e9)
from heat_core.presets import PRESETS
from heat_core.race import dump_race
from heat_core.replay import encode_record
from tests.core.support import RandomPlay, setup_of
digest = sha256()
for seats in (1, 6, 1, 6):
    for preset, rules in PRESETS.items():
        setup = setup_of("italy", seats=seats, legends=6 - seats or 1, laps=1, seed="same", rules=rules)
        game = RandomPlay(setup, "same")
        race = game.run()
        digest.update(encode_record(setup, game.events, "x") + dump_race(race))
print(digest.hexdigest())
"""


def digest_with(hash_seed: str, seconds: str, zone: str) -> str:
    """Race in a process of its own, on some day in some place."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, seconds],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.spec("CORE-9")
def test_the_same_with_other_hash_seeds_on_another_day_and_another_race_without_a_given_seed() -> None:
    days = (("0", "0", "UTC"), ("1", "1750000000.5", "Asia/Tokyo"), ("4242", "4102444800", "America/Lima"))
    first, *others = (digest_with(*day) for day in days)
    assert len(first) == 65
    assert others == [first, first]
    assert new_seed() != new_seed()
    key = seed_key("uniform")
    counts = Counter(shuffled(key, counter, "abcd") for counter in range(24_000))
    assert len(counts) == factorial(4)
    chi_square = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_square < 49.7, "23 degrees of freedom: once in a thousand seeds"


@pytest.mark.spec("CORE-12")
def test_the_events_alone_give_the_state_after_every_step() -> None:
    for seed in ("a", "b", "c"):
        setup = setup_of("france", seats=3, legends=2, laps=1, seed=seed)
        game = RandomPlay(setup, seed)
        while game.race.phase is not Phase.ENDED:
            game.step()
            if len(game.commands) % 7 == 0:
                game.check_record()
        game.check_record()


def play_on(race: Race, stream: Stream) -> bytes:
    while race.phase is not Phase.ENDED:
        seat = next(seat for seat, decision in race.open.items() if decision.chosen is None)
        step(race, seat, sample_command(choice_of(race, seat), stream))
    return dump_race(race)


@pytest.mark.spec("RACE-8")
def test_a_race_comes_back_in_every_phase_and_goes_on_to_the_same_end() -> None:
    game = RandomPlay(setup_of("italy", seats=3, legends=1, laps=1, seed="back"), "back")
    kinds = set()
    while game.race.phase is not Phase.ENDED:
        kinds.add(next(iter(game.race.open.values())).kind)
        again = load_race(dump_race(game.race))
        assert dump_race(again) == dump_race(game.race)
        if len(game.commands) % 9 == 0:
            assert play_on(again, Stream("on")) == play_on(game.race.copy(), Stream("on"))
        game.step()
    assert kinds == {"gear", "cards", "react", "slipstream", "discard"}


def test_a_copy_is_independent() -> None:
    game = RandomPlay(setup_of(seats=3, legends=1, laps=1, seed="copy"), "copy")
    for _ in range(40):
        game.step()
    race = game.race
    before = dump_race(race)
    copy = race.copy()
    play_on(copy, Stream("elsewhere"))
    assert dump_race(race) == before
    assert dump_race(fold(game.setup, game.events)) == before


def test_two_seeds_make_two_races() -> None:
    records = {
        encode_record(setup, RandomPlay(setup, "x").events, "x")
        for setup in (setup_of(seed=str(number)) for number in range(10))
    }
    assert len(records) == 10


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 1000, 2**64, factorial(120)])
def test_draws_stay_below_their_bound(bound: int) -> None:
    values = [uniform_below(seed_key("x"), counter, bound) for counter in range(200)]
    assert all(0 <= value < bound for value in values)
    assert bound == 1 or len(set(values)) > 1


def test_a_stream_is_the_same_again_and_uniform() -> None:
    assert [Stream("s").below(10) for _ in range(5)] == [Stream("s").below(10)] * 5
    stream = Stream("s")
    counts = Counter(stream.below(6) for _ in range(12_000))
    assert sum((count - 2000) ** 2 / 2000 for count in counts.values()) < 20.5
    assert sorted(stream.sample("abc", 3)) == ["a", "b", "c"]


def test_the_commitment_hides_the_seed_and_fits_no_other() -> None:
    assert seed_commitment("seed") != seed_commitment("seed2")
    assert "seed" not in seed_commitment("seed")
    assert len(seed_commitment("seed")) == 64
