"""Races for agents that learn, in the forms of PettingZoo (docs/study.md); needs `heat-tui-race[rl]`."""

from heat_core.rl.actions import ACTIONS, action_text
from heat_core.rl.agent_race import AGENT, RaceOptions
from heat_core.rl.environments import ParallelRaces, TurnRaces
from heat_core.rl.features import FEATURES

__all__ = ["ACTIONS", "AGENT", "FEATURES", "ParallelRaces", "RaceOptions", "TurnRaces", "action_text"]
