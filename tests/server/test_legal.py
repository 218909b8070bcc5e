"""What a program may ask instead of knowing the rules: legal commands, defaults, limits, cards."""

from __future__ import annotations

from collections import Counter

import pytest
import trio
from trio.testing import MockClock

from heat_core.cards import CATALOGUE
from heat_core.decisions import enumerate_commands
from heat_core.refusal import RefusalCode
from heat_core.rng import Stream
from heat_core.view.defaults import default_command
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_core.wire.messages import (
    MOST_LEGAL,
    Act,
    AskCatalogue,
    AskLegal,
    Catalogue,
    Error,
    ErrorData,
    Legal,
    RoomOptions,
)
from tests.server.support import House, Player

pytestmark = pytest.mark.trio

MODULES = RoomOptions(track="japan", laps=1, cars=4, garage="mixed", expansion=True, weather=True)


async def legal(player: Player, decision: int, most: int = MOST_LEGAL) -> Legal:
    got = await player.answer(AskLegal(player.id(), decision, most))
    assert isinstance(got, Legal), got
    return got


async def in_race(house: House) -> Player:
    ana = await house.player()
    await ana.create(options=MODULES)
    for place in (1, 2, 3):
        await ana.bot(place, "random")
    await ana.start()
    return ana


async def asked(player: Player) -> int:
    """Wait until the player is asked something; give the decision."""
    while (own := player.view.own) is None or not own.is_asked or own.decision is None:
        await player.receive()
    return own.decision


@pytest.mark.usefixtures("seed")  # which has a road token that changes a limit
async def test_a_program_can_race_by_the_list_of_legal_commands_alone(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, stream, kinds, limits = await in_race(House(nursery)), Stream("legal"), Counter[str](), set()
    with trio.fail_after(1_000_000):
        while ana.view.status != "ended":
            own = ana.view.own
            assert own is not None
            limits.add(ana.view.corner_limits)
            if not own.is_asked:
                assert own.default is None
                assert own.decision is None or own.chosen is not None
                await ana.receive()
                continue
            assert own.decision is not None
            assert own.choice is not None
            assert own.chosen is None
            assert own.default == default_command(ana.observation)
            got = await legal(ana, own.decision)
            every = tuple(enumerate_commands(own.choice))
            assert (got.decision, got.count) == (own.decision, len(every))
            if got.count <= MOST_LEGAL:
                assert got.commands == every
            kinds[type(own.choice).__name__] += 1
            number = ana.view.event_number
            await ana.ok(Act(ana.id(), own.decision, stream.choose(got.commands)))
            while ana.view.event_number == number and ana.view.own == own:
                await ana.receive()
    assert {"PickChoice", "GearChoice", "CardsChoice", "ReactChoice", "DiscardChoice"} <= set(kinds)
    assert len(limits) == 2, "before and after the road tokens turned up"
    assert ana.view.corner_limits != tuple(corner.limit for corner in ana.observation.track.corners)


async def test_more_commands_than_asked_for_become_a_sample_and_their_number(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana = await in_race(House(nursery))
    decision = await asked(ana)
    every = await legal(ana, decision)
    some = await legal(ana, decision, 1)
    assert (len(some.commands), some.count) == (1, len(every.commands))
    assert set(some.commands) < set(every.commands)
    assert await legal(ana, decision, 1) == Legal(some.re + 1, decision, some.commands, some.count)


async def test_who_is_late_watches_or_has_no_race_is_refused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana = await in_race(house)
    decision = await asked(ana)
    got = await ana.answer(AskLegal(1, 999))
    assert isinstance(got, Error)
    assert (got.code, got.data) == ("act/late", ErrorData(decision=decision))
    wim = await house.player()
    await wim.watch(ana.code, "wim")
    assert await wim.refused(AskLegal(1, 1)) == "act/only_watching"
    ben = await house.player()
    assert await ben.refused(AskLegal(1, 1)) == "room/in_none"
    await ben.create("ben")
    assert await ben.refused(AskLegal(2, 1)) == "act/not_begun"


async def test_the_catalogue_has_every_card_and_code(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    player = await House(nursery).player()
    got = await player.answer(AskCatalogue(7))
    assert isinstance(got, Catalogue)
    assert [card.name for card in got.cards] == list(CATALOGUE)
    stress = next(card for card in got.cards if card.name == "stress")
    assert (stress.speeds, stress.flips) == ((), 1)
    assert set(got.codes) == {str(code) for codes in (ErrorCode, RefusalCode, ByeCode) for code in codes}
    assert [len(card) for card in got.legend_cards] == [6] * 10
