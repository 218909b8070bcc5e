"""TLS at the game port: the same limits as without, and an answer for whoever speaks something else."""

from __future__ import annotations

import ssl
import stat
from contextlib import suppress
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

import pytest
import trio
import trustme
from trio.testing import wait_all_tasks_blocked

from heat_core.wire.address import parse_address
from heat_core.wire.codec import encode_client_message
from heat_core.wire.fingerprint import fingerprint_of
from heat_core.wire.messages import PROTOCOL, AskTrack, Hello, LobbyView, Welcome
from heat_core.wire.proxy import binary_header
from heat_server.config import ServerConfig
from heat_server.net.certificate import BadCertificate, certificate_of
from heat_server.networks import parse_network
from heat_server.operator.status import status_of, status_text
from tests.patience import PATIENCE_SECONDS
from tests.server.secure import SecureHouse, secure_house
from tests.server.support import UNHURRIED, HungUp, Player

HELLO = encode_client_message(Hello(0, PROTOCOL))


async def bye_of(player: Player) -> str:
    with pytest.raises(HungUp):
        await player.wait_for(Welcome)
    return "" if player.bye is None else str(player.bye.code)


async def refused(house: SecureHouse, header: bytes = b"") -> None:
    """Come, and be turned away before any handshake."""
    with pytest.raises(trio.BrokenResourceError) as caught:
        await house.player(header)
    cause = caught.value.__cause__
    assert isinstance(cause, ssl.SSLError)
    assert cause.reason == "TLSV1_ALERT_ACCESS_DENIED"


def test_the_own_certificate_is_made_once_and_is_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "own.pem"
    config = ServerConfig(tls=True, tls_certificate=path)
    first = certificate_of(config)
    path.chmod(0o644)
    second = certificate_of(config)
    assert first is not None
    assert second is not None
    assert first.is_own
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [path] == list(path.parent.iterdir())
    der = ssl.PEM_cert_to_DER_cert(path.read_text()[path.read_text().index("-----BEGIN CERT") :])
    assert first.fingerprint == second.fingerprint == fingerprint_of(der)
    other = certificate_of(ServerConfig(tls=True, tls_certificate=tmp_path / "other.pem"))
    assert other is not None
    assert other.fingerprint != first.fingerprint


def test_a_certificate_of_the_operators_is_read_with_its_key(tmp_path: Path) -> None:
    issued = trustme.CA().issue_cert("race.example")
    both, chain, key = tmp_path / "both.pem", tmp_path / "chain.pem", tmp_path / "key.pem"
    issued.private_key_and_cert_chain_pem.write_to_path(str(both))
    chain.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
    issued.private_key_pem.write_to_path(str(key))
    together = certificate_of(ServerConfig(tls_certificate=both))
    apart = certificate_of(ServerConfig(tls_certificate=chain, tls_key=key))
    assert together is not None
    assert apart is not None
    assert not apart.is_own
    der = ssl.PEM_cert_to_DER_cert(issued.cert_chain_pems[0].bytes().decode())
    assert apart.fingerprint == together.fingerprint == fingerprint_of(der)


def test_what_is_no_certificate_with_its_key_is_one_line(tmp_path: Path) -> None:
    one, other = trustme.CA().issue_cert("a.example"), trustme.CA().issue_cert("b.example")
    chain, wrong, text = tmp_path / "chain.pem", tmp_path / "key.pem", tmp_path / "notes.txt"
    one.cert_chain_pems[0].write_to_path(str(chain))
    other.private_key_pem.write_to_path(str(wrong))
    text.write_text("no certificate")
    missing = tmp_path / "missing.pem"
    for config, named in (
        (ServerConfig(tls_certificate=missing), missing),
        (ServerConfig(tls_certificate=chain, tls_key=missing), missing),
        (ServerConfig(tls_certificate=chain, tls_key=wrong), wrong),
        (ServerConfig(tls_certificate=chain), chain),
        (ServerConfig(tls_certificate=text), text),
        (ServerConfig(tls=True, tls_certificate=text), text),
        (ServerConfig(tls_certificate=tmp_path), tmp_path),
        (ServerConfig(tls=True, tls_certificate=text / "own.pem"), text / "own.pem"),
    ):
        with pytest.raises(BadCertificate) as caught:
            certificate_of(config)
        assert str(caught.value).startswith(f"{named}: ")
        assert "\n" not in str(caught.value)
    with pytest.raises(BadCertificate, match="tls-key needs tls-cert"):
        certificate_of(ServerConfig(tls_key=wrong))


@pytest.mark.trio
@pytest.mark.spec("DOOR-6.1")
@pytest.mark.parametrize("is_own", [True, False], ids=["own", "given"])
async def test_a_race_over_tls_is_a_race_and_friends_read_how_to_come(is_own: bool, tmp_path: Path) -> None:
    given = tmp_path / "given.pem"
    trustme.CA().issue_cert("race.example").private_key_and_cert_chain_pem.write_to_path(str(given))
    config = UNHURRIED if is_own else replace(UNHURRIED, tls_certificate=given)
    with trio.fail_after(60):
        async with secure_house(tmp_path, config) as house:
            ana, ben = await house.player(), await house.player()
            for player in (ana, ben):
                await player.hello()
            code = await ana.create()
            assert isinstance(ana.room, LobbyView)
            words = ana.room.invitation.split()
            assert (words[:2], words[3:]) == (["heat-tui", "connect"], [code])
            fingerprint = house.certificate.fingerprint if is_own else ""  # else authorities vouch for it
            assert parse_address(words[2]) == ("127.0.0.1", house.port, True, fingerprint)
            await ben.join(code, "ben")
            await ben.seat(ready=True)
            await ana.start()
            async with trio.open_nursery() as racing:
                racing.start_soon(ana.race)
                racing.start_soon(ben.race)
            assert ana.view.end == ben.view.end == "finished"
            text = status_text(status_of(house.server))
            assert f"tls       2 handshakes, fingerprint {house.certificate.fingerprint}\n" in text


@pytest.mark.trio
@pytest.mark.spec("DOOR-6.2")
async def test_limits_and_bans_hold_before_the_handshake_and_behind_a_proxy(
    tmp_path: Path,
) -> None:
    config = ServerConfig(connections_per_address=2, proxies="127.0.0.1")
    with trio.fail_after(PATIENCE_SECONDS):
        async with secure_house(tmp_path, config) as house:
            near, far = (binary_header(ip_address(host), None) for host in ("192.0.2.7", "2001:db8::7"))
            players = [await house.player(header) for header in (near, near, far)]
            for player in players:
                await player.hello()
            assert sorted(one.peer for one in house.server.connections) == [
                "192.0.2.7",
                "192.0.2.7",
                "2001:db8::/64",
            ]
            await refused(house, near)
            house.server.bans.hold(parse_network("2001:db8::/64"), "")
            await refused(house, far)
            await players[0].ping()
            assert house.server.figures.handshakes == 3
            assert house.server.figures.refused == {"bye/address_full": 1, "bye/banned": 1}


@pytest.mark.trio
async def test_who_speaks_without_tls_reads_what_to_type(tmp_path: Path) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with secure_house(tmp_path) as house:
            plain = Player(await house.socket(HELLO))
            assert await bye_of(plain) == "bye/needs_tls"
            assert plain.bye is not None
            where = f"tls://127.0.0.1:{house.port}"
            assert plain.bye.text == f"This server encrypts. Connect to {where} instead."
            await wait_all_tasks_blocked()
            assert house.server.figures.handshakes_failed == {"tls/plain": 1}
            assert not house.server.connections


@pytest.mark.trio
@pytest.mark.parametrize(
    "data",
    [b"GET / HTTP/1.1\r\n\r\n", b"\xff\xfb\x1f", b"\x16\x03\x01\xff\xff" + b"x" * 300, b"\x16" * 300],
)
async def test_what_is_no_handshake_ends_that_connection_alone(data: bytes, tmp_path: Path) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with secure_house(tmp_path) as house:
            player = await house.player()
            await player.hello()
            stream = await house.socket(data)
            while await stream.receive_some():
                pass
            await player.ping()
            assert house.server.figures.handshakes_failed.total() == 1


@pytest.mark.trio
async def test_handshake_and_hello_share_the_time_for_a_hello(tmp_path: Path) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with secure_house(tmp_path, ServerConfig(hello_seconds=1.0)) as house:
            client_hello = await house.socket(b"\x16\x03\x01")
            silent = await house.socket()
            after_handshake = await house.player()
            for stream in (client_hello, silent):
                assert not await stream.receive_some()
            assert await bye_of(after_handshake) == "bye/no_hello"
            assert house.server.figures.handshakes_failed == {"tls/unfinished": 2}
            await wait_all_tasks_blocked()
            assert not house.server.connections


@pytest.mark.trio
async def test_who_does_not_read_is_dropped_and_little_waits_for_them(tmp_path: Path) -> None:
    config = ServerConfig(send_seconds=0.3, messages_at_once=1_000_000, most_waiting_bytes=1024 * 1024)
    with trio.fail_after(PATIENCE_SECONDS):
        async with secure_house(tmp_path, config) as house:
            player = await house.player()
            await player.hello()
            (connection,) = house.server.connections
            waiting = [0]

            async def ask_on() -> None:
                while True:
                    await player.send(AskTrack(player.id(), "usa"))
                    waiting.append(connection._outbox_bytes)

            with pytest.raises(trio.BrokenResourceError):
                await ask_on()
            assert 65_536 < max(waiting) <= config.most_waiting_bytes
            assert house.server.figures.dropped == {"bye/too_slow": 1}


@pytest.mark.trio
async def test_a_server_that_stops_says_so_over_tls(tmp_path: Path) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with secure_house(tmp_path) as house:
            player = await house.player()
            await player.hello()
            await house.server.stop()
            assert await bye_of(player) == "bye/server_stops"
            await refused(house)


class Dripping(trio.abc.Stream):
    """A way on which every byte comes by itself."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        for byte in bytes(data):
            await self._stream.send_all(bytes((byte,)))
            await wait_all_tasks_blocked()

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(1)

    async def aclose(self) -> None:
        await self._stream.aclose()


@pytest.mark.trio
async def test_bytes_may_come_one_by_one_and_the_newer_connection_of_a_token_plays(tmp_path: Path) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with secure_house(tmp_path) as house:
            ana = await house.player(way=Dripping)
            await ana.hello()
            await ana.create()
            again = await house.player()
            await again.hello(ana.token)
            await again.wait_for(LobbyView)
            assert await bye_of(ana) == "bye/newer_connection"


@pytest.mark.trio
async def test_what_was_changed_on_its_way_ends_the_connection_and_no_other(tmp_path: Path) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with secure_house(tmp_path) as house:
            ana, ben = await house.player(), await house.player()
            for player in (ana, ben):
                await player.hello()
            assert isinstance(ben.stream, trio.SSLStream)
            await ben.stream.transport_stream.send_all(b"\x17\x03\x03\x00\x20" + b"x" * 32)
            with pytest.raises(HungUp):
                await ben.ping()
            await ana.ping()
            assert [one.number for one in house.server.connections] == [1]


@pytest.mark.trio
async def test_two_hundred_strangers_at_once_keep_nobody_out(tmp_path: Path) -> None:
    config = ServerConfig(hello_seconds=1.5, connections_per_address=50, proxies="127.0.0.1")
    stranger, friend = (binary_header(ip_address(host), None) for host in ("192.0.2.66", "192.0.2.7"))
    said = (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff\xfb\x1f", HELLO, b"\x16\x03\x01\x02\x00\x01", b"\x16" * 99)
    with trio.fail_after(PATIENCE_SECONDS):
        async with secure_house(tmp_path, config) as house:
            strangers = [await house.socket(stranger + said[number % len(said)]) for number in range(200)]
            ana = await house.player(friend)
            await ana.hello()
            await ana.create()
            for stream in strangers:
                with suppress(trio.BrokenResourceError):
                    while await stream.receive_some():
                        pass
            await ana.ping()
            await wait_all_tasks_blocked()
            assert len(house.server.connections) == 1
            figures = house.server.figures
            assert figures.handshakes == 1
            assert figures.refused.total() + figures.handshakes_failed.total() >= 200
