"""A step without a second check: for commands that come from the race's own choice."""

from __future__ import annotations

import pytest

from heat_core.bots import BOTS
from heat_core.decisions import choice_of, enumerate_commands, sample_command
from heat_core.drivers import BotName
from heat_core.engine import advance, step
from heat_core.race.normal_form import normalised
from heat_core.race.phase import Phase
from heat_core.race.state_dump import dump_race
from heat_core.rng import Stream
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.view.secrecy import public_setup, view_race
from tests.core.random_setups import random_module_setup
from tests.core.support import RandomPlay


@pytest.mark.parametrize("seed", ["one", "two", "three", "four"])
def test_advancing_does_what_a_checked_step_does(seed: str) -> None:
    game = RandomPlay(random_module_setup(Stream(seed)), seed)
    while game.race.phase is not Phase.ENDED:
        seat = game.race.owing[0]
        command = sample_command(choice_of(game.race, seat), game.stream)
        advanced = game.race.copy()
        events = advance(advanced, seat, command)
        assert step(game.race, seat, command) == events
        assert dump_race(game.race) == dump_race(advanced)


@pytest.mark.parametrize("bot", [*BOTS, "default"])
def test_what_bots_and_the_clock_answer_is_in_the_choice_with_all_modules_too(
    bot: BotName | str,
) -> None:
    """Their answers are not checked again, so this is where an illegal one shows."""
    for number in range(3):
        stream = Stream(f"{bot}/{number}")
        game = RandomPlay(random_module_setup(stream), stream)
        for turn in range(80):
            if game.race.phase is Phase.ENDED:
                break
            seat = game.race.owing[0]
            observation = Observation(public_setup(game.setup), view_race(game.race, seat))
            said = (
                default_command(observation)
                if bot == "default"
                else BOTS[bot](observation, Stream(f"{turn}"))  # type: ignore[index]  # because it is a bot's name
            )
            assert normalised(said) in map(normalised, enumerate_commands(choice_of(game.race, seat)))
            game.step()
