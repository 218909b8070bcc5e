"""Clients that come back by themselves whenever their server ends, and what the store must say of them.

A rider knows only what it is sent. It keeps every event and view, and every command that was acknowledged;
`audit` holds them against the store when all is over.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

import trio
from msgspec.structs import replace

from heat_core.bots import BOTS
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import apply, fold
from heat_core.race.normal_form import normalised
from heat_core.race.setup import RaceSetup
from heat_core.record.record import decode_record, verify_record
from heat_core.rng import Stream
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.view.race_view import OwnView, RaceView
from heat_core.view.secrecy import public_setup, view_event, view_race
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    PROTOCOL,
    Act,
    AskView,
    Create,
    Error,
    Hello,
    Join,
    LobbyView,
    Ok,
    PlaceBot,
    Rematch,
    RoomOptions,
    ServerMessage,
    Start,
    TakeSeat,
    UnknownEvent,
    Update,
    Welcome,
)
from heat_server.store.address import DatabaseUrl
from heat_server.store.encoding import decode_events, decode_setup
from heat_server.store.listing import export_race
from heat_server.store.opening import open_store
from tests.server.support import HungUp, Player

PATIENCE_SECONDS = 0.02

Connect: TypeAlias = Callable[[], Awaitable[trio.abc.Stream]]

LOST = (HungUp, OSError, trio.BrokenResourceError, trio.ClosedResourceError)


@dataclass
class Told:
    """What a rider knows of one race.

    Attributes:
        events: By number, as the rider may see them.
        acknowledged: Decisions and commands that were answered with ok.
        tried: Decisions that an answer was sent to.
        views: By the number of the last event in it.
    """

    setup: RaceSetup
    seat: int
    events: dict[int, e.Event] = field(default_factory=dict)
    acknowledged: list[tuple[int, c.Command]] = field(default_factory=list)
    tried: set[int] = field(default_factory=set)
    views: dict[int, RaceView] = field(default_factory=dict)


@dataclass
class Track:
    """What the riders of one room agree on besides what they are told.

    Attributes:
        options: Of the room: two places for riders, all others for bots.
        goes_on: Asks the host after a race whether another shall follow.
        think_seconds: Gives the longest time that riders think before a command.
        silence_seconds: After so long without a word riders hang up, and try another server.
        on_news: Hears of the room, and of the race where there is one.
        code: Once the room is there.
        is_over: The host has seen the last race end.
        guest_saw_the_end: By the number of the race: before that the host neither leaves nor calls a rematch.
    """

    options: RoomOptions
    goes_on: Callable[[], bool] = lambda: False
    think_seconds: Callable[[], float] = lambda: 0.0
    silence_seconds: float = inf
    on_news: Callable[[LobbyView, RaceView | None], None] = lambda _room, _view: None
    code: str | None = None
    is_over: bool = False
    guest_saw_the_end: defaultdict[int, trio.Event] = field(default_factory=lambda: defaultdict(trio.Event))


class Line(Player):
    """One connection of a rider.

    Attributes:
        state: The room as last sent.
        heard_at: When the last message came.
    """

    def __init__(self, stream: trio.abc.Stream, rider: Rider, silence_seconds: float) -> None:
        super().__init__(stream)
        self.rider = rider
        self.state: LobbyView | None = None
        self.heard_at = trio.current_time()
        self._silence_seconds = silence_seconds

    async def receive(self) -> ServerMessage:
        with trio.move_on_after(self._silence_seconds):
            return await super().receive()
        raise HungUp  # the server stands still, as far as can be seen from here

    def _note(self, message: ServerMessage) -> None:
        super()._note(message)
        self.heard_at = trio.current_time()
        if isinstance(message, LobbyView):
            self.state = message
        self.rider.hear(message, self)
        if isinstance(message, Error) and message.code == ErrorCode.ROOM_CLOSED:
            raise HungUp  # the room is another server's


class Rider:
    """A scripted client.

    Attributes:
        races: All that it was told.
        lost: How often its connection was lost.
        line: The connection by which it is in its room; None while it is not.
    """

    def __init__(self, name: str, connect: Connect, track: Track, *, is_host: bool) -> None:
        """Take a name that no other rider has.

        Args:
            name: For the room.
            connect: Opens a stream to the server; raises OSError while there is none.
            track: What the riders of the room share.
            is_host: Whether this one opens the room.
        """
        self.name = name
        self.races: list[Told] = []
        self.lost = 0
        self.line: Line | None = None
        self._track = track
        self._connect = connect
        self._is_host = is_host
        self._token: str | None = None
        self._is_in = False
        self._race: Told | None = None
        self._pending: Act | None = None
        self._random = random.Random(name)

    def hear(self, message: ServerMessage, line: Line) -> None:
        """Keep what a message tells of the race."""
        if isinstance(message, LobbyView):
            self._is_in = True
            if message.phase == "lobby":
                self._race = self._pending = None
        started = line.started
        if isinstance(message, Update) and started is not None and started.seat is not None:
            if self._race is None or self._race.setup != started.setup:
                self._race, self._pending = Told(started.setup, started.seat), None
                self.races.append(self._race)
            first = message.number - len(message.events) + 1
            for number, event in enumerate(message.events, first):
                assert not isinstance(event, UnknownEvent)
                self._race.events[number] = event
            self._race.views[message.number] = message.view
        if line.state is not None and isinstance(message, (LobbyView, Update)):
            self._track.on_news(line.state, line.update.view if line.update else None)

    async def ride(self) -> None:
        """Race until all is over, whatever happens to the server."""
        while True:
            try:
                async with await self._connect() as stream:
                    line = Line(stream, self, self._track.silence_seconds)
                    if await self._hello(line):
                        self.line = line
                        await self._play(line)
                        return
            except LOST:
                self.lost += 1
            finally:
                self.line = None
            await trio.sleep(PATIENCE_SECONDS)

    async def _hello(self, line: Line) -> bool:
        """Say who one is; tell whether there is a room to be in."""
        got = await line.answer(Hello(line.id(), PROTOCOL, "rider", "1", self._token))
        if isinstance(got, Error) and got.code == ErrorCode.NOT_READ:
            await trio.sleep(0.1)
            raise HungUp  # the race is there, and its server soon
        if isinstance(got, Error):
            assert not self._is_in, f"{self.name} in {self._track.code}: {got.code} {got.text}"
            got = await line.answer(Hello(line.id(), PROTOCOL, "rider", "1", None))
        assert isinstance(got, Welcome), got
        is_new = got.token != self._token
        self._token = got.token
        if not is_new:
            while line.state is None:
                await line.receive()
            if self._race is not None:  # what was on its way when the server died may be missing
                number = len(self.races) - 1 if line.season is not None else 0
                known = max(self._race.events)
                while isinstance(await line.answer(AskView(line.id(), known, number)), Error):
                    pass  # it could not be saved that somebody is back
            return True
        if self._is_host:
            answer = await line.answer(Create(line.id(), self.name, None, self._track.options))
            return isinstance(answer, Ok)  # else it could not be saved
        # Until the host has a room, or has it again, there is none to join.
        return self._track.code is not None and isinstance(
            await line.answer(Join(line.id(), self._track.code, self.name)), Ok
        )

    async def _play(self, line: Line) -> None:
        while True:
            state = line.state
            if state is not None and state.phase == "ended":
                if not self._is_host:
                    self._track.guest_saw_the_end[len(self.races)].set()
                    if self._track.is_over:
                        return
                else:
                    self._track.is_over = not self._track.goes_on()
                    await self._track.guest_saw_the_end[len(self.races)].wait()
                    if self._track.is_over:
                        return
                    answer = await line.answer(Rematch(line.id()))
                    while isinstance(answer, Ok) and line.state is not None and line.state.phase == "ended":
                        await line.receive()  # or the old race would seem to have ended once more
            elif state is not None and state.phase in ("lobby", "between"):
                await self._get_ready(line, state)
                if line.state is not state:
                    continue  # what came while it was answered
            elif await self._act(line):
                continue
            await line.receive()

    async def _get_ready(self, line: Line, state: LobbyView) -> None:
        self._track.code = state.code
        assert state.place is not None
        free = [number for number, place in enumerate(state.places) if place.kind is None]
        guests = [place for place in state.places if place.kind == "human" and place.name != self.name]
        if not self._is_host:
            if not state.places[state.place].is_ready:
                await line.answer(TakeSeat(line.id(), ready=True))
        elif len(free) + len(guests) > 1:
            await line.answer(PlaceBot(line.id(), free[-1], "random"))
        elif guests and guests[0].is_ready and guests[0].is_connected:
            await line.answer(Start(line.id()))

    async def _act(self, line: Line) -> bool:
        """Answer what is asked, if anything is; first again what may not have been heard."""
        race, act = self._race, self._pending
        if race is None or line.update is None:
            return False
        if act is None:
            stream = Stream(f"{self.name}/{len(race.events)}")
            act = line.next_act(lambda observation: BOTS["steady"](observation, stream))
            if act is None or act.decision is None or act.decision in race.tried:
                return False
            await trio.sleep(self._random.uniform(0, self._track.think_seconds()))
        assert act.decision is not None
        race.tried.add(act.decision)
        self._pending = Act(line.id(), act.decision, act.command)
        answer = await line.answer(self._pending)
        self._pending = None
        if isinstance(answer, Ok):
            race.acknowledged.append((act.decision, normalised(act.command)))
        elif isinstance(answer, Error) and answer.code == ErrorCode.NOT_SAVED:
            race.tried.discard(act.decision)
        return True


def team(connect: Connect, track: Track, number: int = 0) -> list[Rider]:
    """Make the two riders of a room."""
    return [
        Rider(f"ana{number}", connect, track, is_host=True),
        Rider(f"ben{number}", connect, track, is_host=False),
    ]


class Figures(NamedTuple):
    """What an audit has looked at."""

    races: int
    acknowledged: int


class Witness(Protocol):
    """Who knows what it was told.

    Attributes:
        name: In its room.
        races: All that it was told.
    """

    name: str
    races: list[Told]


def audit(place: Path | DatabaseUrl, rooms: Sequence[tuple[Track, Sequence[Witness]]]) -> Figures:
    """Hold what riders were told against the store of a server that has ended.

    Raises:
        AssertionError: Something that was acknowledged or told is not there exactly once, and in order.
    """
    races = acknowledged = 0
    with open_store(place, lambda: 0, read_only=True) as store:
        by_code: dict[str, list[tuple[RaceSetup, list[e.Event]]]] = {}
        for listed in reversed(store.list_matches(100_000)):
            for number, record in enumerate(store.races(listed.match), start=1):
                assert record.reason == "finished", f"{listed.code}: {record.reason}"
                verify_record(decode_record(export_race(store, listed.match, number, "test")))
                log = [event for step in record.steps for event in decode_events(step.events)]
                by_code.setdefault(listed.code, []).append((decode_setup(record.setup), log))
    for track, riders in rooms:
        kept = by_code[track.code or ""]
        races += len(kept)
        for rider in riders:
            assert len(rider.races) == len(kept), f"{rider.name} knows {len(rider.races)} of {len(kept)}"
            for told, (setup, log) in zip(rider.races, kept, strict=True):
                _compare(rider.name, told, setup, log)
                acknowledged += len(told.acknowledged)
    return Figures(races, acknowledged)


def _chosen_later(name: str, told: Told, own: OwnView, later: list[e.Event]) -> None:
    """A seat sees a choice of its own that the server shows to nobody else yet; it is the one that comes."""
    own_choices = (event for event in later if isinstance(event, e.ChoiceMade) and event.seat == told.seat)
    coming = next(own_choices)
    assert coming.decision == own.decision
    assert coming.command == own.chosen, f"{name}: {own.chosen} became {coming.command}"


def _before_the_choice(view: RaceView, seat: int) -> RaceView:
    """Give the view that a seat had before it chose."""
    assert view.own is not None
    decisions = tuple(
        replace(decision, has_chosen=False) if decision.seat == seat else decision
        for decision in view.decisions
    )
    return replace(view, own=replace(view.own, chosen=None, is_asked=True), decisions=decisions)


def _compare(name: str, told: Told, setup: RaceSetup, log: list[e.Event]) -> None:
    assert told.setup == public_setup(setup)
    missed = set(range(1, len(log) + 1)) - told.events.keys()
    assert not missed, f"{name} missed events {sorted(missed)} of {len(log)}"
    assert len(told.events) == len(log), f"{name} was told of {len(told.events)} events of {len(log)}"
    race = fold(setup, [])
    for number, event in enumerate(log, start=1):
        assert told.events[number] == view_event(event, told.seat), f"{name}: another event {number}"
        apply(race, event)
        if number in told.views:
            view = told.views[number]
            if view.own is not None and view.own.chosen is not None and race.open[told.seat].chosen is None:
                _chosen_later(name, told, view.own, log[number:])
                view = _before_the_choice(view, told.seat)
            dealt = view_race(race, told.seat)
            if view.own is not None:  # the default is the server's to fill in
                default = default_command(Observation(told.setup, dealt)) if view.own.is_asked else None
                assert view.own.default in (default, None), f"{name}: another default of {number}"
                view = replace(view, own=replace(view.own, default=None))
            assert view == dealt, f"{name}: another view of {number}"
    assert len(log) in told.views
    choices = [
        (event.decision, event.command)
        for event in log
        if isinstance(event, e.ChoiceMade) and event.seat == told.seat
    ]
    for answered in told.acknowledged:
        assert choices.count(answered) == 1, f"{name}: {answered} is there {choices.count(answered)} times"
    order = [choices.index(answered) for answered in told.acknowledged]
    assert order == sorted(order), f"{name}'s commands are in another order"
