"""Shorthand for tests of turns with garage, weather and events: where they begin, what is done in them."""

from __future__ import annotations

from typing import Literal

import pytest

from heat_core.cards import UPGRADES, CardName
from heat_core.data.weather import WeatherName
from heat_core.decisions import ReactChoice, SlipstreamChoice, choice_of
from heat_core.engine import start_race, step
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import STANDARD, Rules
from heat_core.race.setup import GarageName, Modules
from heat_core.race.state import Race
from heat_core.refusal import Refused
from heat_core.rules.offers import SymbolUse
from heat_core.track_facts import TrackFacts
from tests.core.support import track_facts

FAR = "lap 1 space 2 gear 1 hand 1 1 1 draw 2 2 2"
"""A rival who is in nobody's way, drives slowly and has the adrenaline."""


GEAR_1 = "lap 1 space 20 gear 1"
GEAR_2 = "lap 1 space 20 gear 2"
GEAR_4 = "lap 1 space 14 gear 4"
FLIPS = "draw 1 2 3 4 1 2 3"
"""Words of a car on USA, and of a draw pile that every flip finds something in."""


def begin(
    cars: dict[str, str] | str,
    *,
    on: str | TrackFacts = "usa",
    rules: Rules = STANDARD,
    weather: WeatherName | None = None,
    roads: str = "",
    event: str | None = None,
    garage: GarageName = "mixed",
    sponsorships: bool = True,
    laps: int | None = None,
    phase: Literal["shift", "play"] = "play",
) -> Race:
    """Begin in the middle, with everything in the box; a car owns the upgrades that its words put somewhere.

    Args:
        cars: Words of ana alone: ben is `FAR` away then.
        on: A board of the box by its name, or one of one's own.
    """
    words = {"ana": cars, "ben": FAR} if isinstance(cars, str) else cars
    if garage != "none":
        words = {name: f"{text} {_owned(text)}" for name, text in words.items()}
    setup = make_position(
        track_facts(on) if isinstance(on, str) else on,
        words,
        phase=phase,
        laps=laps,
        rules=rules,
        modules=Modules(garage, expansion=True, sponsorships=sponsorships, event=event),
        weather=weather,
        roads=roads,
    )
    race, _ = start_race(setup)
    return race


def _owned(text: str) -> str:
    owned = [word for word in text.split() if word in UPGRADES]
    return " ".join(["upgrades", *owned]) if owned else ""


def reveal(race: Race, *cards: CardName, seat: int = 0, values: tuple[int, ...] = ()) -> list[e.Event]:
    """Play cards, the others their first ones, and go on until this seat is asked in its turn."""
    for other in list(race.open):
        if other != seat:
            gear = race.seat(other).gear
            step(race, other, c.PlayCards(tuple(race.seat(other).hand[:gear])))
    events = step(race, seat, c.PlayCards(cards))
    while race.open.keys() != {seat}:
        (other,) = race.open
        events += step(race, other, _least(race, other))
    if values:
        events += step(race, seat, c.ChooseValue(values))
    return events


def _least(race: Race, seat: int) -> c.Command:
    """Give the command by which a seat ends what it is asked in its turn."""
    kind = race.open[seat].kind
    if kind == "react":
        return c.EndReact()
    return c.Slipstream(0) if kind == "slipstream" else c.Discard(())


def space(race: Race, car: int = 0) -> int:
    return race.track.space(race.cars[car].progress)


def speed(race: Race) -> int:
    assert race.turn is not None
    return race.turn.speed or 0


def react_choice(race: Race, seat: int = 0) -> ReactChoice:
    choice = choice_of(race, seat)
    assert isinstance(choice, ReactChoice)
    return choice


def place_of(race: Race, kind: str, source: str) -> int:
    """Give the place of the first unused symbol of a kind in the turn's list."""
    uses = react_choice(race).symbols
    matching = [n for n, use in enumerate(uses) if (use.symbol.kind, use.symbol.source) == (kind, source)]
    assert matching, f"no {kind} of {source}"
    return next((number for number in matching if not uses[number].is_used), matching[0])


def symbol(race: Race, kind: str, source: str) -> SymbolUse:
    return react_choice(race).symbols[place_of(race, kind, source)]


def use(
    race: Race, kind: str, source: str, amount: int | None = None, cards: tuple[CardName, ...] = ()
) -> list[e.Event]:
    """Use a symbol, as far as it goes unless said."""
    number = place_of(race, kind, source)
    most = react_choice(race).symbols[number].most
    return step(race, 0, c.UseSymbol(number, most if amount is None else amount, cards))


def play_directly(race: Race, card: CardName, value: int) -> list[e.Event]:
    return step(race, 0, react_choice(race).play_directly(card, value))


def refusal(race: Race, command: c.Command, seat: int = 0) -> str:
    """Give the reason for which a command is refused."""
    with pytest.raises(Refused) as refused:
        step(race, seat, command)
    return refused.value.text


def refused_use(race: Race, kind: str, source: str, amount: int = 1) -> str:
    return refusal(race, c.UseSymbol(place_of(race, kind, source), amount))


def leave_react(race: Race, *, slipstream: int = 0) -> list[e.Event]:
    """End phase 5, and take a slipstream or none where one is asked for."""
    events = step(race, 0, c.EndReact())
    if 0 in race.open and race.open[0].kind == "slipstream":
        events += step(race, 0, c.Slipstream(slipstream))
    else:
        assert not slipstream, "no slipstream was possible"
    return events


def slipstream_choice(race: Race) -> SlipstreamChoice:
    choice = choice_of(race, 0)
    assert isinstance(choice, SlipstreamChoice)
    return choice


def to_discard(race: Race) -> None:
    """Let the others end their turns until phase 8 is asked of seat 0."""
    while not (0 in race.open and race.open[0].kind == "discard"):
        (other,) = race.open
        assert other, f"seat 0 is asked: {race.open[0].kind}"
        step(race, other, _least(race, other))


def discard(race: Race, *cards: CardName, refresh: tuple[CardName, ...] = ()) -> list[e.Event]:
    """Answer phase 8: seat 0 so, the others nothing."""
    to_discard(race)
    events = step(race, 0, c.Discard(cards, refresh))
    for other in list(race.open):
        if race.open and race.open[other].kind == "discard" and other:
            events += step(race, other, c.Discard(()))
    return events


def only(events: list[e.Event], kind: type[e.Event]) -> e.Event:
    """Give the one event of a kind."""
    (event,) = [event for event in events if isinstance(event, kind)]
    return event


def flipped(events: list[e.Event]) -> list[tuple[str, int]]:
    """List the cards that turned up, with what each gave."""
    return [(event.card, event.value) for event in events if isinstance(event, e.CardFlipped)]
