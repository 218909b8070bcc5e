"""The position that one seat knows: true to all that it sees, and blind to all that it does not (APP-13)."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from heat_core.decisions import CardsChoice, GearChoice
from heat_core.engine import start_race
from heat_core.positions.file import PositionFile, encode_position, parse_position
from heat_core.positions.position import BadPosition
from heat_core.positions.seen import NoPosition, hidden_cards, is_beginning, seen_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race
from heat_core.rng import Stream
from heat_core.table import Table
from heat_core.track_facts import TrackFacts
from heat_core.view.race_view import RaceView
from heat_core.view.secrecy import public_setup, view_event, view_race
from tests.core.properties_seen import swapped
from tests.core.random_setups import random_module_setup, random_setup, random_setup_from_the_grid
from tests.core.support import RandomPlay, all_cards, position, setup_of

RACES = [*range(10), *(pytest.param(number, marks=pytest.mark.soak) for number in range(10, 300))]
LOOKED_AT_ONE_IN = 3
MOST_ROUNDS = 60


def setups(number: int) -> RaceSetup:
    stream = Stream(f"seen position {number}")
    return random_module_setup(stream) if number % 2 else random_setup(stream)


def read_back(file: PositionFile, track: TrackFacts) -> PositionFile:
    return parse_position(encode_position(file).encode(), lambda name: track)


def begun(file: PositionFile, seed: str = "dealt anew") -> Race:
    race, _ = start_race(replace(file.setup, seed=seed))
    return race


def told(view: RaceView) -> RaceView:
    """Leave out of a view how the race came there, and what has been chosen so far."""
    decisions = tuple(replace(decision, has_chosen=False) for decision in view.decisions)
    own = view.own
    if own is not None:
        own = replace(own, decision=None, choice=None, chosen=None, is_asked=False)
    return replace(view, event_number=0, decisions=decisions, own=own)


@pytest.mark.spec("APP-13")
@pytest.mark.parametrize("number", RACES)
def test_what_a_seat_writes_down_reads_back_agrees_with_its_view_and_tells_no_secret(number: int) -> None:
    """At random moments of random races, for random seats and spectators."""
    setup = setups(number)
    play, stream = RandomPlay(setup, f"play {number}"), Stream(f"look {number}")
    public, written = public_setup(setup), 0
    beginnings: dict[int | None, tuple[Race, int]] = {}
    while play.race.end is None and play.race.round < MOST_ROUNDS:
        race = play.race
        if is_beginning(view_race(race, None)):
            beginnings = {seat: (race.copy(), len(play.events)) for seat in (None, *race.seats())}
        if beginnings and not stream.below(LOOKED_AT_ONE_IN):
            seat = stream.choose([*beginnings])
            before, events = beginnings[seat]
            since = [view_event(event, seat) for event in play.events[events:]]
            view = view_race(before, seat)
            file = seen_position(public, view, since, file_people(seat))
            again = read_back(file, setup.track)
            assert again == file
            assert told(view_race(begun(again), seat)) == told(view)
            # Nobody's secret: with every hidden card changed the same file is written.
            for _ in range(2):
                other = swapped(before, seat, stream, {})
                assert seen_position(public, view_race(other, seat), since, file_people(seat)) == file
            written += 1
        play.step()
    assert written or not beginnings


def file_people(seat: int | None) -> list[int]:
    return [] if seat is None else [seat]


@pytest.mark.parametrize("number", range(8))
def test_in_the_base_game_everybody_can_count_every_deck(number: int) -> None:
    """Without Sponsorships and events the guess about hidden cards is no guess."""
    setup = random_setup_from_the_grid(Stream(f"count {number}"), None)
    play = RandomPlay(setup, f"play {number}")
    while play.race.end is None and play.race.round < MOST_ROUNDS:
        race = play.race
        view = view_race(race, None)
        if is_beginning(view):
            for seat in race.seats():
                hidden = Counter(race.seat(seat).hand) + Counter(race.seat(seat).draw_pile)
                assert Counter(hidden_cards(play.setup, view, view.cars[seat])) == hidden
        play.step()


def test_cards_that_have_turned_up_since_lie_in_the_hands_again() -> None:
    table = Table(setup_of(seats=3), {0: "human", 1: "steady", 2: "steady"})
    while not isinstance(_choice(table), CardsChoice):
        if table.bot_due():
            table.step_bot()
        else:
            assert isinstance(_choice(table), GearChoice)
            table.submit(0, table.view(0).own.decision, c.ShiftGear(2))  # type: ignore[union-attr]  # it is a seat
    view, number = table.view(0), table.event_number
    assert view.own is not None
    playable = [card for card in view.own.hand if card in "1234"]
    table.submit(0, view.own.decision, c.PlayCards(tuple(playable[:2])))
    while table.view(0).phase < Phase.DISCARD:
        assert table.step_bot() or table.play_default(0)
    since = table.events_since(number, 0)
    file = seen_position(public_setup(table.setup), view, since, [0])
    assert file.setup.position is not None
    assert file.drivers == ("human", None, None)
    race = begun(file)
    revealed_by = {event.seat: event.cards for event in since if isinstance(event, e.CardsRevealed)}
    for seat in (1, 2):
        revealed = revealed_by[seat]
        assert file.setup.position.cars[seat].hand == revealed
        assert not Counter(revealed) - Counter(race.seat(seat).hand)
        assert len(race.seat(seat).hand) == 7
        assert all_cards(race, seat) == all_cards(begun(seen_position(table.setup, view)), seat)
    assert tuple(race.seat(0).hand) == view.own.hand


def _choice(table: Table) -> object:
    own = table.view(0).own
    return own.choice if own is not None else None


def test_where_cars_drive_and_where_all_is_over_there_is_no_position() -> None:
    race = position({"ana": "lap 1 space 30", "ben": "lap 1 space 20"}, laps=1)
    public = public_setup(race.setup)
    view = view_race(race, 0)
    for phase in (0, 3, 5, 8, 10):
        with pytest.raises(NoPosition, match="phase 1 or 2"):
            seen_position(public, replace(view, phase=phase))
    gone = tuple(replace(car, status="gave_up") for car in view.cars)
    with pytest.raises(NoPosition, match="No seat is still racing"):
        seen_position(public, replace(view, cars=gone))


def test_words_say_what_is_dealt_out_of_a_shuffled_pile() -> None:
    race = position(
        {
            "ana": "lap 1 space 30 engine 4 hand 4 dealt 2 shuffled 1 1 2 heat stress",
            "ben": "lap 1 space 20 dealt 3",
            "eve": "lap 1 space 10 shuffled",
        }
    )
    ana, ben, eve = (race.seat(number) for number in range(3))
    assert len(ana.hand) == 3
    assert Counter([*ana.hand, *ana.draw_pile]) == Counter(["4", "1", "1", "2", "heat", "stress"])
    assert "4" in ana.hand
    assert len(ben.hand) == 3
    assert (eve.hand, eve.draw_pile) == ([], [])


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("hand 4 draw 1 2 shuffled 3", "the draw pile is either in order or shuffled, not both"),
        ("hand 4 dealt 3 shuffled 1 2", "3 cards to be dealt, but the draw pile has 2"),
        ("dealt 80", "a hand of 80 cards; it has at most 40"),
        ("shuffled 1 1 1 1", "4 of the card '1', the deck has 3"),
        ("engine 6 shuffled heat heat", "8 Heat in engine and piles, there are 7"),
        ("legend easy dealt 2", "dealt: a Legend has none"),
        ("legend easy shuffled 2", "shuffled: a Legend has none"),
    ],
)
def test_what_cannot_be_dealt_is_told(words: str, fault: str) -> None:
    with pytest.raises(BadPosition) as refused:
        position({"ana": f"lap 1 space 30 {words}", "ben": "lap 1 space 20"})
    assert f"ana: {fault}" in refused.value.faults
