"""The lines that a replay shows: rounds, moments and hands, in whatever room there is."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from heat_core.options.table_options import LocalOptions
from heat_core.record.playback import Playback
from heat_core.record.record import Record
from heat_tui.flow.table_factory import make_table
from heat_tui.race.presenter import RaceLabels
from heat_tui.words.log import LogLine
from heat_tui.words.replay_lines import hand_words, hands_lines, happened_lines, rounds_line


@pytest.mark.parametrize("width", [80, 40, 20, 200])
@pytest.mark.parametrize("rounds", [1, 9, 40, 300])
@pytest.mark.parametrize("first", [1, 7])
def test_the_bar_of_rounds_fits_and_holds_the_present_round(width: int, rounds: int, first: int) -> None:
    numbers = range(first, first + rounds)
    for now in (0, numbers[0], numbers[rounds // 2], numbers[-1]):
        line, hits = rounds_line(numbers, now, width)
        assert cell_len(line.plain) <= width
        targets = [int(hit[3].removeprefix("walk('to_round', ").rstrip(")")) for hit in hits]
        assert set(targets) <= set(numbers)
        assert targets == sorted(targets)
        if now:
            (own,) = [
                hit
                for hit in hits
                if hit[3] == f"walk('to_round', {now})" and line.plain[hit[1] : hit[2]].strip() == str(now)
            ]
            assert own[0] == 1


@pytest.mark.parametrize("height", [1, 3, 6, 40])
@pytest.mark.parametrize("place", [0, 1, 30, 59])
def test_the_list_beside_the_map_fits_and_holds_the_present_moment(height: int, place: int) -> None:
    told = [LogLine(Text(f"event {number} " + "word " * (number % 5)), "cards") for number in range(60)]
    lines, hits = happened_lines(told, place, 25, height, Console(width=80))
    assert len(lines) <= height
    assert len(hits) == len(lines)
    assert sum(line.plain.startswith("> ") for line in lines) == 1
    assert all(line.cell_len <= 25 for line in lines)
    places = [int(hit[3].removeprefix("walk('to_moment', ").rstrip(")")) for hit in hits]
    assert places == sorted(places)
    assert set(places) == set(range(places[0], places[-1] + 1))
    if height == 40 and place == 30:
        assert min(places) < 20 < 40 < max(places) + 5


def test_eight_hands_fit_four_lines() -> None:
    options = LocalOptions(names=("Ana",), bots=("steady",) * 5, seed="5")
    table = make_table(options)
    labels = RaceLabels.of(table.setup)
    playback = Playback(Record(table.setup, tuple(table.log)))
    race = playback.race_at(playback.last)
    hands = [(number, tuple(race.seat(number).hand)) for number in race.seats()]
    lines = hands_lines(hands, labels, 79, 4)
    assert len(lines) <= 4
    text = "\n".join(line.plain for line in lines)
    assert all(line.cell_len <= 79 for line in lines)
    assert all(hand_words(race.seat(number).hand) in text for number in race.seats())
