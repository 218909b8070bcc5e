"""Random play by hypothesis: the same driver and properties, and a failing race is made small."""

from __future__ import annotations

import pytest
from hypothesis import Phase, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from heat_core.decisions import choice_of, may_give_up, sample_command
from heat_core.race import commands as c
from heat_core.race import phase as phases
from heat_core.refusal import RefusalCode
from heat_core.rng import Stream
from tests.core.driver import CheckedPlay
from tests.core.properties import EVERY_PROPERTY
from tests.core.properties_engine import check_all_refused
from tests.core.random_setups import random_module_setup, random_setup

pytestmark = pytest.mark.no_cover  # see test_random_play


STREAMS = st.integers(0, 2**32 - 1).map(lambda seed: Stream(str(seed)))
"""A compiled stream has no subclass whose numbers hypothesis draws one by one: it draws the seeds."""


class RandomMachine(RuleBasedStateMachine):
    """Any race; the driver checks all properties in and after each rule."""

    play: CheckedPlay

    @initialize(stream=STREAMS)
    def set_up(self, stream: Stream) -> None:
        make = (random_setup, random_setup, random_module_setup)[stream.below(3)]
        setup = make(stream)
        note(str(setup))
        self.play = CheckedPlay(setup, stream, EVERY_PROPERTY)

    def runs(self) -> bool:
        return self.play.race.phase is not phases.Phase.ENDED

    def seats_that_chose(self) -> list[int]:
        return [seat for seat, decision in self.play.race.open.items() if decision.chosen is not None]

    def seats_that_may_give_up(self) -> list[int]:
        race = self.play.race
        return [seat for seat in race.seats() if may_give_up(race, seat)]

    def answer(self, seats: list[int], stream: Stream) -> None:
        seat = stream.choose(seats)
        self.play.say(seat, sample_command(choice_of(self.play.race, seat), stream))

    @precondition(runs)
    @rule(stream=STREAMS)
    def somebody_answers(self, stream: Stream) -> None:
        opened = self.play.race.open.items()
        self.answer([seat for seat, decision in opened if decision.chosen is None], stream)

    @precondition(runs)
    @rule(stream=STREAMS)
    def somebody_answers_too(self, stream: Stream) -> None:
        """Races are long: let most rules be answers."""
        self.somebody_answers(stream)

    @precondition(lambda self: bool(self.seats_that_chose()))
    @rule(stream=STREAMS)
    def somebody_changes_a_choice(self, stream: Stream) -> None:
        self.answer(self.seats_that_chose(), stream)

    @precondition(lambda self: bool(self.seats_that_may_give_up()))
    @rule(stream=STREAMS, is_meant=st.sampled_from((False, False, False, True)))
    def somebody_gives_up(self, stream: Stream, is_meant: bool) -> None:
        if is_meant:
            self.play.say(stream.choose(self.seats_that_may_give_up()), c.GiveUp())

    @precondition(lambda self: not self.runs())
    @rule()
    def nobody_can_do_anything_after_the_end(self) -> None:
        check_all_refused(self.play.race, (c.GiveUp(), c.ShiftGear(1)), RefusalCode.RACE_ENDED)


# Without the phase that explains, which traces every line; a failing race takes minutes to be made small.
PLAIN = settings(report_multiple_bugs=False, phases=(Phase.generate, Phase.shrink))

TestRandomMachine = pytest.mark.timeout(600)(RandomMachine.TestCase)
TestRandomMachine.settings = settings(PLAIN, stateful_step_count=25, max_examples=50)


class LongRandomMachine(RandomMachine):
    """The same for longer races; `make soak` lets hypothesis explore."""


TestLongRandomMachine = pytest.mark.soak(LongRandomMachine.TestCase)
TestLongRandomMachine.settings = settings(PLAIN, stateful_step_count=100)
