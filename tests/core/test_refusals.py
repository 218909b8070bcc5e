"""Refusals: whatever is said out of place, the race is byte for byte as before, and a sentence says why."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from heat_core import commands as c
from heat_core.cards import CATALOGUE, HEAT, STRESS, CardName
from heat_core.choices import choice_of, enumerate_commands, may_give_up, sample_command
from heat_core.engine import abandon, decide, start_race, step
from heat_core.events import SECRET_KINDS, CardsDrawn, Event
from heat_core.files import track_names
from heat_core.folding import apply
from heat_core.presets import PRESETS, PresetName
from heat_core.race import Phase, Race, dump_race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.view import public_setup, view_event, view_race
from tests.core.support import RandomPlay, position, setup_of

NUMBERS = (-(10**18), -2, -1, 0, 1, 2, 3, 4, 5, 7, 99, 10**18)
BOARDS_BY_PRESET: list[tuple[str, PresetName]] = [
    ("usa", "standard"),
    ("italy", "rulebook"),
    ("spain", "standard"),
    ("japan", "rulebook"),
]


def normal(command: c.Command) -> c.Command:
    """Put the cards of a command, a multiset, into one order."""
    match command:
        case c.PlayCards(cards):
            return c.PlayCards(tuple(sorted(cards)))
        case c.Discard(cards, refresh):
            return c.Discard(tuple(sorted(cards)), refresh)
        case _:
            return command


def near_misses(race: Race, seat: int, stream: Stream) -> Iterator[c.Command]:
    """Think up commands of all kinds around what could be right; some are."""
    for number in NUMBERS:
        yield c.ShiftGear(number)
        yield c.Slipstream(number)
        for amount in (-1, 0, 1, 2, 3, 4, 99):
            yield c.UseSymbol(number, amount)
    yield c.UseSymbol(0, 1, (HEAT,))
    yield c.EndReact()
    hand = race.seat(seat).hand
    for cards in hands_like(hand, race.seat(seat).gear, stream):
        yield c.PlayCards(cards)
        yield c.Discard(cards)
        yield c.Discard(cards, cards[:1] or ("1",))


def hands_like(hand: list[CardName], gear: int, stream: Stream) -> Iterator[tuple[CardName, ...]]:
    """Think up cards to name: from the hand, too many and too few, Heat, Stress, not held, unknown."""
    yield ()
    yield tuple(hand)
    yield (HEAT,) * gear
    yield (STRESS,) * gear
    yield ("1",) * gear
    yield ("no-such-card",) * gear
    yield ("",)
    for count in range(len(hand) + 1):
        some = tuple(stream.sample(hand, count))
        yield some
        yield (*some, HEAT)
        yield (*some, stream.choose(list(CATALOGUE)))
        yield some + some
    for _ in range(5):
        yield tuple(stream.choose(list(CATALOGUE)) for _ in range(gear))


def refusal_of(race: Race, seat: int, command: c.Command) -> Refused | None:
    """Try a command on the race itself: None if it was taken."""
    try:
        step(race, seat, command)
    except Refused as refused:
        return refused
    return None


def check_open_decision(race: Race, seat: int, stream: Stream) -> None:
    listed = list(enumerate_commands(choice_of(race, seat)))
    assert listed
    assert len(set(listed)) == len(listed), "a command is listed twice"
    legal = {normal(command) for command in listed}
    assert legal.issuperset(normal(sample_command(choice_of(race, seat), stream)) for _ in range(5))
    for command in listed if len(listed) < 12 else stream.sample(listed, 12):
        after, events = decide(race, seat, command)
        assert events[0].command == command  # type: ignore[union-attr]  # because the choice comes first
        assert after.event_number == race.event_number + len(events)
    before = dump_race(race)
    for command in near_misses(race, seat, stream):
        trial = race.copy()
        refused = refusal_of(trial, seat, command)
        assert (refused is None) == (normal(command) in legal), command
        if refused is not None:
            assert dump_race(trial) == before
            check_refusal(refused)
    refused = refusal_of(race.copy(), seat, c.GiveUp())
    assert (refused is None) == may_give_up(race, seat)
    assert dump_race(race) == before


def check_refusal(refused: Refused) -> None:
    assert isinstance(refused.code, RefusalCode)
    assert refused.text.endswith(".")
    assert refused.text[0].isupper()
    assert str(refused) == refused.text
    assert "\n" not in refused.text


@pytest.mark.spec("CORE-13")
@pytest.mark.parametrize(("board", "preset"), BOARDS_BY_PRESET)
def test_exactly_the_listed_commands_are_accepted(board: str, preset: PresetName) -> None:
    stream = Stream(f"choices/{board}")
    for number in range(2):
        game = RandomPlay(
            setup_of(
                board, seats=2 + number, legends=1, laps=1, seed=f"{board}/{number}", rules=PRESETS[preset]
            ),
            f"choices/{number}",
        )
        while game.race.phase is not Phase.ENDED:
            if stream.below(4) == 0:
                for seat in game.race.open:
                    check_open_decision(game.race, seat, stream)
            game.step()
    check_secret_choices_may_be_changed(board, preset)


def check_secret_choices_may_be_changed(board: str, preset: PresetName) -> None:
    """Every secret choice may be changed for another listed one until the last seat has chosen."""
    stream = Stream(f"changes/{board}")
    game = RandomPlay(setup_of(board, seats=3, laps=1, seed="changes", rules=PRESETS[preset]), "changes")
    changed = set()
    while game.race.phase is not Phase.ENDED:
        race = game.race
        for seat, decision in race.open.items():
            if decision.chosen is None:
                continue
            first = decision.id
            command = sample_command(choice_of(race, seat), stream)
            game.events += step(race, seat, command)
            assert race.open[seat].chosen == c.normalised(command)
            assert race.open[seat].id > first
            changed.add(decision.kind)
        game.step()
    game.check_record()
    expected = SECRET_KINDS - (set() if preset == "standard" else {"discard"})
    assert changed == expected


@pytest.mark.spec("CORE-11")
@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_refused_command_changes_nothing_and_step_decide_apply_agree(preset: PresetName) -> None:
    setup = setup_of("france", seats=3, legends=1, laps=1, seed="refused", rules=PRESETS[preset])
    game = RandomPlay(setup, "refused")
    stream = Stream("strangers")
    while game.race.phase is not Phase.ENDED:
        race = game.race
        before = dump_race(race)
        bystanders = [seat for seat in (*race.seats(), 3, 4, 99, -1, -4) if seat not in race.open]
        for seat in bystanders:
            for command in (
                c.ShiftGear(1),
                c.PlayCards(("1",)),
                c.EndReact(),
                c.Slipstream(0),
                c.Discard(()),
            ):
                with pytest.raises(Refused) as caught:
                    decide(race, seat, command)
                check_refusal(caught.value)
                with pytest.raises(Refused):
                    step(race, seat, command)
        for seat in (3, 4, 99, -1, -4):
            assert (refused := refusal_of(race, seat, c.GiveUp())) is not None
            assert refused.code is RefusalCode.NOT_A_SEAT
        assert dump_race(race) == before
        seat = stream.choose([seat for seat, decision in race.open.items() if decision.chosen is None])
        after, events = decide(race, seat, sample_command(choice_of(race, seat), stream))
        assert dump_race(race) == before
        check_apply_and_view(race, after, events)
        game.step()
    for seat in range(-1, 5):
        for late in (c.GiveUp(), c.ShiftGear(1), c.EndReact()):
            assert (refused := refusal_of(game.race, seat, late)) is not None
            assert refused.code is RefusalCode.RACE_ENDED


def check_apply_and_view(race: Race, after: Race, events: list[Event]) -> None:
    """Prove that the events lead on without a seed to draw from, and that views mask state and events."""
    applied = race.copy()
    applied.setup = public_setup(race.setup)
    for event in events:
        apply(applied, event)
    applied.setup = race.setup
    assert dump_race(applied) == dump_race(after)
    for onlooker in (*race.seats(), None):
        own = view_race(after, onlooker).own
        assert (own is None) == (onlooker is None)
        assert own is None or list(own.hand) == after.seat(own.seat).hand
        for event in events:
            if isinstance(event, CardsDrawn):
                masked = view_event(event, onlooker)
                assert isinstance(masked, CardsDrawn)
                assert masked.cards == (event.cards if onlooker == event.seat else None)


@pytest.mark.parametrize(
    ("words", "command", "code", "sentence"),
    [
        ("gear 3", c.ShiftGear(5), RefusalCode.GEAR_OUT_OF_REACH, "There is no gear 5."),
        ("gear 1", c.ShiftGear(0), RefusalCode.GEAR_OUT_OF_REACH, "There is no gear 0."),
        ("gear 1", c.ShiftGear(4), RefusalCode.GEAR_OUT_OF_REACH, "more than two steps"),
        ("gear 1 engine 0", c.ShiftGear(3), RefusalCode.NOT_ENOUGH_HEAT, "the engine has 0"),
        ("gear 1", c.PlayCards(("1",)), RefusalCode.OTHER_DECISION, "gear"),
        ("gear 1", c.EndReact(), RefusalCode.OTHER_DECISION, "gear"),
    ],
)
def test_a_refused_gear_names_the_reason(
    words: str, command: c.Command, code: RefusalCode, sentence: str
) -> None:
    cars = {"ana": f"lap 1 space 30 hand 1 2 3 draw 4 4 {words}", "ben": "lap 1 space 40"}
    race = position(cars, phase="shift")
    refused = refusal_of(race, 0, command)
    assert refused is not None
    assert refused.code is code
    assert sentence in refused.text


@pytest.mark.parametrize(
    ("cards", "code", "sentence"),
    [
        (("heat", "1"), RefusalCode.CARD_NOT_PLAYABLE, "Heat"),
        (("1",), RefusalCode.WRONG_NUMBER_OF_CARDS, "Gear 2 takes 2 cards, not 1."),
        (("1", "2", "3"), RefusalCode.WRONG_NUMBER_OF_CARDS, "not 3"),
        (("1", "1"), RefusalCode.CARD_NOT_IN_HAND, "You named 2 of the card '1' and have 1."),
        (("1", "4"), RefusalCode.CARD_NOT_IN_HAND, "have 0"),
    ],
)
def test_refused_cards_name_the_reason(cards: tuple[str, ...], code: RefusalCode, sentence: str) -> None:
    race = position({"ana": "lap 1 space 30 gear 2 hand 1 2 3 stress heat draw 4 4", "ben": "lap 1 space 40"})
    refused = refusal_of(race, 0, c.PlayCards(cards))
    assert refused is not None
    assert refused.code is code
    assert sentence in refused.text


def test_every_board_lists_few_enough_commands_to_enumerate() -> None:
    for board in track_names():
        race, _ = start_race(setup_of(board, seats=6, seed=board))
        assert all(1 <= len(list(enumerate_commands(choice_of(race, seat)))) <= 4 for seat in race.open)


def test_an_abandoned_race_takes_no_command() -> None:
    race, _ = start_race(setup_of())
    abandon(race)
    refused = refusal_of(race, 0, c.ShiftGear(2))
    assert refused is not None
    assert refused.code is RefusalCode.RACE_ENDED
