"""A real server that encrypts, and real clients: whom they believe, whom it lets in, and a whole race."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import trustme

from heat_core.wire import messages as m
from heat_core.wire.address import Address, parse_address
from heat_core.wire.operator import Ban, Done
from heat_server.operator.socket import ask_operator
from heat_tui.client.connect_failed import CertificateChanged, ConnectFailed
from heat_tui.client.server_stay import ServerStay
from tests.e2e.rooms import opened_by
from tests.e2e.test_client_race import in_race, race, start_race
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import folders_in, server_process

pytestmark = pytest.mark.asyncio

TURNED_AWAY = "it limits or bans your address"

PLACES = 4
"""How many connections the server takes from one address."""


def certificate_options(path: Path, monkeypatch: pytest.MonkeyPatch, *, is_own: bool) -> tuple[str, ...]:
    """Have the server make a certificate, or give it one that the system's roots vouch for."""
    if is_own:
        return ("--tls", "--tls-cert", str(path / "own.pem"))
    authority, given = trustme.CA(), path / "given.pem"
    authority.cert_pem.write_to_path(str(path / "authorities.pem"))
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(given))
    monkeypatch.setenv("SSL_CERT_FILE", str(path / "authorities.pem"))
    return ("--tls-cert", str(given))


async def refused(path: Path, address: Address) -> str:
    """Come in vain; give what the player reads."""
    with pytest.raises(ConnectFailed) as failed:
        await ServerStay.begin(folders_in(path), address)
    return failed.value.text


@pytest.mark.spec("DOOR-6")
@pytest.mark.parametrize("is_own", [True, False], ids=["own", "given"])
async def test_clients_race_over_tls_check_the_certificate_and_limits_and_bans_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_own: bool
) -> None:
    options = certificate_options(tmp_path, monkeypatch, is_own=is_own)
    operator = tmp_path / "operator"
    limits = ("--connections-per-address", str(PLACES), "--socket", str(operator))
    with server_process(*options, *limits) as plain:
        secure = plain._replace(is_tls=True)
        async with asyncio.timeout(PATIENCE_SECONDS):
            ana = await ServerStay.begin(folders_in(tmp_path / "ana"), secure)
            assert ("first visit" in ana.link.certificate_news) is is_own
            room = await opened_by(ana, m.RoomOptions(laps=1, cars=2))
            invited = parse_address(room.invitation.split()[2])
            assert bool(invited.fingerprint) is is_own, "else authorities vouch for it"
            await ana.link.request(m.Leave(0))
            ben = await ServerStay.begin(folders_in(tmp_path / "ben"), invited)
            assert ben.link.certificate_news == ""
            await start_race(ana, ben, m.RoomOptions(laps=1, cars=2))
            sessions = await asyncio.gather(in_race(ana), in_race(ben))
            first, second = await asyncio.gather(*(race(session) for session in sessions))
            assert first.standings == second.standings

            with pytest.raises(CertificateChanged):
                await ServerStay.begin(folders_in(tmp_path / "cy"), invited._replace(fingerprint="A" * 22))
            others = [
                await ServerStay.begin(folders_in(tmp_path / str(number)), invited)
                for number in range(PLACES - 2)
            ]
            assert TURNED_AWAY in await refused(tmp_path / "late", invited)
            for stay in (*others, ana, ben):
                await stay.close()
            await (await ServerStay.begin(folders_in(tmp_path / "again"), invited)).close()
            banned = await asyncio.to_thread(ask_operator, operator, Ban("127.0.0.1"))
            assert isinstance(banned, Done)
            assert TURNED_AWAY in await refused(tmp_path / "banned", invited)
