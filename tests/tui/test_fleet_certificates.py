"""Which certificates a link believes on its way between servers, and when it goes to no open one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from heat_core.wire import messages as m
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import RequestRefused
from heat_tui.client.dialling import Dialler
from heat_tui.client.known_servers import KnownServers
from heat_tui.client.server_link import ServerLink
from tests.tui.fake_server import DIRECT, FakeConnection
from tests.tui.support_fleet import fakes, moved, send_on
from tests.tui.support_link import SECONDS
from tests.tui.test_certificates import certificate, secure_server

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("named", ["", "192.0.2.1:x", "198.51.100.7:7777"])
async def test_who_chose_an_encrypted_server_goes_to_no_open_one(named: str) -> None:
    async with asyncio.timeout(SECONDS), secure_server() as (fake, context):
        chosen = fake.address._replace(fingerprint=context.fingerprint)
        link = ServerLink(chosen, DIRECT)
        opening = asyncio.create_task(link.open())
        connection = await fake.accept()
        await connection.welcome()
        await opening
        joining = asyncio.create_task(link.request(m.Join(0, "KXFRM", "Ana")))
        asked = await connection.expect(m.Join)
        connection.send(moved(asked.id, named))
        with pytest.raises(RequestRefused):
            await joining
        assert link.address == chosen
        await link.close()


@pytest.mark.parametrize("is_at_hello", [True, False])
async def test_whom_an_open_server_led_to_an_encrypted_one_goes_to_no_open_one(is_at_hello: bool) -> None:
    async with fakes(2) as (here, end), secure_server() as (there, context):
        link = ServerLink(here.address, DIRECT)
        opening = asyncio.create_task(link.open("own"))
        encrypted = there.address._replace(fingerprint=context.fingerprint)
        await send_on(here, encrypted.invitation)
        if is_at_hello:
            await send_on(there, end.address)
            with pytest.raises(ConnectFailed, match="on another server"):
                await opening
        else:
            connection = await there.accept()
            hello = await connection.expect(m.Hello)
            names = (encrypted.invitation, str(end.address))
            connection.send(m.Welcome(hello.id, m.PROTOCOL, "fake", "0", "own", servers=names))
            asked = await connection.expect(m.AskView)
            connection.send(m.Ok(asked.id))
            await opening
            assert link.servers == (encrypted.invitation,)
            joining = asyncio.create_task(link.request(m.Join(0, "KXFRM", "Ana")))
            asked = await connection.expect(m.Join)
            connection.send(moved(asked.id, end.address))
            with pytest.raises(RequestRefused):
                await joining
        await link.close()
        assert end.connections.empty()


async def test_a_named_server_is_believed_by_the_fingerprint_that_is_named_alone() -> None:
    async with asyncio.timeout(SECONDS), secure_server() as (here, first), secure_server() as (there, second):
        link = ServerLink(here.address._replace(fingerprint=first.fingerprint), DIRECT)
        opening = asyncio.create_task(link.open())
        connection = await here.accept()
        await connection.welcome()
        await opening
        shown = there.address._replace(fingerprint=second.fingerprint)
        for named in (there.address, shown._replace(fingerprint=first.fingerprint)):
            joining = asyncio.create_task(link.request(m.Join(0, "KXFRM", "Ana")))
            asked = await connection.expect(m.Join)
            connection.send(moved(asked.id, named.invitation))
            with pytest.raises(RequestRefused, match="nothing was sent"):
                await joining
        second.show(certificate())
        shown = there.address._replace(fingerprint=second.fingerprint)
        joining = asyncio.create_task(link.request(m.Join(0, "KXFRM", "Ana")))
        asked = await connection.expect(m.Join)
        connection.send(moved(asked.id, shown.invitation))
        while not await is_greeted(other := await there.accept()):
            pass  # it looked at the certificate only
        again = await other.expect(m.Join)
        other.send(m.Ok(again.id, "KXFRM", 0))
        await joining
        assert link.address.place == there.address.place
        await link.close()


@pytest.mark.parametrize("is_known", [True, False])
async def test_a_saved_certificate_outweighs_the_one_that_another_server_names(
    tmp_path: Path, is_known: bool
) -> None:
    async with asyncio.timeout(SECONDS), secure_server() as (here, first), secure_server() as (there, second):
        known = KnownServers(tmp_path)
        saved = second.fingerprint if is_known else ""
        if saved:
            known.learn(there.address, saved)
        link = ServerLink(here.address._replace(fingerprint=first.fingerprint), Dialler(known))
        opening = asyncio.create_task(link.open())
        connection = await here.accept()
        await connection.welcome()
        await opening
        shown = there.address._replace(fingerprint=second.show(certificate()))
        joining = asyncio.create_task(link.request(m.Join(0, "KXFRM", "Ana")))
        asked = await connection.expect(m.Join)
        connection.send(moved(asked.id, shown.invitation))
        if is_known:
            with pytest.raises(RequestRefused, match="has changed, so nothing was sent"):
                await joining
        else:
            other = await there.accept()
            await other.welcome()
            again = await other.expect(m.Join)
            other.send(m.Ok(again.id, "KXFRM", 0))
            await joining
        assert known.find(there.address) == (saved or shown.fingerprint)
        await link.close()


async def test_the_chosen_server_too_keeps_its_saved_certificate_when_another_one_names_it(
    tmp_path: Path,
) -> None:
    async with asyncio.timeout(SECONDS), secure_server() as (here, first), secure_server() as (there, second):
        known = KnownServers(tmp_path)
        known.learn(here.address, saved := first.fingerprint)
        link = ServerLink(here.address, Dialler(known))
        opening = asyncio.create_task(link.open("own"))
        connection = await here.accept()
        hello = await connection.expect(m.Hello)
        new = here.address._replace(fingerprint=first.show(certificate()))
        connection.send(moved(hello.id, there.address._replace(fingerprint=second.fingerprint).invitation))
        other = await there.accept()
        hello = await other.expect(m.Hello)
        other.send(moved(hello.id, new.invitation))
        with pytest.raises(ConnectFailed, match="has changed, so nothing was sent"):
            await opening
        assert known.find(here.address) == saved


async def is_greeted(connection: FakeConnection) -> bool:
    """Welcome a client, unless it has hung up."""
    try:
        await connection.welcome()
    except ConnectionError:
        return False
    return True
