"""What a party says of itself in words."""

from __future__ import annotations

import pytest

from heat_core.wire.address import LOOPBACK
from heat_tui.flow.invitation import SOON
from heat_tui.party import words
from heat_tui.party.wish import DoorsOpen
from tests.tui.support_party import HOSTS, OPEN, WISH


def test_before_it_opens_a_party_says_what_where_and_to_whom() -> None:
    assert words.warning_lines(WISH, HOSTS) == [
        "This opens to your network, at 192.0.2.7 and 198.51.100.4:",
        "  the game, port 7777: for anybody who has heat-tui",
        "  ssh, port 2222: for whoever knows the password",
        "  a page for browsers, port 8000: for whoever has the whole link",
        "Guests reach the game, but no file and no other program of this machine.",
        "Only ssh is encrypted.",
    ]
    free = WISH._replace(password=None, secret=None, host=LOOPBACK)
    assert words.warning_lines(free, [LOOPBACK])[:4] == [
        "This opens to this machine only:",
        "  the game, port 7777: for anybody who has heat-tui",
        "  ssh, port 2222: for anybody",
        "  a page for browsers, port 8000: for anybody",
    ]


def test_lines_name_what_is_not_usual_and_only_that() -> None:
    wish = WISH._replace(port=7780, password=None, secret=None, web=None)
    ssh, client = words.ways_in(wish, OPEN._replace(web_port=None), "", HOSTS)
    assert (ssh.line, ssh.secret) == ("ssh -p 2222 NAME@192.0.2.7", "")
    assert client.line == "heat-tui connect 192.0.2.7:7780"
    opening, _ = words.ways_in(wish, DoorsOpen(), "K7QX4", HOSTS)
    assert (opening.line, opening.notes) == ("", (SOON,))
    assert words.card_lines([opening], "") == [f"1, ssh: opening ({SOON})"]
    assert words.other_addresses(HOSTS[:1]) == ""


@pytest.mark.parametrize(
    ("seconds", "told"), [(20, "just now"), (60, "1 min"), (3599, "59 min"), (7500, "2:05 hours")]
)
def test_how_long_somebody_has_been_here_is_said_roundly(seconds: int, told: str) -> None:
    assert words.since_text(1_000, 1_000 + seconds) == told


def test_a_telephone_is_offered_no_link_that_leads_to_itself() -> None:
    ways = words.ways_in(WISH._replace(host=LOOPBACK), OPEN, "K7QX4", [LOOPBACK])
    assert not any(way.is_link or "telephones" in note for way in ways for note in way.notes)


def test_ending_is_asked_about_only_where_people_race() -> None:
    assert words.end_question(0) == ""
    assert words.end_question(1).startswith("Somebody is racing. End the party?")
    assert words.end_question(5).startswith("5 people are racing. End the party?")
