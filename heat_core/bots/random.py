"""A bot that plays any legal command: the baseline that every other bot must beat."""

from __future__ import annotations

from heat_core.decisions import sample_command
from heat_core.race.commands import Command
from heat_core.rng import Stream
from heat_core.view.observation import Observation


def choose(observation: Observation, stream: Stream) -> Command:
    """Pick one legal command of the open decision at random."""
    choice = observation.choice
    assert choice is not None
    return sample_command(choice, stream)
