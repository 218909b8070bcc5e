"""Which pages may open a tab's websocket: those of this server, by a name that is nobody else's to give."""

from __future__ import annotations

import pytest

from heat_tui.browser.origins import is_loopback, may_open, origin_of

OWN_NAMES = {"localhost", "den", "den.local"}


@pytest.mark.parametrize(
    ("origin", "asked_at", "expected"),
    [
        (None, "127.0.0.1:8000", True),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("http://localhost:8000", "localhost:8000", True),
        ("http://LocalHost:8000", "localhost:8000", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://192.0.2.7:8000", "192.0.2.7:8000", True),
        ("http://den.local:8000", "den.local:8000", True),
        ("https://races.example", "127.0.0.1:8000", True),
        ("https://races.example", "races.example", True),
        ("http://races.example", "races.example", False),
        ("http://elsewhere.example", "127.0.0.1:8000", False),
        ("http://elsewhere.example:8000", "elsewhere.example:8000", False),
        ("http://127.0.0.1:9000", "127.0.0.1:8000", False),
        ("http://192.0.2.8:8000", "192.0.2.7:8000", False),
        ("http://127.0.0.1.elsewhere.example:8000", "127.0.0.1.elsewhere.example:8000", False),
        ("http://127.0.0.1:8000@elsewhere.example", "127.0.0.1:8000@elsewhere.example", False),
        ("null", "127.0.0.1:8000", False),
        ("file://", "", False),
        ("", "", False),
        ("http://[", "[", False),
    ],
)
def test_only_pages_of_this_server_open_a_websocket(
    origin: str | None, asked_at: str, expected: bool
) -> None:
    assert may_open(origin, asked_at, OWN_NAMES, "https://races.example") == expected


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://races.example/heat/?a#b", "https://races.example"),
        ("https://races.example:443", "https://races.example"),
        ("http://races.example:443/", "http://races.example:443"),
        ("http://[2001:db8::7]:80", "http://[2001:db8::7]"),
    ],
)
def test_the_origin_is_what_a_browser_calls_it(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("LOCALHOST", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.0.2.7", False),
        ("den.local", False),
        ("", False),
    ],
)
def test_what_only_this_machine_reaches_is_known(host: str, expected: bool) -> None:
    assert is_loopback(host) == expected
