"""Encrypted connections: whom the client believes, what it remembers, and that nothing is sent before."""

from __future__ import annotations

import asyncio
import re
import ssl
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.codes import ByeCode
from heat_core.wire.fingerprint import fingerprint_of
from heat_tui.app import HeatApp
from heat_tui.client.connect_failed import CertificateChanged, ConnectFailed
from heat_tui.client.dialling import Dialler
from heat_tui.client.known_servers import MOST_KNOWN, KnownServers
from heat_tui.client.server_link import ServerLink
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession, create_session_file, saved_sessions
from heat_tui.doctor.network import server_finding
from heat_tui.screens.dialogs import PageDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.state import Settings, save_settings
from tests.patience import PATIENCE_SECONDS
from tests.tui.fake_server import FakeConnection, FakeServer, fake_server
from tests.tui.support_app import SMALL, folders_in, message, server_process, shown, until
from tests.tui.support_plain import folders_of_program, program

pytestmark = pytest.mark.asyncio


class Impostor(ssl.SSLContext):
    """A server's context, whose certificate can be replaced under it."""

    fingerprint = ""

    def show(self, certificate: trustme.LeafCert) -> str:
        """Take another certificate; give its fingerprint."""
        certificate.configure_cert(self)
        der = ssl.PEM_cert_to_DER_cert(certificate.cert_chain_pems[0].bytes().decode())
        self.fingerprint = fingerprint_of(der)
        return self.fingerprint


def certificate(*names: str) -> trustme.LeafCert:
    """Make one that no system trusts."""
    return trustme.CA().issue_cert(*(names or ("heat.example",)))


@asynccontextmanager
async def secure_server() -> AsyncIterator[tuple[FakeServer, Impostor]]:
    context = Impostor(ssl.PROTOCOL_TLS_SERVER)
    context.show(certificate())
    async with fake_server(context) as fake:
        yield fake, context


async def visit(fake: FakeServer, folder: Path, address: Address | None = None) -> str:
    """Connect, and hang up; gives what the player reads about the certificate."""
    opening = asyncio.create_task(ServerStay.begin(folders_in(folder), address or fake.address))
    while not opening.done():
        welcoming = asyncio.create_task(welcome(fake))
        await asyncio.wait((opening, welcoming), return_when=asyncio.FIRST_COMPLETED)
        if not welcoming.done():
            welcoming.cancel()
    stay = await opening
    await stay.close()
    return stay.link.certificate_news


async def welcome(fake: FakeServer) -> None:
    await (await fake.accept()).welcome()
    await asyncio.Future()


async def unheard(fake: FakeServer) -> FakeConnection:
    """Give the next connection, on which nothing may have been sent."""
    connection = await fake.accept()
    assert await connection.heard() == b""
    return connection


async def test_a_server_without_authority_is_known_again_by_its_certificate(tmp_path: Path) -> None:
    async with secure_server() as (fake, context):
        news = await visit(fake, tmp_path)
        assert news.startswith(f"This is your first visit to {fake.address}, and no authority has signed")
        assert context.fingerprint in news
        file = folders_in(tmp_path).state / "known_servers"
        assert file.read_text() == f"{fake.address.place} {context.fingerprint}\n"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert await visit(fake, tmp_path) == ""


@pytest.mark.spec("DOOR-6.3")
async def test_a_server_is_checked_by_authorities_or_by_the_invitation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authorities.pem"))
    async with secure_server() as (fake, context):
        invited = fake.address._replace(fingerprint=context.fingerprint)
        assert await visit(fake, tmp_path / "by invitation", invited) == ""
        context.show(authority.issue_cert("127.0.0.1"))
        with pytest.raises(CertificateChanged):
            await ServerStay.begin(folders_in(tmp_path / "by invitation"), invited)
        await unheard(fake)
        assert "no authority" in await visit(fake, tmp_path / "without roots")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authorities.pem"))
        assert await visit(fake, tmp_path / "with roots") == ""


async def test_a_server_that_an_authority_vouches_for_needs_no_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authorities.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authorities.pem"))
    async with secure_server() as (fake, context):
        await visit(fake, tmp_path)
        context.show(authority.issue_cert("127.0.0.1"))  # the host has got one meanwhile
        assert await visit(fake, tmp_path) == ""
        fresh = tmp_path / "fresh"
        assert await visit(fake, fresh) == ""
        assert not (folders_in(fresh).state / "known_servers").exists()
        context.show(authority.issue_cert("other.example"))
        assert "first visit" in await visit(fake, fresh)


async def test_nothing_is_sent_to_a_server_whose_certificate_has_changed(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    async with secure_server() as (fake, context):
        await visit(fake, tmp_path)
        before = context.fingerprint
        seat = SavedSession(str(fake.address), "the secret token", "K7QX4", "Ana")
        file = create_session_file(folders)
        file.save(seat)
        file.close()
        after = context.show(certificate())
        with pytest.raises(CertificateChanged) as caught:
            await ServerStay.rejoin(folders, seat)
        await unheard(fake)
        assert caught.value.is_final
        assert f"The certificate of {fake.address} has changed, so nothing was sent" in caught.value.text
        page = "\n".join(caught.value.page)
        assert f"Saved at an earlier visit: {before}\nShown by the server now: {after}\n" in page
        assert page.endswith(f"\nheat-tui connect {fake.address}#{after}")
        assert saved_sessions(folders) == [seat]
        assert KnownServers(folders.state).find(fake.address) == before


async def test_a_fingerprint_of_an_invitation_decides_alone_and_is_kept(tmp_path: Path) -> None:
    async with secure_server() as (fake, context):
        right = fake.address._replace(fingerprint=context.fingerprint)
        assert await visit(fake, tmp_path, right) == ""
        assert await visit(fake, tmp_path) == ""
        wrong = fake.address._replace(fingerprint="A" * 22)
        with pytest.raises(CertificateChanged, match="is not that of the invitation"):
            await ServerStay.begin(folders_in(tmp_path), wrong)
        await unheard(fake)
        new = context.show(certificate())
        with pytest.raises(CertificateChanged):
            await ServerStay.begin(folders_in(tmp_path), fake.address)
        await unheard(fake)
        assert await visit(fake, tmp_path, fake.address._replace(fingerprint=new)) == ""
        assert await visit(fake, tmp_path) == ""


async def test_a_link_that_mends_itself_sends_no_token_to_another_certificate(tmp_path: Path) -> None:
    async with secure_server() as (fake, context):
        link = ServerLink(fake.address, Dialler(KnownServers(tmp_path)), pause=lambda attempt: 0.0)
        opening = asyncio.create_task(link.open())
        connection = await fake.accept()
        await connection.welcome()
        await opening
        context.show(certificate())
        connection.drop()
        await unheard(fake)
        while link.ended is None:
            await link.wait(link.changes)
        assert "has changed, so nothing was sent" in link.ended
        assert link.notice is not None
        assert link.notice.lines[-1] == f"heat-tui connect {fake.address}#{context.fingerprint}"
        await link.close()


async def test_a_server_that_does_not_encrypt_is_told_by_its_answer(tmp_path: Path) -> None:
    with server_process() as address:
        with pytest.raises(ConnectFailed) as caught:
            await ServerStay.begin(folders_in(tmp_path), address._replace(is_tls=True))
    assert caught.value.text.startswith(
        f"The server does not encrypt. Connect to {address} instead. Others may then read what you send"
    )


async def test_who_forgets_tls_reads_the_address_that_was_typed_with_tls_before_it(tmp_path: Path) -> None:
    """The server's own words may name one that only its host can use."""
    async with fake_server() as fake:
        opening = asyncio.create_task(ServerStay.begin(folders_in(tmp_path), fake.address))
        connection = await fake.accept()
        await connection.expect(m.Hello)
        connection.send(
            m.Bye(ByeCode.NEEDS_TLS, "This server encrypts. Connect to tls://inside:7703 instead.")
        )
        with pytest.raises(ConnectFailed) as caught:
            await opening
    assert caught.value.text == f"This server encrypts. Connect to tls://{fake.address} instead."
    assert caught.value.is_final


async def test_what_is_no_note_is_passed_over_and_the_file_stays_small(tmp_path: Path) -> None:
    file = tmp_path / "known_servers"
    file.write_bytes(b"race.example:7777 " + b"B" * 22 + b"\n\nx\none two three\nother:1 short\n")
    known = KnownServers(tmp_path)
    assert known.find(Address("Race.Example", 7777, is_tls=True)) == "B" * 22
    assert not known.find(Address("other", 1))
    file.write_bytes(b"".join(b"host%d:1 %s\n" % (number, b"C" * 22) for number in range(MOST_KNOWN)))
    known.learn(Address("new", 1), "D" * 22)
    assert known.find(Address("new", 1)) == "D" * 22
    assert not known.find(Address("host0", 1))
    assert len(file.read_text().splitlines()) == MOST_KNOWN
    file.write_bytes(b"\xff\xfe")
    assert not known.find(Address("new", 1))


async def test_join_shows_first_visit_and_change_and_the_line_that_helps(tmp_path: Path) -> None:
    """By a real server, which makes its own certificates."""
    own, folders = tmp_path / "own.pem", folders_in(tmp_path)
    with server_process("--tls", "--tls-cert", str(own)) as address:
        secure = address._replace(is_tls=True)
        with pytest.raises(ConnectFailed, match=rf"^This server encrypts\. Connect to {secure} instead\.$"):
            await ServerStay.begin(folders, address)
        save_settings(folders, Settings(name="Ana", server=str(secure)))
        app = HeatApp(folders, animate=False)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("j")
            await until(lambda: isinstance(app.screen, JoinScreen))
            await pilot.press("enter")
            await until(lambda: "first visit" in message(app))
    port = address.port
    own.unlink()
    with server_process("--tls", "--tls-cert", str(own), "--port", str(port)):
        app = HeatApp(folders, animate=False)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("j")
            await until(lambda: isinstance(app.screen, JoinScreen))
            await pilot.press("enter")
            await until(lambda: isinstance(app.screen, PageDialog))
            await pilot.pause()
            words = " ".join(re.sub(r"[│╭╮╰╯─]", " ", shown(pilot)).split())
            assert f"WARNING: the certificate of {secure} has changed. Nothing was sent there." in words
            line = re.search(rf"heat-tui connect ({secure}#\S+)", words)
            assert line is not None
            await pilot.press("escape")
            await until(lambda: message(app) == f"Not connected to {secure}, because of its certificate.")
            assert isinstance(app.screen, JoinScreen)
            app.screen.query_one("#server").value = line[1]  # type: ignore[attr-defined]
            await pilot.press("enter")
            await until(lambda: "Open a room" in message(app))
            await pilot.press("f2")
            await until(lambda: isinstance(app.screen, LobbyScreen))
            await pilot.pause()
            assert f"To join: heat-tui connect {line[1]} " in shown(pilot)


async def test_plain_mode_and_the_command_line_say_the_same(tmp_path: Path) -> None:
    known = folders_of_program(tmp_path).state / "known_servers"
    with server_process("--tls", "--tls-cert", str(tmp_path / "own.pem")) as address:
        secure = address._replace(is_tls=True)
        warning = f"WARNING: the certificate of {secure} has changed. Nothing was sent there.\n"
        with program(tmp_path, "connect", str(secure), "--name", "Ana") as first:
            assert str(first.prompt()).startswith("Type a room's code")
            assert f"This is your first visit to {secure}, and no authority" in first.text
        known.write_text(f"{secure.place} {'A' * 22}\n")
        with program(tmp_path, "connect", str(secure)) as changed:
            assert changed.prompt() is None
            assert f"{warning}Saved at an earlier visit: {'A' * 22}\n" in changed.text
            assert changed.text.endswith("\nheat-tui: not connected, because of the certificate.\n")
            assert changed.process.wait(PATIENCE_SECONDS) == 1
        with program(tmp_path) as home:
            for typed in ("join", str(secure)):
                home.prompt()
                home.type(typed)
            home.prompt()
            assert warning.replace(". ", ".\n") in home.text  # a sentence a line
            assert f"\nheat-tui connect {secure}#" in home.text


async def test_home_warns_of_a_server_nearby_that_has_another_certificate(tmp_path: Path) -> None:
    async with secure_server() as (fake, _):
        KnownServers(folders_in(tmp_path).state).learn(fake.address, "A" * 22)
        app = HeatApp(folders_in(tmp_path), animate=False)
        async with app.run_test(size=SMALL):
            assert isinstance(app.screen, HomeScreen)
            app.screen._join(fake.address)
            await until(lambda: isinstance(app.screen, PageDialog))
            await unheard(fake)
            assert not len(app.stays)


async def test_home_warns_of_a_seat_at_a_server_that_has_another_certificate(tmp_path: Path) -> None:
    async with secure_server() as (fake, _):
        folders = folders_in(tmp_path)
        KnownServers(folders.state).learn(fake.address, "A" * 22)
        file = create_session_file(folders)
        file.save(SavedSession(str(fake.address), "the secret token", "K7QX4", "Ana"))
        file.close()
        app = HeatApp(folders, animate=False)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("b")
            await until(lambda: isinstance(app.screen, PageDialog))
            await pilot.pause()
            assert "WARNING: the certificate of" in shown(pilot)
            await pilot.press("escape")
            await until(
                lambda: message(app) == f"Not connected to {fake.address}, because of its certificate."
            )
            await unheard(fake)


async def test_the_doctor_says_whether_a_server_encrypts(tmp_path: Path) -> None:
    with server_process("--tls", "--tls-cert", str(tmp_path / "own.pem")) as address:
        encrypted = await server_finding(address._replace(is_tls=True))
        assert encrypted.found.endswith("with encryption (TLS)")
        plain = await server_finding(address)
        assert plain.advice == f"Connect with tls://{address}"
