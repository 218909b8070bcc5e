"""What a person reads of a cluster while it works: its number of workers, and who of them is silent."""

from __future__ import annotations

from typing import Any

from heat_core.cli.cluster_watch import SILENT_SECONDS, Quiet, Workers

ADDRESS = "tcp://192.0.2.7:8786"
ONE, TWO = "tcp://192.0.2.8:4001", "tcp://192.0.2.9:4002"


def told_by(*looks: tuple[float, dict[str, tuple[int, float]]]) -> tuple[Workers, list[str]]:
    """Note some looks: when, and of each worker its threads and when the scheduler last heard from it."""
    said: list[str] = []
    workers = Workers(ADDRESS, said.append)
    for now, seen in looks:
        found: dict[str, dict[str, Any]] = {
            address: {"nthreads": threads, "last_seen": last} for address, (threads, last) in seen.items()
        }
        workers.note(found, now)
        for address in workers.unasked():
            workers.note_answer(address, "")
    return workers, said


def test_the_number_of_workers_is_said_when_it_changes() -> None:
    workers, said = told_by(
        (0.0, {ONE: (1, 5.0), TWO: (1, 5.0)}),
        (1.0, {ONE: (1, 6.0), TWO: (1, 6.0)}),
        (2.0, {TWO: (1, 7.0)}),
        (3.0, {}),
        (4.0, {}),
        (5.0, {ONE: (4, 9.0)}),
    )
    assert said == [
        "The cluster has 2 workers.",
        "The cluster has 1 worker.",
        "The cluster has no workers. Waiting until one joins ...",
        "The cluster has 1 worker with 4 threads.",
    ]
    assert workers.threads == 4


def test_a_silent_worker_is_named_once_and_when_it_answers_again() -> None:
    late = SILENT_SECONDS + 1
    _, said = told_by(
        (0.0, {ONE: (1, 5.0), TWO: (1, 5.0)}),
        (late, {ONE: (1, 5.0), TWO: (1, 5.0 + late)}),
        (late + 1, {ONE: (1, 5.0), TWO: (1, 6.0 + late)}),
        (late + 2, {ONE: (1, 7.0 + late), TWO: (1, 7.0 + late)}),
    )
    assert said[1:] == [
        (
            f"The worker at {ONE} has not answered for 20 s. Its races wait; if it stays silent, the "
            "scheduler gives them to others (after 5 minutes, by default)."
        ),
        f"The worker at {ONE} answers again.",
    ]


def test_a_worker_that_is_gone_and_comes_back_begins_anew() -> None:
    late = SILENT_SECONDS + 1
    _, said = told_by(
        (0.0, {ONE: (1, 5.0)}), (late, {ONE: (1, 5.0)}), (late + 1, {}), (late + 2, {ONE: (1, 5.0)})
    )
    assert [text for text in said if "answer" in text] == said[1:2]


def test_a_scheduler_that_does_not_answer_is_named_once() -> None:
    workers, said = told_by((0.0, {ONE: (1, 5.0)}))
    workers.note_silence()
    workers.note_silence()
    workers.note({ONE: {"nthreads": 1, "last_seen": 6.0}}, 9.0)
    assert said[1:] == [
        f"The scheduler at {ADDRESS} does not answer. Waiting for it ...",
        "The cluster has 1 worker.",
    ]


def test_workers_that_cannot_race_are_named_and_count_for_nothing() -> None:
    said: list[str] = []
    workers = Workers(ADDRESS, said.append)
    workers.note({ONE: {"nthreads": 1, "last_seen": 5.0}, TWO: {"nthreads": 4, "last_seen": 5.0}}, 0.0)
    assert (workers.threads, workers.able, workers.unasked()) == (0, frozenset(), {ONE, TWO})
    workers.note_answer(ONE, "it is old")
    assert not workers.refusal, "the other may be able"
    workers.note_answer(TWO, "")
    assert (workers.threads, workers.able, workers.can_work) == (4, frozenset({TWO}), True)
    assert said[1:] == [f"The worker at {ONE} gets no races: it is old. Install the same wheel there."]
    workers.note({ONE: {"nthreads": 1, "last_seen": 6.0}}, 1.0)
    assert (workers.threads, workers.can_work) == (0, False)
    assert workers.are_gone(frozenset({TWO}))
    assert not workers.refusal, "one that could race may come back"


def test_where_all_workers_cannot_race_the_first_is_named() -> None:
    workers = Workers(ADDRESS, print)
    workers.note({TWO: {"nthreads": 1, "last_seen": 5.0}, ONE: {"nthreads": 1, "last_seen": 5.0}}, 0.0)
    workers.note_answer(TWO, "it is old")
    workers.note_answer("tcp://192.0.2.1:1", "it was gone before its answer")
    workers.note_answer(ONE, "it is older")
    assert workers.refusal == f"No worker can do this. The worker at {ONE} gets no races: it is older"


def test_a_silent_worker_gets_no_more_races_and_keeps_those_it_has() -> None:
    late = SILENT_SECONDS + 1
    workers, _ = told_by((0.0, {ONE: (1, 5.0), TWO: (1, 5.0)}), (late, {ONE: (1, 5.0), TWO: (1, 26.0)}))
    assert (workers.able, workers.threads) == (frozenset({TWO}), 2)


def test_there_is_a_word_at_least_every_20_seconds() -> None:
    said: list[str] = []
    quiet = Quiet(said.append, 100.0)
    for second in range(100, 150):
        quiet.note(False, "The cluster has 1 worker.", float(second))
    quiet.note(True, "", 150.0)
    for second in range(151, 175):
        quiet.note(False, "The cluster has no workers.", float(second))
    assert said == [
        "No race has ended for 20 s. The cluster has 1 worker.",
        "No race has ended for 40 s. The cluster has 1 worker.",
        "No race has ended for 20 s. The cluster has no workers.",
    ]
