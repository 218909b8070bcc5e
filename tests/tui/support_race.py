"""What the tests of the race screen share: races from the middle, a driver by keys."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from textual.pilot import Pilot

from heat_core.drivers import DriverName
from heat_core.files import load_track
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race.commands import Command
from heat_core.race.events import Event
from heat_core.race.presets import STANDARD, Rules
from heat_core.table import Table
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_tui.app import HeatApp
from heat_tui.client.connection_state import ConnectionState, SessionClosed
from heat_tui.client.local import LocalSession
from heat_tui.screens.race import RaceScreen
from heat_tui.theme.colours import ON_GOLD
from heat_tui.widgets.panel import TextPanel
from tests.tui.support_app import folders_in, until

DRAW = "draw 1 2 3 4"
"""A draw pile of plain cards, where a test does not care which."""


def table_at(
    cars: Mapping[str, str],
    *,
    track: str = "usa",
    phase: Literal["shift", "play"] = "play",
    drivers: Sequence[DriverName] = (),
    laps: int | None = None,
    round: int = 2,
    rules: Rules = STANDARD,
) -> Table:
    """Begin a race in the middle; all seats are people's unless said."""
    setup = make_position(load_track(track), cars, phase=phase, laps=laps, round=round, rules=rules)
    seats = [number for number, car in enumerate(setup.cars) if car.legend is None]
    given = [*drivers, *["human"] * len(seats)]
    return Table(setup, {seat: given[place] for place, seat in enumerate(seats)})  # type: ignore[misc]  # a literal


class HeldSession(LocalSession):
    """A table whose seats are not all played here, and whose line the test holds in its hand.

    Attributes:
        said: What was submitted, with the decision it answered.
        connection_state: What the banner shows.
        left: Seconds for every decision.
        driven: The seats that the room drives for those who are away.
    """

    def __init__(self, table: Table, seats: Sequence[int] = (0,)) -> None:
        super().__init__(table)
        self.seats = tuple(seats)
        self.said: list[tuple[int, int | None, Command]] = []
        self.connection_state: ConnectionState = "local"
        self.left: float | None = None
        self.driven: tuple[int, ...] = ()
        self.gate = asyncio.Event()
        self.gate.set()
        self._why = ""

    @property
    def connection(self) -> ConnectionState:
        return self.connection_state

    @property
    def away(self) -> tuple[int, ...]:
        return self.driven

    def seconds_left(self, seat: int) -> float | None:
        return self.left

    async def submit(self, seat: int, decision: int | None, command: Command) -> None:
        self.said.append((seat, decision, command))
        await self.gate.wait()
        await super().submit(seat, decision, command)

    async def changed(self, number: int) -> None:
        try:
            await super().changed(number)
        except SessionClosed:
            raise SessionClosed(self._why or "You left the race.") from None

    def other_says(self, seat: int, command: Command) -> list[Event]:
        """Answer the open decision of a seat that is played elsewhere."""
        own = self.table.view(seat).own
        assert own is not None
        decision = None if isinstance(command, c.GiveUp) else own.decision
        events = self.table.submit(seat, decision, command)
        self._wake.set()
        return events

    def others_act(self) -> None:
        """Answer for every seat played elsewhere what the server would."""
        for decision in self.table.decisions():
            if decision.seat not in self.seats and not decision.has_chosen:
                self.table.play_default(decision.seat)
        self._wake.set()

    async def break_off(self, why: str) -> None:
        """End the session as the other side would."""
        self._why = why
        await self.close()


class RaceApp(HeatApp):
    """The client, which goes straight to a race.

    Attributes:
        session: The table raced at.
        race: The race screen.
        controller: Its race.
    """

    def __init__(self, path: Path, session: LocalSession, *, animate: bool = False) -> None:
        super().__init__(folders_in(path), opening=self._open_race, animate=animate, player_name="Ana")
        self.session = session
        self.race = RaceScreen(session)
        self.controller = self.race.controller

    def _open_race(self, app: HeatApp) -> None:
        app.push_screen(self.race)

    def panel(self, name: str) -> str:
        """Give the text of a panel of the race screen."""
        return "\n".join(self.race.query_one(f"#{name}", TextPanel).lines)


def picked_in(app: RaceApp) -> int:
    """Count the cards whose number has the colour of what is chosen."""
    numbers = app.race.query_one("#hand", TextPanel)._lines[-1]
    return sum(span.style == ON_GOLD for span in numbers.spans)


async def begin(pilot: Pilot[None]) -> RaceApp:
    """Wait until the race stands on the screen."""
    app = pilot.app
    assert isinstance(app, RaceApp)
    await until(lambda: app.screen is app.race and app.race.is_mounted and app.controller.seen > 0)
    await pilot.pause()
    await pilot.pause()
    return app


def race_app(path: Path, cars: Mapping[str, str], *, track: str = "usa", **options: object) -> RaceApp:
    """Make an app at a table in the middle of a race, where the first seat is played here."""
    table = table_at(cars, track=track, **options)  # type: ignore[arg-type]  # handed on as they are
    return RaceApp(path, HeldSession(table))


def own_decision(screen: RaceScreen) -> int | None:
    own = screen.controller.view.own
    return own.decision if own is not None and own.chosen is None else None


def keys_of(command: Command, hand: Sequence[str]) -> list[str]:
    """Give the keys that say a command, on a screen with nothing picked."""
    match command:
        case c.ShiftGear():
            return [str(command.gear), "enter"]
        case c.PlayCards() | c.Discard():
            left, picked = list(hand), []
            for card in command.cards:
                place = left.index(card)
                left[place] = "picked"
                picked.append(str(place + 1))
            return ["u", *picked, "enter"]
        case c.Slipstream():
            return ["s" if command.spaces else "n", "enter"]
        case _:
            return ["u", "enter"]


def sensible_keys(observation: Observation) -> list[str]:
    """Give the keys of an answer that the server would give for a seat that sleeps."""
    return keys_of(default_command(observation), observation.own.hand)


async def decide_by_keys(pilot: Pilot[None], screen: RaceScreen) -> None:
    """Answer the viewer's open decision by keys, and wait until the screen shows another one."""
    observation, decision = screen.controller.observation, own_decision(screen)
    assert observation is not None
    await pilot.press(*sensible_keys(observation))
    await until(partial(_is_past, screen, decision))


def _is_past(screen: RaceScreen, decision: int | None) -> bool:
    return own_decision(screen) != decision or screen.controller.view.status == "ended"


async def on_to(pilot: Pilot[None], app: RaceApp, phase: str) -> None:
    """Let the others act, and answer one's own reactions with "done", until the banner names a phase."""
    assert isinstance(app.session, HeldSession)
    for _ in range(100):
        await pilot.pause()
        if phase in app.panel("banner") and own_decision(app.race) is not None:
            return
        if own_decision(app.race) is not None and "5 REACT" in app.panel("banner"):
            await pilot.press("u", "enter")
        elif own_decision(app.race) is not None and "6 SLIP" in app.panel("banner"):
            await pilot.press("n", "enter")
        else:
            app.session.others_act()
        await pilot.pause(0.02)
    raise AssertionError(f"phase {phase} did not come: {app.panel('banner')}")
