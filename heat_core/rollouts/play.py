"""Roll-outs: what a seat sees is dealt anew and raced to the end, again and again.

Theory of operation. `RollOuts` keeps the race that an observation shows. Each roll-out deals the hidden cards
anew (`dealing`) and lets a policy drive each seat, by an observation of its own that is read from the race
(`seen`): no Table, no log, no view. A decision that leaves nothing to decide is answered without asking.
Where cards of others lie face down, their policy chooses them from the dealt hand, by where the cars are now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from heat_core.bots import BOTS
from heat_core.decisions import choice_of, only_answer, verify
from heat_core.engine import advance, step
from heat_core.race.commands import Command, PlayCards
from heat_core.race.events import Standing
from heat_core.race.normal_form import normalised
from heat_core.race.phase import Phase
from heat_core.race.state import OpenDecision, Race
from heat_core.rng import Stream
from heat_core.rollouts.dealing import Dealing
from heat_core.rollouts.seen import RolledObservation
from heat_core.simulation import MOST_ROUNDS, NO_POLICIES, EndlessRace, Policy
from heat_core.view.observation import Observation

_STEADY: Final[Policy] = BOTS["steady"]


class RollOuts:
    """Races that go on from one observation, each with its own luck."""

    def __init__(self, observation: Observation, policies: Mapping[int, Policy] = NO_POLICIES) -> None:
        """Begin from what is seen; nothing else is used.

        Args:
            policies: By seat; a steady bot drives all others.

        Raises:
            NoRollOut: No round runs.
        """
        self._setup = observation.setup
        self._own = None if observation.view.own is None else observation.seat
        self._dealing = Dealing(observation)
        self._policies = policies

    def play(self, stream: Stream, command: Command | None = None) -> tuple[Standing, ...]:
        """Race to the end once.

        Args:
            stream: Of the luck, of policies too: the same stream gives the same roll-out.
            command: The own seat's answer to its open decision; None: its policy chooses.

        Returns:
            Who came where, best first.

        Raises:
            Refused: The rules do not allow the command, or one that a policy gave.
            EndlessRace: The race does not end.
            ValueError: There is a command, and a spectator saw the race.
        """
        race = self._dealing.deal(stream)
        for seat in self._dealing.face_down:
            self._lay_face_down(race, seat, stream)
        if command is not None:
            if self._own is None:
                raise ValueError("a spectator has nothing to decide")
            step(race, self._own, command)
        last_round = race.round + MOST_ROUNDS
        while race.owing:
            self._decide(race, race.owing[0], stream)
            if race.round > last_round:
                raise EndlessRace(f"no end after {MOST_ROUNDS} rounds")
        return race.standings

    def _decide(self, race: Race, seat: int, stream: Stream) -> None:
        choice = choice_of(race, seat)
        command = only_answer(choice)
        if command is not None:
            advance(race, seat, command)
        elif seat in self._policies:
            step(race, seat, self._policies[seat](RolledObservation(self._setup, race, seat, choice), stream))
        else:
            advance(race, seat, _STEADY(RolledObservation(self._setup, race, seat, choice), stream))

    def _lay_face_down(self, race: Race, number: int, stream: Stream) -> None:
        """Let a seat choose, as in phase 2, the cards that turn up in its turn."""
        before = race.phase, race.turn, race.open
        race.phase, race.turn, race.open = Phase.PLAY_CARDS, None, {number: OpenDecision(0, "cards")}
        choice = choice_of(race, number)
        command = only_answer(choice)
        if command is None:
            policy = self._policies.get(number, _STEADY)
            command = normalised(policy(RolledObservation(self._setup, race, number, choice), stream))
            verify(race, number, command)
        race.phase, race.turn, race.open = before
        assert isinstance(command, PlayCards)
        race.seat(number).face_down = command.cards
