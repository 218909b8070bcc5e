"""Errors bring what a program can use: what is allowed, what is open, when to try again."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from heat_core.options.settings import SETTINGS
from heat_core.race import commands as c
from heat_core.race.setup import COLOURS
from heat_core.season.setup import YEARS
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    LEAST_PROTOCOL,
    PROTOCOL,
    Act,
    AskTrack,
    ClientMessage,
    Configure,
    Create,
    Error,
    ErrorData,
    Hello,
    PlaceBot,
    RoomOptions,
    Say,
    SeasonOptions,
    TakeSeat,
    Versions,
    Welcome,
)
from heat_server.config import ServerConfig
from heat_server.net.clients import LINES_AT_ONCE
from tests.server.support import QUICK, House, Player

pytestmark = pytest.mark.trio


async def data_of(player: Player, message: ClientMessage) -> ErrorData:
    got = await player.answer(message)
    assert isinstance(got, Error), got
    assert got.data is not None
    return got.data


async def test_a_client_that_also_speaks_newer_protocols_gets_one_that_both_know(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    newer = Hello(1, PROTOCOL + 5, "newer", "9", least_protocol=LEAST_PROTOCOL)
    welcome = await house.connect().answer(newer)
    assert isinstance(welcome, Welcome)
    assert welcome.protocol == PROTOCOL
    refused = await house.connect().answer(Hello(1, PROTOCOL + 5, least_protocol=PROTOCOL + 1))
    assert isinstance(refused, Error)
    assert refused.data == ErrorData(versions=Versions(LEAST_PROTOCOL, PROTOCOL))
    assert refused.text.endswith(f"you speak versions {PROTOCOL + 1} to {PROTOCOL + 5}.")


async def test_a_range_of_protocols_with_none_in_it_is_a_mistake_and_no_other_version(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    for protocol in (PROTOCOL, PROTOCOL + 5):
        player = House(nursery).connect()
        refused = await player.answer(Hello(1, protocol, least_protocol=protocol + 1))
        assert isinstance(refused, Error)
        assert (refused.code, refused.data) == (ErrorCode.BAD_MESSAGE, ErrorData(field="least_protocol"))
        assert isinstance(await player.answer(Hello(2, PROTOCOL)), Welcome)


async def test_what_does_not_exist_is_answered_with_what_does(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana = await House(nursery).player()
    assert "usa" in (await data_of(ana, AskTrack(1, "moon"))).allowed
    assert "usa" in (await data_of(ana, Create(2, "ana", options=RoomOptions(track="moon")))).allowed
    await ana.create(colour="red")
    settings = [
        ({"evil": "6"}, tuple(setting.name for setting in SETTINGS)),
        ({"hand_size": "60"}, ("6", "7", "8")),
    ]
    for changes, allowed in settings:
        assert (await data_of(ana, Configure(3, RoomOptions(settings=changes)))).allowed == allowed
    season = RoomOptions(season=SeasonOptions(2020))
    assert (await data_of(ana, Configure(4, season))).allowed == tuple(YEARS)
    assert (await data_of(ana, PlaceBot(5, 7, "steady"))).allowed == tuple(range(QUICK.cars))


async def test_a_colour_that_is_taken_is_answered_with_those_that_are_free(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.player(), await house.player()
    await ben.join(await ana.create(colour="red"), "ben", "blue")
    data = await data_of(ben, TakeSeat(1, colour="red"))
    assert data.allowed == tuple(colour for colour in COLOURS if colour != "red")


async def test_who_writes_too_much_is_told_when_to_write_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana = await House(nursery).player()
    await ana.create()
    for _ in range(LINES_AT_ONCE):
        await ana.say("Hello!")
    data = await data_of(ana, Say(ana.id(), "Hello!"))
    assert data.retry_after_milliseconds is not None
    await trio.sleep(data.retry_after_milliseconds / 1000)
    await ana.say("Hello again!")


async def test_too_many_rooms_say_when_to_come_back(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery, ServerConfig(rooms_per_address=1))
    address = "192.0.2.7"
    await (await house.player(peer=address)).create()
    other = await house.player(peer=address)
    data = await data_of(other, Create(1, "ben"))
    assert data.retry_after_milliseconds is not None
    assert data.retry_after_milliseconds == pytest.approx(3_600_000, rel=0.01)
    await trio.sleep(data.retry_after_milliseconds / 1000 + 1)
    await (await house.player(peer=address)).create("ben")


async def test_a_refused_command_names_what_the_rules_allow(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana = await House(nursery).player()
    await ana.create(options=QUICK)
    await ana.bot(1, "steady")
    await ana.start()
    own = ana.view.own
    assert own is not None
    assert own.decision is not None
    late = await data_of(ana, Act(1, own.decision + 500, c.ShiftGear(1)))
    assert late == ErrorData(decision=own.decision)
    other = await data_of(ana, Act(2, own.decision, c.EndReact()))
    assert other == ErrorData(("ShiftGear",), decision=own.decision)
    far = await data_of(ana, Act(3, own.decision, c.ShiftGear(4)))
    assert far.allowed == (1, 2, 3)
    await ana.ok(Act(4, own.decision, c.ShiftGear(2)))
