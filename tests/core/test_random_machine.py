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


class Drawn(Stream):
    """A stream whose numbers hypothesis draws: 0, the plainest, where it makes an example smaller."""

    def __init__(self, data: st.DataObject) -> None:
        super().__init__("")
        self.data = data

    def below(self, bound: int) -> int:
        return self.data.draw(st.integers(0, bound - 1)) if bound > 1 else 0


class RandomMachine(RuleBasedStateMachine):
    """Any race; the driver checks all properties in and after each rule."""

    play: CheckedPlay

    @initialize(data=st.data())
    def set_up(self, data: st.DataObject) -> None:
        stream = Drawn(data)
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

    def answer(self, seats: list[int], data: st.DataObject) -> None:
        stream = Drawn(data)
        seat = stream.choose(seats)
        self.play.say(seat, sample_command(choice_of(self.play.race, seat), stream))

    @precondition(runs)
    @rule(data=st.data())
    def somebody_answers(self, data: st.DataObject) -> None:
        opened = self.play.race.open.items()
        self.answer([seat for seat, decision in opened if decision.chosen is None], data)

    @precondition(runs)
    @rule(data=st.data())
    def somebody_answers_too(self, data: st.DataObject) -> None:
        """Races are long: let most rules be answers."""
        self.somebody_answers(data)

    @precondition(lambda self: bool(self.seats_that_chose()))
    @rule(data=st.data())
    def somebody_changes_a_choice(self, data: st.DataObject) -> None:
        self.answer(self.seats_that_chose(), data)

    @precondition(lambda self: bool(self.seats_that_may_give_up()))
    @rule(data=st.data(), is_meant=st.sampled_from((False, False, False, True)))
    def somebody_gives_up(self, data: st.DataObject, is_meant: bool) -> None:
        if is_meant:
            self.play.say(Drawn(data).choose(self.seats_that_may_give_up()), c.GiveUp())

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
