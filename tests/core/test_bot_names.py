"""What bots are called: names that stay the same, that nobody else has, and that tell the level."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heat_core.bot_names import BOT_NAMES, bot_name, without_level
from heat_core.bots import BOTS
from heat_core.names import clean_name, name_key
from heat_core.race.setup import MAX_CARS


def test_seat_and_seed_make_the_name_and_it_tells_the_level() -> None:
    name = bot_name("steady", 1, "seed", ())
    assert name == bot_name("steady", 1, "seed", ["Ana"])
    assert name.endswith(" (steady)")
    assert bot_name("random", 1, "seed", ()) == name.replace("steady", "random")
    assert len({bot_name("steady", seat, "seed", ()) for seat in range(MAX_CARS)}) == MAX_CARS
    assert len({bot_name("steady", 1, str(seed), ()) for seed in range(200)}) == len(BOT_NAMES)


def test_a_bot_never_shares_its_name_not_even_with_another_level() -> None:
    name = bot_name("steady", 1, "seed", ())
    bare = name.partition(" (")[0]
    for taken in (name, bare, bare.upper(), f"{bare} (random)"):
        other = bot_name("steady", 1, "seed", [taken])
        assert name_key(other.partition(" (")[0]) != name_key(bare)


def test_where_room_is_short_a_bot_goes_by_its_name_alone_and_nobody_else_does() -> None:
    assert [without_level(f"Nina ({level})") for level in BOTS] == ["Nina"] * len(BOTS)
    for name in ("Nina", "Nina (steady", "Ana (second)", "(hard)x", "Legend 1"):
        assert without_level(name) == name


@given(st.integers(0, MAX_CARS - 1), st.text(max_size=5), st.integers(0, 120))
def test_every_name_can_be_shown_and_is_new_however_many_are_taken(seat: int, seed: str, others: int) -> None:
    taken: list[str] = []
    for _ in range(others):
        taken.append(bot_name("steady", seat, seed, taken))
    for level in BOTS:
        name = bot_name(level, seat, seed, taken)
        assert clean_name(name) == name
        assert name not in taken
