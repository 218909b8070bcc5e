"""A race at this keyboard goes on while its bots wait for their tables, and shows for whom it waits."""

from __future__ import annotations

import asyncio

import pytest

from heat_core.options.table_options import LocalOptions
from heat_core.race.commands import ShiftGear
from heat_core.race.events import ChoiceMade
from heat_tui.client.connection_state import SessionClosed
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from tests.core.support_tables import GatedWorkers

pytestmark = pytest.mark.asyncio


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> GatedWorkers:
    """The workers of the session that a test begins."""
    gated = GatedWorkers()
    monkeypatch.setattr("heat_tui.client.local.TableWorkers", lambda: gated)
    return gated


def session_against(*bots: str) -> LocalSession:
    options = LocalOptions(names=("Ana",), bots=bots, legends=0, seed="waiting")  # type: ignore[arg-type]
    return LocalSession(make_table(options))


async def test_what_happened_is_shown_before_the_wait_and_an_answer_in_it_comes_behind_those_of_the_bots(
    workers: GatedWorkers,
) -> None:
    session = session_against("normal", "steady", "hard")
    await session.changed(0)
    seen = session.table.event_number
    assert not workers.asked, "the grid is shown first"
    waiting = asyncio.create_task(session.changed(seen))
    await workers.begun.wait()
    own = session.view(0).own
    assert own is not None
    answering = asyncio.create_task(session.submit(0, own.decision, ShiftGear(2)))
    await asyncio.sleep(0)
    assert [one.seat for one in session.table.decisions() if not one.has_chosen] == [0, 1, 2, 3]
    assert len(set(workers.asked)) == 1, "bots with the same cards drive by the same table"
    workers.gate.set()
    await waiting
    await answering
    answered = [event.seat for event in session.table.log if isinstance(event, ChoiceMade)]
    assert answered[:4] == [1, 2, 3, 0], "whenever the tables are ready"


async def test_who_leaves_in_the_wait_is_told_so(workers: GatedWorkers) -> None:
    session = session_against("easy")
    await session.changed(0)
    waiting = asyncio.create_task(session.changed(session.table.event_number))
    await workers.begun.wait()
    await session.close()
    workers.gate.set()
    with pytest.raises(SessionClosed):
        await waiting
