"""A race in which agents drive seats action by action: what both PettingZoo forms share.

Bots and Legends race on by themselves, and so does a decision that leaves nothing to decide, until an agent
has to act again or the race is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from heat_core.decisions import Choice, only_answer
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import STANDARD, Rules
from heat_core.race.setup import BASE_GAME, Modules
from heat_core.rl.actions import ACTIONS, DONE, action_text, follow
from heat_core.rng import Stream
from heat_core.sentences.events import sentence
from heat_core.simulation import MOST_ROUNDS, BadDrivers, make_table, parse_drivers
from heat_core.table import Table
from heat_core.track_facts import TrackFacts
from heat_core.view.observation import Observation

AGENT: Final = "agent"
"""The driver of a seat whose decisions are an agent's."""


def _no_policy(observation: Observation, stream: Stream) -> c.Command:
    raise AssertionError("an agent's seat is asked from outside")


_AGENTS: Final = {AGENT: _no_policy}


class RaceOptions(msgspec.Struct, frozen=True):
    """What races agents drive.

    Attributes:
        track: As `heat_core.api.load_track` reads it.
        drivers: One for each car: `agent`, a bot, or `legend:LEVEL`.
        laps: None: those of the track.
        rules: A preset, or what `make_rules` makes of it.
        modules: Garage, weather, Sponsorships, event.
        most_rounds: A race that is longer is cut off there, and scored by the places on the track.
    """

    track: TrackFacts
    drivers: tuple[str, ...] = (AGENT, AGENT)
    laps: int | None = None
    rules: Rules = STANDARD
    modules: Modules = BASE_GAME
    most_rounds: int = MOST_ROUNDS

    @property
    def seats(self) -> tuple[int, ...]:
        """The cars that agents drive."""
        return tuple(number for number, driver in enumerate(self.drivers) if driver == AGENT)

    def check(self) -> None:
        """See that races can begin with these options.

        Raises:
            BadDrivers: No car has an agent, or a driver does not exist.
            BadSetup: The cars do not fit the track or the rules.
        """
        parse_drivers(",".join(self.drivers), _AGENTS)
        if not self.seats:
            raise BadDrivers(f"no car has the driver {AGENT!r}")
        self.make_table("")

    def make_table(self, seed: str) -> Table:
        """Set up a race in which nobody has decided anything yet.

        Raises:
            BadSetup: The cars do not fit the track or the rules.
        """
        return make_table(self.track, self.laps, self.drivers, self.rules, seed, self.modules, _AGENTS)


class _Asked(NamedTuple):
    """What a seat is asked for.

    Attributes:
        legal: The numbers of the actions that it may take now.
    """

    decision: int | None
    choice: Choice
    legal: tuple[int, ...]


class AgentRace:
    """One race, from its first decision to its end.

    Attributes:
        is_cut_off: It has had its most rounds.
    """

    def __init__(self, options: RaceOptions, seed: str) -> None:
        """Begin a race; the same seed and actions give the same race.

        Raises:
            BadSetup: The cars do not fit the track or the rules.
        """
        self._options = options
        self._table = options.make_table(seed)
        self._taken: dict[int, list[int]] = {seat: [] for seat in options.seats}
        self._asked: dict[int, _Asked] = {}
        self._seen: dict[int, Observation] = {}
        self._told = 0
        self.is_cut_off = False
        self._race_on()

    @property
    def is_over(self) -> bool:
        """Tell whether the race has ended or is cut off, so that no action is wanted any more."""
        return self.is_cut_off or self._table.is_over

    def asked(self) -> tuple[int, ...]:
        """List the seats that have to act: several in the phases in which all choose at once."""
        return tuple(self._asked)

    def observation(self, seat: int) -> Observation:
        """Give what a seat may know; made once until something happens."""
        seen = self._seen.get(seat)
        if seen is None:
            seen = self._seen[seat] = self._table.observation(seat)
        return seen

    def taken(self, seat: int) -> Sequence[int]:
        """List the actions of a seat's answer so far: half of a choice, which nobody else sees."""
        return self._taken[seat]

    def legal(self, seat: int) -> tuple[int, ...]:
        """List the numbers of the actions that a seat may take; done alone where it is asked for nothing."""
        asked = self._asked.get(seat)
        return asked.legal if asked else (DONE,)

    def act(self, seat: int, number: int) -> None:
        """Take an action of a seat.

        Args:
            seat: One that is asked; of the others nothing comes of it.
            number: A place in `ACTIONS`.

        Raises:
            ValueError: It is not legal now; nothing has changed.
        """
        legal = self.legal(seat)
        if number not in legal:
            named = action_text(number) if 0 <= number < len(ACTIONS) else "none"
            allowed = ", ".join(f"{other} ({action_text(other)})" for other in legal)
            raise ValueError(f"seat {seat}: action {number} ({named}) is not legal now; legal are {allowed}")
        asked = self._asked.get(seat)
        if asked is None:
            return
        taken = self._taken[seat]
        taken.append(number)
        step = follow(asked.choice, taken)
        if step.command is None:
            self._asked[seat] = asked._replace(legal=step.legal)
            return
        taken.clear()
        del self._asked[seat]
        self._note(self._table.submit(seat, asked.decision, step.command))
        if not self._asked:
            self._race_on()

    def _race_on(self) -> None:
        """Let bots and Legends race until an agent has something to decide."""
        while not (self.is_over or self._asked):
            if self._table.bot_due():
                self._note(self._table.step_bot())
            else:
                self._ask_agents()

    def _note(self, events: Sequence[e.Event]) -> None:
        """Take in what a step of the table came to."""
        self._seen.clear()
        for event in events:
            if isinstance(event, e.RoundStarted) and event.round > self._options.most_rounds:
                self.is_cut_off = True

    def _ask_agents(self) -> None:
        """Ask the agents; what leaves nothing to decide is answered for them."""
        for decision in self._table.decisions():
            if decision.has_chosen or decision.seat not in self._taken:
                continue
            choice = self.observation(decision.seat).own.choice
            assert choice is not None
            if (answer := only_answer(choice)) is not None:
                self._note(self._table.submit(decision.seat, decision.decision, answer))
            else:
                legal = follow(choice, ()).legal
                self._asked[decision.seat] = _Asked(decision.decision, choice, legal)

    def reward(self, seat: int) -> float:
        """Give what a seat's place is worth: 1 for the first, -1 for the last, evenly between."""
        ranking = self._table.view(None).ranking
        return 1 - 2 * ranking.index(seat) / (len(ranking) - 1)

    def news(self) -> str:
        """Tell in sentences, one a line, what all have seen happen since this was asked last."""
        setup = self._table.setup
        events = self._table.events_since(self._told, None)
        self._told = self._table.event_number
        names = [car.name for car in setup.cars]
        track = self.observation(self._options.seats[0]).track
        return "\n".join(text for event in events if (text := sentence(event, names, track)))
