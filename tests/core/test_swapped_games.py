"""Two games that differ in hidden cards alone look the same, byte for byte, to whoever may not see them.

`test_secrets` swaps cards in the middle of a race; here whole histories are told side by side, as masked
events and views, from the set-up on.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from heat_core import commands as c
from heat_core.engine import start_race, step
from heat_core.events import Event
from heat_core.positions import make_position
from heat_core.presets import PRESETS, PresetName
from heat_core.race import Race
from heat_core.replay import encode_record
from heat_core.setup import RaceSetup
from heat_core.table import Table
from heat_core.view import public_setup, view_event, view_race
from tests.core.support import RandomPlay, setup_of, track_facts

Said = tuple[int, c.Command]

ANA = "lap 1 space 30 gear 2 engine 4 hand 4 3 2 1 stress heat draw 1 1 2 discard 3"


def seen_bytes(setup: RaceSetup, race: Race, events: Sequence[Event], onlooker: int | None) -> bytes:
    """Everything that a seat or spectator is sent: set-up, events, view."""
    told = [view_event(event, onlooker) for event in events]
    return msgspec.json.encode((public_setup(setup), told, view_race(race, onlooker)))


def told_stepwise(setup: RaceSetup, said: Sequence[Said], onlooker: int | None) -> list[bytes]:
    race, events = start_race(setup)
    told = [seen_bytes(setup, race, events, onlooker)]
    for seat, command in said:
        events += step(race, seat, command)
        told.append(seen_bytes(setup, race, events, onlooker))
    return told


def game(ben: str, preset: PresetName = "standard", ana: str = ANA, seed: str = "") -> RaceSetup:
    cars = {"ana": ana, "ben": f"lap 1 space 20 {ben}", "robot": "lap 1 space 12 legend hard"}
    return make_position(track_facts("usa"), cars, rules=PRESETS[preset], seed=f"swap{seed}")


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize(
    ("ben", "other"),
    [
        ("gear 1 engine 4 hand 1 2 3 4 draw 4 4 2", "gear 1 engine 4 hand 4 4 2 4 draw 1 2 3"),
        (
            "gear 1 engine 4 hand 1 2 stress draw heat heat 4",
            "gear 1 engine 4 hand stress heat 4 draw heat 1 2",
        ),
        (
            "gear 2 engine 4 hand 1 2 3 heat draw start-5 4 4",
            "gear 2 engine 4 hand 4 heat 4 3 draw 1 start-5 2",
        ),
    ],
)
def test_another_hand_shows_nowhere_until_cards_turn_up(preset: PresetName, ben: str, other: str) -> None:
    """The first of phase 2 choose what the hands cannot tell: which of two gears, which cards."""
    for gear in (1, 2):
        said: list[Said] = [(0, c.ShiftGear(2)), (1, c.ShiftGear(gear)), (0, c.PlayCards(("4", "3")))]
        for onlooker in (0, None):
            first = told_stepwise(game(ben, preset), said, onlooker)
            assert first == told_stepwise(game(other, preset), said, onlooker)
        own = told_stepwise(game(ben, preset), said, 1)
        assert own != told_stepwise(game(other, preset), said, 1)


def test_another_secret_choice_shows_nowhere_until_all_turn_up() -> None:
    ben = "gear 2 engine 4 hand 1 2 3 4 draw 4 4 2"
    for onlooker in (0, None):
        told = {
            tuple(told_stepwise(game(ben), [(1, c.ShiftGear(gear)), (1, c.ShiftGear(last))], onlooker))
            for gear in (1, 2, 3, 4)
            for last in (1, 2, 3, 4)
        }
        assert len(told) == 1
        shifted: list[Said] = [(0, c.ShiftGear(1)), (1, c.ShiftGear(2))]
        cards = (("1", "2"), ("4", "3"), ("2", "4"))
        told = {
            tuple(told_stepwise(game(ben), [*shifted, (1, c.PlayCards(pair))], onlooker)) for pair in cards
        }
        assert len(told) == 1


def test_another_discard_shows_nowhere_until_all_have_chosen() -> None:
    """In phase 8 what goes away is seen by all, but not before the last seat has chosen."""
    ben = "gear 1 engine 4 hand 1 2 3 4 draw 4 4 2"
    start: list[Said] = [
        (0, c.ShiftGear(1)),
        (1, c.ShiftGear(1)),
        (0, c.PlayCards(("4",))),
        (1, c.PlayCards(("1",))),
        (0, c.EndReact()),
        (1, c.EndReact()),
    ]
    told = {
        onlooker: {
            tuple(told_stepwise(game(ben), [*start, (1, c.Discard(cards))], onlooker))
            for cards in ((), ("2",), ("2", "3"), ("2", "3", "4"))
        }
        for onlooker in (0, 1, None)
    }
    assert [len(told[onlooker]) for onlooker in (0, 1, None)] == [1, 4, 1]


@pytest.mark.parametrize("onlooker", [0, 1, None])
def test_the_order_of_piles_and_the_seed_show_nowhere(onlooker: int | None) -> None:
    """The owner too knows only which cards lie in the draw pile; the seed shuffles the Legend deck."""
    ben = "gear 1 engine 4 hand 1 2 3 draw 4 4 2"
    piles = ("draw 1 1 2", "draw 2 1 1", "draw 1 2 1")
    said: list[Said] = [(0, c.ShiftGear(2)), (1, c.ShiftGear(1)), (0, c.PlayCards(("4", "3")))]
    told = {
        tuple(told_stepwise(game(ben, ana=ANA.replace("draw 1 1 2", pile)), said, onlooker)) for pile in piles
    }
    assert len(told) == 1
    commitments = set()
    seeds = set()
    for number in range(4):
        setup = game(ben, seed=str(number))
        race, events = start_race(setup)
        commitments.add(msgspec.json.encode(events[0]))
        assert b"swap" not in seen_bytes(setup, race, events, onlooker)
        seeds.add(msgspec.json.encode((events[1:], race.legend_deck)))
        seeds.add(seen_bytes(setup, race, events[1:], onlooker))
    assert len(commitments) == 4
    assert len(seeds) == 4 + 1


def test_no_hidden_card_order_is_sent_in_a_whole_race() -> None:
    """Search every byte told to each onlooker for what only the table knows."""
    setup = setup_of("gb", seats=3, legends=2, laps=1, seed="do-not-tell-this-seed")
    play = RandomPlay(setup, "search")
    sent: dict[int | None, list[bytes]] = {0: [], 1: [], 2: [], None: []}
    number = 0
    while not play.race.standings:
        for onlooker, told in sent.items():
            told.append(seen_bytes(setup, play.race, play.events[number:], onlooker))
        number = len(play.events)
        play.step()
    for onlooker, told in sent.items():
        text = b"".join(told)
        assert b"do-not-tell" not in text
        assert b"legend_deck" not in text
        public = text.count(b'"type":"GridDrawn","order":[') + text.count(
            b'"type":"TurnOrderFixed","order":['
        )
        assert text.count(b'"order":[') == public
        # Only each view of one's own has a draw pile, sorted: see `test_the_order_of_piles`.
        assert text.count(b'"draw_pile":[') == (0 if onlooker is None else len(told))
    # After the race all may check the shuffles.
    assert b"do-not-tell" in seen_bytes(setup, play.race, play.events[number:], None)


def test_public_set_ups_tell_neither_seed_nor_position() -> None:
    setup = game("gear 1 engine 4 hand start-0 draw start-5 4")
    told = public_setup(setup)
    assert told.seed is None
    assert told.position is None
    assert b"start-" not in encode_record(told, (), "0")
    assert msgspec.structs.replace(told, seed=setup.seed, position=setup.position) == setup
    table = Table(setup, {0: "human", 1: "human"})
    assert table.sight(0).setup == told
