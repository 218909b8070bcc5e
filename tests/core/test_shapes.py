"""What is said of a file's values is what its decoder would refuse, no more and no less."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heat_core.shapes import look_at
from heat_core.track_facts import TrackFacts

ROOT = Path(__file__).parents[2]
TRACKS = [path.read_bytes() for path in [*(ROOT / "tracks").glob("*.json"), ROOT / "examples" / "oval.json"]]
STRANGE: list[Any] = [
    None,
    True,
    0,
    1,
    2,
    1.0,
    2.5,
    -1,
    21,
    401,
    10**30,
    "",
    "1",
    "left",
    "x" * 41,
    [],
    {},
    [[]],
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """List each place inside a value, as container and key."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in [(value, key), *places(value[key])]]


@given(data=st.sampled_from(TRACKS), seed=st.integers(0, 10**9), times=st.integers(1, 3))
def test_values_have_faults_exactly_where_the_decoder_refuses_them(
    data: bytes, seed: int, times: int
) -> None:
    values, chance = msgspec.json.decode(data), random.Random(seed)
    for _ in range(times):
        container, key = chance.choice(places(values))
        match chance.randrange(3):
            case 0:
                container[key] = copy.deepcopy(chance.choice(STRANGE))
            case 1:
                del container[key]
            case _ if isinstance(container, dict):
                container[f"{key}s"] = container[key]
            case _:
                container += [container[key]] * chance.choice([1, 500])
    look = look_at(values, TrackFacts, "a track file")
    try:
        facts = msgspec.convert(values, TrackFacts)
    except msgspec.ValidationError:
        assert look.faults
    else:
        assert look.faults == []
        assert msgspec.convert(look.right, TrackFacts) == facts


@pytest.mark.parametrize(
    "value", ["x\x1b[2J", "x" * 5000, 10**5000, {"a": "\u202e"}, [1] * 5000, object()], ids=range(6)
)
def test_a_strange_value_is_shown_short_and_drives_no_terminal(value: Any) -> None:
    (fault,) = [
        fault for fault in look_at({"laps": value}, TrackFacts, "a track file").faults if "not" in fault
    ]
    assert fault.isprintable()
    assert len(fault) < 90
