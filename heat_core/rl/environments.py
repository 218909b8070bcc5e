"""Races in the two forms of PettingZoo: one agent acts at a time (AEC), or all at once (parallel).

Both drive an `AgentRace`. An observation has the row of `features` and the mask of legal actions; whoever is
asked for nothing may only be done. Rewards come when the race is over, for the places.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.utils.seeding import np_random
from pettingzoo.utils.env import AECEnv, ParallelEnv

from heat_core.rl.actions import ACTIONS
from heat_core.rl.agent_race import AgentRace, RaceOptions
from heat_core.rl.features import FEATURES, features

Seen: TypeAlias = dict[str, Any]
"""`observation`, a row of `features`, and `action_mask`, 1 for each legal action; both are arrays."""

Act: TypeAlias = int | np.int64 | None
"""A place in `ACTIONS`; None by an agent at its end."""

Infos: TypeAlias = dict[str, Any]

RenderMode: TypeAlias = Literal["ansi"]

_MOST_SEEDS: Final = 2**62


def _number(action: Act) -> int:
    """Give an action as a plain number; one that is never legal for none."""
    return -1 if action is None else int(action)


class _Races:
    """Agents, spaces and seeds: what both forms have."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "heat_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, options: RaceOptions, render_mode: RenderMode | None = None) -> None:
        """Prepare races; `reset` begins one.

        Args:
            options: What is raced, and which cars agents drive: `driver_0` is car 0, and so on.
            render_mode: `ansi`: `render` tells in sentences what has happened since it was called last.

        Raises:
            BadDrivers: No car has an agent, or a driver does not exist.
            BadSetup: The cars do not fit the track or the rules.
        """
        options.check()
        self.render_mode = render_mode
        self._options = options
        self._seats = {f"driver_{seat}": seat for seat in options.seats}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        self._observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(-1, 1, (len(FEATURES),), np.float32),
                    "action_mask": Box(0, 1, (len(ACTIONS),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: Discrete(len(ACTIONS)) for agent in self.possible_agents}
        self._random, _ = np_random(None)

    def observation_space(self, agent: str) -> Space[Seen]:
        """Give the space of an agent's observations, the same object each time."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Act]:
        """Give the space of an agent's actions, the same object each time."""
        return self._action_spaces[agent]

    def render(self) -> str | None:
        """Tell in sentences what all have seen happen since the last call; None without a render mode."""
        return self._race.news() if self.render_mode else None

    def close(self) -> None:
        """Do nothing: no window is open."""

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._random, _ = np_random(seed)
        self._race = AgentRace(self._options, str(self._random.integers(_MOST_SEEDS)))
        self.agents = self.possible_agents.copy()

    def _see(self, agent: str) -> Seen:
        seat = self._seats[agent]
        mask = np.zeros(len(ACTIONS), np.int8)
        mask[list(self._race.legal(seat))] = 1
        row = features(self._race.observation(seat), self._race.taken(seat))
        return {"observation": row, "action_mask": mask}

    def _rewards(self) -> dict[str, float]:
        """Give the rewards of the last step: what the places are worth once the race is over."""
        is_over = self._race.is_over
        return {agent: self._race.reward(self._seats[agent]) if is_over else 0.0 for agent in self.agents}

    def _ends(self) -> tuple[dict[str, bool], dict[str, bool]]:
        """Say for each agent whether it is at its end, and whether it is cut off."""
        race = self._race
        ended = race.is_over and not race.is_cut_off
        return dict.fromkeys(self.agents, ended), dict.fromkeys(self.agents, race.is_cut_off)


class TurnRaces(_Races, AECEnv[str, Seen, Act]):
    """Races in which one agent acts at a time.

    In the phases in which all choose at once they are asked one after another; nobody sees what the others
    chose before. An action that is not legal raises `ValueError`.
    """

    def reset(self, seed: int | None = None, options: Infos | None = None) -> None:
        """Begin a race.

        Args:
            seed: The same one gives the same races from here on; None continues those of the last one.
            options: Not used.
        """
        self._begin(seed)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, Infos] = {agent: {} for agent in self.agents}
        self._note_ends()
        self.agent_selection = self._next_agent()

    def observe(self, agent: str) -> Seen:
        """Give what an agent may know now."""
        return self._see(agent)

    def step(self, action: Act) -> None:
        """Take the action of the agent in `agent_selection`; None where it is at its end.

        Raises:
            ValueError: The action is not legal; the text names those that are, and nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._race.act(self._seats[agent], _number(action))
        self._cumulative_rewards[agent] = 0.0
        self._note_ends()
        self._accumulate_rewards()
        if not self._race.is_over:
            self.agent_selection = self._next_agent()

    def _note_ends(self) -> None:
        self.rewards = self._rewards()
        self.terminations, self.truncations = self._ends()

    def _next_agent(self) -> str:
        return f"driver_{self._race.asked()[0]}"


class ParallelRaces(_Races, ParallelEnv[str, Seen, Act]):
    """Races in which all agents act at once; of those that are asked for nothing the action is ignored.

    An action that is not legal counts as the first legal one, and `infos` of the step names it under
    `illegal_action`.
    """

    def reset(
        self, seed: int | None = None, options: Infos | None = None
    ) -> tuple[dict[str, Seen], dict[str, Infos]]:
        """Begin a race.

        Args:
            seed: The same one gives the same races from here on; None continues those of the last one.
            options: Not used.

        Returns:
            Observations and empty infos, by agent.
        """
        self._begin(seed)
        return self._see_all(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Act]
    ) -> tuple[
        dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Take the actions of all agents, and race on until one has to act again.

        Returns:
            By agent: observation, reward, whether it is at its end, whether it is cut off, info.
        """
        infos: dict[str, Infos] = {agent: {} for agent in self.agents}
        asked = self._race.asked()
        for agent in self.agents:
            seat = self._seats[agent]
            if seat in asked:
                legal = self._race.legal(seat)
                action = _number(actions[agent])
                if action not in legal:
                    infos[agent]["illegal_action"] = action
                    action = legal[0]
                self._race.act(seat, action)
        seen, rewards, (terminations, truncations) = self._see_all(), self._rewards(), self._ends()
        if self._race.is_over:
            self.agents = []
        return seen, rewards, terminations, truncations, infos

    def _see_all(self) -> dict[str, Seen]:
        return {agent: self._see(agent) for agent in self.agents}
