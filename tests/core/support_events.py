"""What the tests of the event cards share."""

from __future__ import annotations

from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.state import Race

SLOW = "gear 1 engine 6 hand 4 1 draw 1 2"
FOURS = "gear 1 engine 6 hand 4 4 draw 1 2"


def gains(events: list[e.Event], reason: str = "event") -> list[int]:
    return [
        event.seat for event in events if isinstance(event, e.SponsorshipGained) and event.reason == reason
    ]


def play_round(race: Race, card: str) -> list[e.Event]:
    """Let all seats play one card and do no more until phase 8."""
    events: list[e.Event] = []
    for seat in tuple(race.owing):
        events += step(race, seat, c.PlayCards((card,)))
    return events + pass_on(race)


def pass_on(race: Race) -> list[e.Event]:
    """Let seats use nothing until phase 8 is asked."""
    events: list[e.Event] = []
    while next(iter(race.open.values())).kind in ("react", "slipstream"):
        (seat,) = race.open
        command = c.EndReact() if race.open[seat].kind == "react" else c.Slipstream(0)
        events += step(race, seat, command)
    return events
