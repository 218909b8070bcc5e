"""The table: whose answer counts, what bots and defaults do, and what comes back from bytes."""

from __future__ import annotations

import pytest

from heat_core.decisions import sample_command
from heat_core.drivers import DriverName
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.record.record import Record, verify_record
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.table import Table
from heat_core.view.secrecy import view_event
from tests.core.support import setup_of


def table_of(*drivers: DriverName, legends: int = 0, seed: str = "table") -> Table:
    setup = setup_of("italy", seats=len(drivers), legends=legends, laps=1, seed=seed)
    return Table(setup, dict(enumerate(drivers)))


def asked(table: Table, seat: int) -> int:
    return next(decision.decision for decision in table.decisions() if decision.seat == seat)


def code_of(table: Table, seat: int, decision: int | None, command: c.Command) -> RefusalCode:
    before = table.dump()
    with pytest.raises(Refused) as refused:
        table.submit(seat, decision, command)
    assert table.dump() == before
    return refused.value.code


def test_an_answer_must_name_the_open_decision_of_its_own_seat() -> None:
    table = table_of("human", "human")
    ana, ben = asked(table, 0), asked(table, 1)
    for seat, decision in ((0, ben), (1, ana), (0, ana + 100), (0, 0), (0, None)):
        assert code_of(table, seat, decision, c.ShiftGear(1)) == RefusalCode.LATE
    assert code_of(table, 0, ana, c.ShiftGear(4)) == RefusalCode.GEAR_OUT_OF_REACH
    assert table.submit(0, ana, c.ShiftGear(2))
    assert asked(table, 1) == ben, "another's choice does not make mine late"
    assert code_of(table, 0, ana, c.ShiftGear(1)) == RefusalCode.LATE


def test_the_same_answer_again_is_taken_as_the_same() -> None:
    table = table_of("human", "human")
    decision = asked(table, 0)
    assert table.submit(0, decision, c.ShiftGear(2))
    before = table.dump()
    assert table.submit(0, decision, c.ShiftGear(2)) == []
    assert table.dump() == before
    table.submit(1, asked(table, 1), c.ShiftGear(1))
    assert table.submit(0, decision, c.ShiftGear(2)) == []


def test_a_secret_choice_may_be_changed_until_all_have_chosen() -> None:
    table = table_of("human", "human")
    for gear in (2, 3, 1):
        table.submit(0, asked(table, 0), c.ShiftGear(gear))
        own = table.view(0).own
        assert own is not None
        assert own.chosen == c.ShiftGear(gear)
    table.submit(1, asked(table, 1), c.ShiftGear(1))
    assert table.view(0).cars[0].gear == 1
    assert {decision.kind for decision in table.decisions()} == {"cards"}


def test_bots_play_one_decision_at_a_time_and_only_their_own() -> None:
    table = table_of("human", "steady", "random", legends=1)
    assert table.bot_due()
    first = table.step_bot()
    assert [event.seat for event in first if isinstance(event, e.ChoiceMade)] == [1]
    table.step_bot()
    assert not table.bot_due()
    assert table.step_bot() == []
    assert [decision.has_chosen for decision in table.decisions()] == [False, True, True]


def test_defaults_and_bots_race_to_the_end_and_the_log_replays() -> None:
    table = table_of("human", "steady", "random", legends=2)
    while not table.is_over:
        if table.bot_due():
            table.step_bot()
        else:
            assert table.play_default(0)
    assert table.play_default(0) == []
    assert table.event_number == len(table.log)
    verify_record(Record(table.setup, tuple(table.log)))


def test_a_default_is_not_played_over_a_choice() -> None:
    table = table_of("human", "human")
    table.submit(0, asked(table, 0), c.ShiftGear(3))
    assert table.play_default(0) == []
    assert table.play_default(1)
    assert table.view(0).cars[0].gear == 3


def test_seats_change_hands() -> None:
    table = table_of("human", "human")
    table.set_driver(0, "steady")
    assert table.bot_due()
    table.set_driver(0, "human")
    assert not table.bot_due()
    with pytest.raises(KeyError):
        table.set_driver(7, "steady")
    with pytest.raises(ValueError, match="drivers for seats"):
        Table(setup_of(seats=2), {0: "human"})


@pytest.mark.parametrize("steps", [0, 1, 7, 40, 90])
def test_a_table_comes_back_and_goes_on_the_same(steps: int) -> None:
    table = table_of("steady", "random", legends=1)
    for _ in range(steps):
        table.step_bot()
    again = Table.load(table.dump())
    assert again.dump() == table.dump()
    while not table.is_over:
        assert table.step_bot() == again.step_bot()
    assert again.dump() == table.dump()


def test_events_are_told_as_each_may_see_them() -> None:
    table = table_of("human", "steady")
    table.step_bot()
    for seat in (0, 1, None):
        for number in (0, 3, table.event_number):
            expected = tuple(view_event(event, seat) for event in table.log[number:])
            assert table.events_since(number, seat) == expected
    (secret,) = [event for event in table.events_since(0, 0) if isinstance(event, e.ChoiceMade)]
    assert secret.command is None


def test_giving_up_needs_no_decision_and_an_abandoned_race_is_over() -> None:
    table = table_of("human", "human", "human")
    table.submit(0, None, c.GiveUp())
    assert {decision.seat for decision in table.decisions()} == {1, 2}
    assert table.abandon()
    assert table.is_over
    assert table.abandon() == []
    assert code_of(table, 1, None, c.GiveUp()) == RefusalCode.RACE_ENDED


def test_a_table_stands_random_answers_by_people() -> None:
    table = table_of("human", "human", legends=1)
    stream = Stream("people")
    while not table.is_over:
        for seat, decision, _, has_chosen in table.decisions():
            if not has_chosen:
                own = table.view(seat).own
                assert own is not None
                assert own.choice is not None
                table.submit(seat, decision, sample_command(own.choice, stream))
                break
    assert table.view(None).phase is Phase.ENDED
    assert table.view(None).own is None


def test_an_ended_race_takes_no_command_of_any_kind_but_an_answer_again() -> None:
    table = table_of("human", "human", seed="ended")
    last: tuple[int, int, c.Command] | None = None
    while not table.is_over:
        seat, decision, _, _ = next(asked for asked in table.decisions() if not asked.has_chosen)
        own = table.view(seat).own
        assert own is not None
        assert own.choice is not None
        last = (seat, decision, sample_command(own.choice, Stream(str(decision))))
        table.submit(*last)
    assert last is not None
    assert table.submit(*last) == []
    for seat in (0, 1, 2, -1, 99):
        for number in (None, 0, last[1], last[1] + 1):
            for command in (c.ShiftGear(1), c.PlayCards(()), c.EndReact(), c.Discard(()), c.GiveUp()):
                if (seat, number, command) != last:
                    assert code_of(table, seat, number, command) == RefusalCode.RACE_ENDED
    again = Table.load(table.dump())
    assert again.submit(*last) == []
    assert code_of(again, 0, last[1] + 1, c.EndReact()) == RefusalCode.RACE_ENDED


def test_an_answer_before_the_last_is_late_however_often_it_comes() -> None:
    table = table_of("human", "human")
    first = asked(table, 0)
    table.submit(0, first, c.ShiftGear(2))
    second = asked(table, 0)
    table.submit(0, second, c.ShiftGear(3))
    assert code_of(table, 0, first, c.ShiftGear(2)) == RefusalCode.LATE
    assert table.submit(0, second, c.ShiftGear(3)) == []
    assert code_of(table, 0, second, c.ShiftGear(2)) == RefusalCode.LATE
    assert code_of(table, 1, second, c.ShiftGear(3)) == RefusalCode.LATE
    again = Table.load(table.dump())
    assert again.submit(0, second, c.ShiftGear(3)) == []


def test_a_foreign_car_answers_nothing() -> None:
    table = table_of("human", "human", legends=1)
    for seat in (2, 3, -1, 99):
        assert code_of(table, seat, asked(table, 0), c.ShiftGear(1)) == RefusalCode.LATE
        assert code_of(table, seat, None, c.GiveUp()) == RefusalCode.NOT_A_SEAT
        with pytest.raises(KeyError):
            table.set_driver(seat, "steady")
        assert table.play_default(seat) == []


def test_what_the_clock_chose_is_noted_and_raced_anew_as_such() -> None:
    table = table_of("human", "human", "human")
    table.submit(0, asked(table, 0), c.ShiftGear(1), by_clock=True)
    while not table.is_over:
        seat = next(one.seat for one in table.decisions() if not one.has_chosen)
        if seat:
            table.play_default(seat, by_clock=seat == 1)
        else:
            table.play_as_bot(seat, "random", by_clock=True)
    made = [event for event in table.log if isinstance(event, e.ChoiceMade)]
    assert {(event.seat, event.by_clock) for event in made} == {(0, True), (1, True), (2, False)}
    assert Table.load(table.dump()).log == table.log
