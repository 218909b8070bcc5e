"""What release 0.2 left on disk is read: events whose parts and symbols had no names of fields."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest

from heat_core.race import events as e
from heat_core.race.dump import BadDump
from heat_core.race.presets import STANDARD
from heat_core.race.setup import Modules
from heat_core.simulation import make_table, play_out
from heat_core.table import Table
from heat_server.store.encoding import decode_events, encode_events
from tests.core.support import track_facts
from tests.records.older_form import unnamed

MODULES = Modules("mixed", expansion=True, weather=True)


@pytest.fixture(scope="module")
def table() -> Table:
    raced = make_table(track_facts("japan"), 1, ["random"] * 4, STANDARD, "older", MODULES)
    play_out(raced)
    assert {e.SpeedSet, e.HeatPaid, e.CornerChecked, e.SymbolsGained} <= {type(event) for event in raced.log}
    return raced


def older(data: bytes) -> bytes:
    return msgspec.msgpack.encode(unnamed(msgspec.msgpack.decode(data)))


@pytest.mark.spec("CORE-17")
def test_steps_of_an_older_store_are_read(table: Table) -> None:
    data = older(encode_events(table.log))
    assert len(data) < len(encode_events(table.log))
    assert decode_events(data) == table.log


@pytest.mark.spec("CORE-17")
def test_a_table_that_an_older_version_saved_continues(table: Table) -> None:
    dump = msgspec.msgpack.decode(table.dump())
    body = older(dump["body"])
    sealed = {"format": 3, "digest": sha256(body).digest(), "body": body}
    again = Table.load(msgspec.msgpack.encode(sealed))
    assert again.log == table.log
    assert again.dump() == table.dump()
    with pytest.raises(BadDump, match="changed since"):
        Table.load(msgspec.msgpack.encode(sealed | {"body": body[:-1] + b"\0"}))
