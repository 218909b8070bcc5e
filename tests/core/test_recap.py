"""What somebody who comes back is told of the race meanwhile (NET-9)."""

from __future__ import annotations

import pytest

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.setup import CarSetup, make_setup
from heat_core.table import Table
from heat_core.view.race_view import RaceView
from heat_core.view.recap import recap
from heat_core.view.secrecy import view_race
from tests.core.support import position, track_facts

NAMES = ("Ana", "Ben", "Cy", "Dee")
CARS = [CarSetup(name, colour) for name, colour in zip(NAMES, ("red", "blue", "green", "black"), strict=True)]  # type: ignore[arg-type]


def running(round: int = 6) -> RaceView:
    """Four cars of which Ben leads, then Ana, Cy, Dee."""
    places = {"ana": "space 30", "ben": "space 40", "cy": "space 20", "dee": "space 10"}
    return view_race(
        position({name: f"lap 1 {place} gear 2" for name, place in places.items()}, round=round), None
    )


def moved(car: int, spaces: int, start: int = 0) -> e.CarMoved:
    return e.CarMoved(car, "cards", spaces, start, start + spaces, 0, ())


def spun(seat: int, back: int) -> e.SpunOut:
    return e.SpunOut(seat, 30, 30 + back, 30, 0, 1)


@pytest.mark.parametrize(
    ("events", "seat", "sentences"),
    [
        ([], 0, ()),
        ([e.PhaseEntered(2)], 0, ()),
        ([e.RoundStarted(6)], None, ("A round went by; it is round 6 now.",)),
        (
            [
                e.RoundStarted(5),
                e.RoundStarted(6),
                moved(0, 12),
                e.HeatPaid(0, 3, "corner", ()),
                moved(0, 13),
            ],
            0,
            (
                "Two rounds went by; it is round 6 now.",
                "Your car came 25 spaces further, paid three Heat and is second now.",
                "Ben leads.",
            ),
        ),
        ([moved(1, 1)], 1, ("Your car came one space further and is first now.",)),
        (
            [e.RoundStarted(6), spun(2, 4)],
            2,
            (
                "A round went by; it is round 6 now.",
                "Your car did not move, spun out and is third now.",
            ),
        ),
        (
            [moved(1, 5), spun(2, 2), spun(3, 2), spun(2, 2)],
            3,
            ("Your car did not move, spun out and is fourth now.", "Cy spun out twice and Ben leads."),
        ),
        (
            [moved(1, 5), spun(2, 2), e.CarOut(2, "spun_out"), e.CarOut(3, "gave_up"), e.CarFinished(1)],
            None,
            ("Ben crossed the finish line and Cy and Dee are out of the race.",),
        ),
        ([moved(1, 5), e.CarFinished(1)], 1, ("Your car crossed the finish line in first place.",)),
        ([spun(0, 5), e.CarOut(0, "spun_out")], 0, ("Your car is out of the race.",)),
    ],
)
def test_a_race_that_runs(events: list[e.Event], seat: int | None, sentences: tuple[str, ...]) -> None:
    assert recap(events, running(), CARS, seat) == sentences


@pytest.mark.parametrize(
    ("events", "round", "told"),
    [
        ([e.RoundStarted(1)], 1, "The race has begun."),
        (
            [e.RoundStarted(1), moved(1, 5), e.RoundStarted(2)],
            2,
            "The race has begun, and a round went by; it is round 2 now.",
        ),
        (
            [e.RoundStarted(1), e.RoundStarted(2), e.RoundStarted(3)],
            3,
            "The race has begun, and two rounds went by; it is round 3 now.",
        ),
    ],
)
def test_no_round_went_by_where_the_first_has_just_begun(
    events: list[e.Event], round: int, told: str
) -> None:
    sentences = recap(events, running(round), CARS, 0)
    assert sentences[0] == told
    assert len(sentences) == 1 or round > 1


def ended(*gives_up: int, abandoned: bool = False) -> tuple[RaceView, list[e.Event]]:
    """Play a race to its end by defaults; some give up at once."""
    setup = make_setup(track_facts("usa"), CARS, seed="end", laps=1)
    table = Table(setup, dict.fromkeys(range(4), "human"))
    for seat in gives_up:
        table.submit(seat, None, c.GiveUp())
    if abandoned:
        table.abandon()
    while not table.is_over:
        table.play_default(next(one.seat for one in table.decisions() if not one.has_chosen))
    return table.view(None), table.log


def test_a_race_that_is_over() -> None:
    view, log = ended(3)
    first, second = view.standings[0].car, view.standings[1].car
    assert recap(log, view, CARS, first) == ("The race ended meanwhile, and you won it!",)
    told = f"The race ended meanwhile: {NAMES[first]} won"
    assert recap(log, view, CARS, second) == (f"{told}, and you came second.",)
    assert recap(log, view, CARS, 3) == (f"{told}, and your car is out.",)
    assert recap(log, view, CARS, None) == (f"{told}.",)
    assert recap([], view, CARS, None) == (), "it was over before"


def test_a_race_without_a_winner() -> None:
    for view, log in (ended(0, 1, 2, 3), ended(abandoned=True)):
        assert recap(log, view, CARS, 0) == ("The race ended meanwhile, and nobody won it.",)


def test_from_every_moment_of_a_race_it_is_at_most_three_sentences() -> None:
    setup = make_setup(track_facts("italy"), CARS, seed="whole", laps=1)
    table = Table(setup, dict.fromkeys(range(4), "random"))
    while not table.is_over:
        for seat in (0, 3, None):
            for since in {0, table.event_number // 2, max(0, table.event_number - 7)}:
                told = recap(table.events_since(since, seat), table.view(seat), CARS, seat)
                assert len(told) <= 3
                assert all(sentence[0].isupper() and sentence[-1] in ".!" for sentence in told), told
                assert all("  " not in sentence and " ," not in sentence for sentence in told), told
        table.step_bot()
