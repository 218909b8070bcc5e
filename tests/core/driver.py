"""The one driver of random play: a race, one random step at a time, while every property looks on.

Theory of operation. A `CheckedPlay` plays a race as `RandomPlay` does, and now and then changes a secret
choice or gives up. Beside the race it folds the events, one by one, into a second race that has no seed.
Each property (`tests.core.properties`) is an object of its own for each race. It may look at the race while
it waits (`at_rest`), at the folded race after each event (`at_event`), at what a step did (`after_step`) and
at the end (`at_end`). What it does not like is an exception; the driver tells the names of all properties
that were broken in that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from msgspec.structs import replace

from heat_core.decisions import choice_of, may_give_up, sample_command
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import apply
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race, new_race
from heat_core.race.state_dump import dump_race
from heat_core.rng import Stream
from tests.core.support import RandomPlay

ONE_IN_GIVES_UP = 60
ONE_IN_CHANGES = 8


@dataclass(frozen=True)
class Moment:
    """One step that was taken.

    Attributes:
        before: A copy of the race from before the step.
        dump: What `before` was as bytes when it was made.
        race: The race itself, after the step.
        stream: For samples; it is not the one that plays.
    """

    before: Race
    dump: bytes
    seat: int
    command: c.Command
    events: Sequence[e.Event]
    race: Race
    stream: Stream


class Property:
    """Something that must hold all along, for one race; each hook raises where it does not."""

    name: ClassVar[str]

    def __init__(self, setup: RaceSetup) -> None:
        self.setup = setup

    def at_rest(self, race: Race, stream: Stream) -> None:
        """Look at a race in which decisions are open; it must be left as it was."""

    def at_event(self, race: Race, event: e.Event) -> None:
        """Look at the folded race right after an event."""

    def after_step(self, moment: Moment) -> None:
        """Look at a step."""

    def at_end(self, play: CheckedPlay) -> None:
        """Look at a race that has ended."""


class PropertyBroken(AssertionError):
    """A race in which properties do not hold; the text names them, the place and how to get there."""

    def __init__(self, faults: dict[str, Exception], play: CheckedPlay) -> None:
        self.names = frozenset(faults)
        told = [f"{name}: {type(fault).__name__}: {fault}" for name, fault in faults.items()]
        super().__init__(
            "\n".join(
                [
                    *told,
                    f"after {len(play.commands)} steps in round {play.race.round}, phase {play.race.phase!r}",
                    f"the last: {play.commands[-3:]}",
                    f"of {play.origin}",
                ]
            )
        )


class CheckedPlay(RandomPlay):
    """Plays a race while all properties look on.

    Attributes:
        origin: How to have this race again, for the report.
        folded: What the events alone have made so far, without a seed.
    """

    def __init__(
        self,
        setup: RaceSetup,
        stream: Stream,
        properties: Sequence[type[Property]],
        origin: str = "",
    ) -> None:
        super().__init__(setup, stream)
        self.origin = origin or f"the race on {setup.track.id} with the seed {setup.seed!r}"
        self.samples = Stream(f"samples/{setup.seed}")
        self.properties = [make(setup) for make in properties]
        self.folded = new_race(replace(setup, seed=None))
        self.fold_on(self.events)
        self.look_at_rest()

    def step(self) -> None:
        """Say something that some seat may say: an answer mostly."""
        race, stream = self.race, self.stream
        chosen = [seat for seat, decision in race.open.items() if decision.chosen is not None]
        quitters = [seat for seat in race.racing_seats() if may_give_up(race, seat)]
        if chosen and stream.below(ONE_IN_CHANGES) == ONE_IN_CHANGES - 1:
            seat = stream.choose(chosen)
            self.say(seat, sample_command(choice_of(race, seat), stream))
        elif quitters and stream.below(ONE_IN_GIVES_UP) == ONE_IN_GIVES_UP - 1:
            self.say(stream.choose(quitters), c.GiveUp())
        else:
            super().step()

    def say(self, seat: int, command: c.Command) -> None:
        race = self.race
        before, dump = race.copy(), dump_race(race)
        try:
            events = step(race, seat, command)
        except Exception as fault:
            raise PropertyBroken({f"{command} of seat {seat} is taken": fault}, self) from fault
        self.commands.append((seat, command))
        self.events += events
        self.fold_on(events)
        moment = Moment(before, dump, seat, command, events, race, self.samples)
        self.ask(lambda each: each.after_step(moment))
        self.look_at_rest()

    def look_at_rest(self) -> None:
        if self.race.phase is Phase.ENDED:
            self.ask(lambda each: each.at_end(self))
        else:
            self.ask(lambda each: each.at_rest(self.race, self.samples))

    def fold_on(self, events: Sequence[e.Event]) -> None:
        for event in events:
            apply(self.folded, event)
            self.ask(self._seeing(event))

    def _seeing(self, event: e.Event) -> Callable[[Property], None]:
        return lambda each: each.at_event(self.folded, event)

    def ask(self, look: Callable[[Property], None]) -> None:
        """Let every property look, and tell all those that are broken.

        Raises:
            PropertyBroken: One does not hold.
        """
        faults: dict[str, Exception] = {}
        for each in self.properties:
            try:
                look(each)
            except Exception as fault:
                faults[each.name] = fault
        if faults:
            raise PropertyBroken(faults, self) from next(iter(faults.values()))
