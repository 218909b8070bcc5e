"""The analysis of a recorded race: mistakes, luck, chances, and nothing that a seat could not know."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from heat_core.__main__ import main
from heat_core.bots import BOTS
from heat_core.coach.analysis import (
    MOST_MISTAKES,
    Analysis,
    RoundChances,
    SeatAnalysis,
    accuracy_of,
    analyse,
    analyse_part,
    parts_of,
    sum_up,
)
from heat_core.coach.rounds import LEAST_LOSS, JudgedChoice, Luck, RoundJudge
from heat_core.decisions import CardsChoice
from heat_core.engine import step
from heat_core.game_files import write_record
from heat_core.planner.table_key import own_table_key
from heat_core.planner.tables import TABLES
from heat_core.planner.weighing import Weighing
from heat_core.race import events as e
from heat_core.race.apply import apply
from heat_core.race.commands import Command
from heat_core.race.presets import STANDARD
from heat_core.race.setup import Modules
from heat_core.race.state import new_race
from heat_core.record.playback import Playback
from heat_core.record.record import BadRecord, Record, encode_record
from heat_core.rng import Stream
from heat_core.simulation import make_table, play_out
from heat_core.view.observation import Observation
from tests.core.properties_seen import swapped
from tests.core.support import RandomPlay, setup_of, track_facts, without_seed

BLUNDER_ROUND = 3


def blundering(observation: Observation, stream: Stream) -> Command:
    """Drive as the hard bot does, but for one round, in which the worst cards of all are played."""
    if observation.view.round == BLUNDER_ROUND and isinstance(observation.own.choice, CardsChoice):
        table = TABLES.get(own_table_key(observation))
        return Weighing(observation, table, stream, 1).choices()[-1].command
    return BOTS["hard"](observation, stream)


@pytest.fixture(scope="module")
def record() -> Record:
    drivers = ["blundering", "hard", "random", "legend:easy"]
    table = make_table(
        track_facts("usa"), 1, drivers, STANDARD, "analysed", policies={"blundering": blundering}
    )
    play_out(table, {0: blundering})
    return Record(table.setup, tuple(table.log))


@pytest.fixture(scope="module")
def analysis(record: Record) -> Analysis:
    return analyse(record)


def seat_of(analysis: Analysis, seat: int) -> SeatAnalysis:
    return next(each for each in analysis.seats if each.seat == seat)


@pytest.mark.spec("BOT-6")
def test_a_planted_blunder_is_the_largest_mistake_and_leads_to_its_moment(
    record: Record, analysis: Analysis
) -> None:
    worst = seat_of(analysis, 0).mistakes[0]
    assert (worst.round, worst.kind) == (BLUNDER_ROUND, "cards")
    chosen = record.events[worst.event - 1]
    assert isinstance(chosen, e.ChoiceMade)
    assert (chosen.seat, chosen.command) == (0, worst.taken)
    assert worst.lost > 2 * sum(choice.lost for choice in analysis.choices if choice.seat == 1)
    assert worst.best != worst.taken
    assert worst.best_words.startswith("play ")
    playback = Playback(record)
    view = playback.view(playback.place_of_event(worst.event - 1), 0)
    assert view.round == BLUNDER_ROUND
    assert view.turn is None or view.turn.speed is None, "nobody's cards have turned up"
    blunderer, hard, random = analysis.seats
    assert hard.accuracy > blunderer.accuracy > random.accuracy


@pytest.mark.spec("BOT-6")
def test_what_a_seat_could_not_know_changes_nothing_of_what_its_choices_cost() -> None:
    everything = Modules("mixed", expansion=True, weather=True, sponsorships=True)
    setup = replace(setup_of("italy", seats=3, legends=1, seed="judged"), modules=everything)
    game = RandomPlay(setup, "judged")
    for _ in range(60):
        game.step()
    race, judged = new_race(setup), 0
    for number, event in enumerate(game.events):
        if isinstance(event, e.ChoiceMade) and event.seat == 0:
            other = swapped(race, 0, Stream(f"{number}"), {})
            for seat in other.seats():
                decision, known = other.open.get(seat), race.open.get(seat)
                if seat != 0 and decision is not None and known is not None:
                    decision.chosen = known.chosen
            choices = []
            for each in (race.copy(), other):
                judge = RoundJudge(each)
                judge.before(event)
                choices.append(judge.close().choices)
            assert choices[0] == choices[1]
            judged += len(choices[0])
        apply(race, event)
    assert judged > 10


@pytest.mark.spec("BOT-6")
def test_losses_luck_and_chances_add_up(record: Record, analysis: Analysis) -> None:
    assert [each.seat for each in analysis.seats] == [0, 1, 2], "a Legend has no choices"
    for seat in analysis.seats:
        own = [choice.lost for choice in analysis.choices if choice.seat == seat.seat]
        assert seat.lost == pytest.approx(sum(own))
        assert all(lost == 0 or lost >= LEAST_LOSS for lost in own)
        assert seat.luck == pytest.approx(
            sum(each.spaces for each in analysis.luck if each.seat == seat.seat)
        )
        assert seat.luck == pytest.approx(seat.luck_of_draws + seat.luck_of_flips + seat.luck_of_legends)
        assert seat.accuracy == accuracy_of(seat.lost, seat.turns)
        assert len(seat.mistakes) <= MOST_MISTAKES
        assert [each.lost for each in seat.mistakes] == sorted([each.lost for each in seat.mistakes])[::-1]
    assert {each.kind for each in analysis.luck} == {"draw", "flip", "legend_card"}
    ended = record.events[-1]
    assert isinstance(ended, e.RaceEnded)
    assert [each.round for each in analysis.rounds] == list(range(len(analysis.rounds)))
    assert all(sum(each.chances) == pytest.approx(1) for each in analysis.rounds)
    assert analysis.rounds[-1].chances.index(1.0) == ended.standings[0].car
    assert accuracy_of(0.0, 10) == 100


def test_a_race_can_be_analysed_in_parts_in_any_order(record: Record, analysis: Analysis) -> None:
    data = encode_record(record.setup, record.events, "any")
    parts = [analyse_part(data, part) for part in reversed(range(parts_of(record)))]
    assert sum_up(record, parts) == analysis


def test_a_secret_choice_that_is_changed_counts_as_it_was_last() -> None:
    setup = setup_of("usa", seats=2, seed="changed")
    game = RandomPlay(setup, "changed")
    first, second = (msgspec.convert({"type": "ShiftGear", "gear": gear}, Command) for gear in (2, 1))
    for command in (first, second):
        game.events += step(game.race, 0, command)
    while game.race.round == 1:
        game.step()
    judged = analyse(Record(setup, tuple(game.events)))
    gears = [each for each in judged.choices if each.seat == 0 and each.round == 1 and each.kind == "gear"]
    assert [each.taken for each in gears] == [second]


def test_luck_is_nothing_on_average() -> None:
    """Draws and flips are weighed against what was to be expected: over some races they even out."""
    luck = []
    for seed in range(4):
        table = make_table(track_facts("usa"), 1, ["steady", "normal", "steady"], STANDARD, f"luck {seed}")
        play_out(table)
        luck += [seat.luck / seat.turns for seat in analyse(Record(table.setup, tuple(table.log))).seats]
    assert abs(sum(luck) / len(luck)) < 0.6


# --- the command ------------------------------------------------------------------------------------------


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["analyse", *map(str, words)])


@pytest.fixture(scope="module")
def path(record: Record, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("analysed") / "race.jsonl"
    write_record(path, record.setup, record.events)
    return path


def test_the_command_tells_figures_mistakes_and_chances(path: Path, analysis: Analysis) -> None:
    told = run(path, "--jobs", 1)
    assert told.exit_code == 0
    assert f"accuracy {seat_of(analysis, 0).accuracy:.0f}; " in told.stdout
    assert f"round {BLUNDER_ROUND}, event {seat_of(analysis, 0).mistakes[0].event}: play " in told.stdout
    assert "Chances of winning at the end of each round" in told.stdout


def test_the_json_is_the_whole_analysis_with_the_fields_of_the_documentation(
    path: Path, analysis: Analysis
) -> None:
    told = run(path, "--json", "--jobs", 1)
    assert msgspec.json.decode(told.stdout, type=Analysis) == analysis
    document = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text()
    for struct in (Analysis, SeatAnalysis, RoundChances, JudgedChoice, Luck):
        assert not [name for name in struct.__struct_fields__ if f"`{name}`" not in document]
    assert set(json.loads(told.stdout)) == set(Analysis.__struct_fields__)


def test_one_seat_alone(path: Path, analysis: Analysis) -> None:
    told = msgspec.json.decode(run(path, "--json", "--seat", 2, "--jobs", 1).stdout, type=Analysis)
    assert told.seats == (seat_of(analysis, 1),)
    assert told.rounds == analysis.rounds
    assert {each.seat for each in told.choices} == {each.seat for each in told.luck} == {1}
    assert "is a Legend" in run(path, "--seat", 4).output
    assert "4 cars, not 5" in run(path, "--seat", 5).output


@pytest.mark.spec("BOT-6")
def test_a_record_without_its_seed_is_not_analysed(record: Record, tmp_path: Path) -> None:
    """So nothing hidden is told while a championship runs: its records have no seed until it is over."""
    secret = without_seed(record.setup, record.events)
    with pytest.raises(BadRecord, match="no seed"):
        analyse(secret)
    path = tmp_path / "secret.jsonl"
    write_record(path, secret.setup, secret.events)
    told = run(path)
    assert told.exit_code == 1
    assert "no seed" in told.output
