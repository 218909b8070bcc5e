"""Compiled and from its source, and whatever order hashes give, the engine writes the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256

from heat_core.files import track_names
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import BASE_GAME, Modules
from heat_core.record.record import encode_record
from heat_core.rng import Stream
from heat_core.rollouts.play import RollOuts
from heat_core.simulation import make_table
from heat_core.table import Table
from heat_core.wire import codec
from heat_core.wire import messages as m
from tests.core.support import track_facts

MODULES = (
    BASE_GAME,
    Modules(garage="basic", weather=True),
    Modules(garage="mixed", expansion=True, weather=True),
    Modules(garage="advanced", expansion=True, weather=True, sponsorships=True),
)
DRIVERS = ("steady", "steady", "random", "human", "legend:medium", "legend:hard")

HERE = "from tests.core.test_builds import digests; print(*digests())"
FROM_SOURCE = f"from tests.from_source import run_from_source; run_from_source(); {HERE}"


def digests() -> list[str]:
    """Race every board with every mix of modules: one digest of all that was written in a race."""
    presets = list(PRESETS)
    races = [(board, modules) for board in track_names() for modules in MODULES]
    return [
        sha256(b"".join(written(board, presets[number % 2], modules))).hexdigest()
        for number, (board, modules) in enumerate(races)
    ]


def written(board: str, preset: PresetName, modules: Modules) -> Iterator[bytes]:
    """Give what server, file and record would hold of a race: bots, a person who never answers, Legends."""
    table = make_table(track_facts(board), 1, DRIVERS, PRESETS[preset], f"builds/{board}/{preset}", modules)
    known = 0
    while not table.is_over:
        if not table.step_bot():
            table.play_default(3, by_clock=True)
        if table.event_number - known > 150:
            yield from sent(table, known)
            yield table.dump()
            if known == 0 and not table.is_over:
                yield repr(RollOuts(table.observation(3)).play(Stream(board))).encode()
            known = table.event_number
    yield from sent(table, known)
    yield encode_record(table.setup, table.log, "")


def sent(table: Table, known: int) -> Iterator[bytes]:
    """Give the frames for the seats and for a spectator."""
    for seat in (0, 3, None):
        events = table.events_since(known, seat)
        update = m.Update(table.event_number, events, table.timed_view(seat), (), ())
        yield codec.encode_server_message(update)


def elsewhere(program: str, hash_seed: str) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.split()


def test_both_builds_write_the_same_bytes() -> None:
    here = digests()
    assert len(set(here)) == len(here) == len(track_names()) * len(MODULES)
    assert elsewhere(FROM_SOURCE, "1") == here
    assert elsewhere(HERE, "4242") == here
