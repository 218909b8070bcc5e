"""Events in plain sentences: everything that happens is told, in words of the game, masked or not."""

from __future__ import annotations

import re
from itertools import product
from typing import get_args

import pytest
from msgspec.structs import replace

from heat_core.files import track_names
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.events import Part
from heat_core.race.presets import PRESETS
from heat_core.race.setup import BASE_GAME, Modules
from heat_core.sentences.card_words import card_name, cards_text
from heat_core.sentences.events import gear_name, parts_text, sentence
from heat_core.text import ordinal
from heat_core.view.secrecy import view_event
from tests.core.support import RandomPlay, setup_of, track

NAMES = ("Ana", "[/b]", "{0} %s", "鈴鹿")
UNTOLD = {
    "PositionPlaced",
    "PilesMade",
    "LegendCardsShuffled",
    "PhaseEntered",
    "DecisionsOpened",
    "ChoiceMade",
    "ChoicesTurnedUp",
    "TurnOrderFixed",
    "TurnStarted",
    "SpeedSet",
    "SymbolsGained",
    "SymbolUsed",
    "LegendMoved",
    "CardsDrawn",
}


def tell(event: e.Event, on: str = "usa") -> str:
    text = sentence(event, NAMES, track(on))
    assert text is not None
    return text


BOX = Modules(garage="mixed", expansion=True, weather=True, sponsorships=True)
MIXES = (
    BASE_GAME,
    replace(BOX, event="grandstand"),
    replace(BOX, event="pressure-cooker", draft="one"),
    replace(BOX, event="sponsor-withdraws"),
)


def test_whole_races_are_told_in_sentences_that_hide_what_is_hidden() -> None:
    told: set[str] = set()
    for number, (board, modules) in enumerate(product(track_names(), MIXES)):
        for preset, rules in PRESETS.items():
            setup = setup_of(board, seats=3, legends=1, laps=1, seed=f"{board}/{preset}", rules=rules)
            game = RandomPlay(replace(setup, laps=2, modules=modules), f"{board}/{preset}")
            game.run()
            for event in game.events:
                text = sentence(event, NAMES, track(board))
                if text is None:
                    continue
                told.add(type(event).__name__)
                assert re.fullmatch(r"\S.*[^\s.]", text), text
                for word in ("None", "()", "start-", "heat_", "<", "stress", "racing"):
                    assert word not in text, text
                seat = getattr(event, "seat", getattr(event, "car", None))
                assert seat is None or NAMES[seat] in text
                # What is told to one is told to all: sentences never hold what is masked.
                for onlooker in (number % 3, None):
                    assert sentence(view_event(event, onlooker), NAMES, track(board)) == text
    kinds = {kind.__name__ for kind in get_args(e.Event)}
    assert told >= kinds - UNTOLD - {"FlipFailed"}
    assert not told & UNTOLD


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (e.RaceSetUp("0f3e"), "The seed of all shuffles is shown after the race; its hash is 0f3e"),
        (e.GearShifted(0, 1, 3), "Ana shifts to 3rd gear"),
        (e.GearShifted(0, 2, 2), "Ana stays in 2nd gear"),
        (e.CardsRevealed(0, ("4", "start-5", "stress")), "Ana plays 4, +5, Stress"),
        (e.CarMoved(0, "cards", 9, 99, 108, 0, ()), "Ana drives 30 → 39"),
        (e.CarMoved(0, "cards", 9, 99, 109, 0, ()), "Ana drives 30 → 40 (39 was full)"),
        (e.CarMoved(0, "boost", 1, 138, 139, 0, ()), "Ana boosts: 69 → 1"),
        (e.CarMoved(0, "adrenaline", 1, 99, 100, 0, ()), "Ana uses adrenaline: 30 → 31"),
        (e.CarMoved(0, "slipstream", 2, 99, 101, 0, ()), "Ana slipstreams 30 → 32"),
        (e.CarMoved(0, "cards", 0, 99, 99, 0, ()), "Ana stays on space 30"),
        (
            e.HeatPaid(0, 2, "shift", (Part("two steps", 1), Part("flooded", 1))),
            "Ana pays 2 Heat (two steps and flooded)",
        ),
        (e.HeatCooled(0, 3), "Ana cools 3 Heat"),
        (e.CardFlipped(0, "heat", "card", "stress", 0), "Ana flips Heat for Stress: not a Speed card"),
        (e.CardFlipped(0, "2", "boost", "gear", 2), "Ana flips 2 for the boost"),
        (e.FlipFailed(0, "boost", "gear"), "Ana has no Speed card left to flip for the boost"),
        (e.CornerChecked(0, 102, 1, 3, 3, (), 0, 0), "Ana takes corner 2, limit 3, at speed 3"),
        (
            e.CornerChecked(0, 102, 1, 9, 3, (), 6, 5),
            "Ana takes corner 2, limit 3, at speed 9: 9 − 3 = 6 Heat owed, 5 paid",
        ),
        (
            e.CornerChecked(
                0, 102, 1, 9, 3, (Part("printed limit", 3), Part("road token", -1), Part("adjust", 1)), 7, 7
            ),
            (
                "Ana takes corner 2, limit 3 − 1 road token + 1 adjust = 3, at speed 9: "
                "9 − 3 + 1 overheat = 7 Heat owed, 7 paid"
            ),
        ),
        (e.SpunOut(0, 102, 108, 102, 0, 2), "Ana spins out and goes back to 33: 2 Stress, 1st gear"),
        (
            e.HandCluttered(3, ("3", "stress", "heat"), ("3", "stress", "heat"), 3),
            (
                "鈴鹿's hand is cluttered (3, Stress, Heat) and cannot fill 3rd gear: "
                "the car does not move, now in 1st gear"
            ),
        ),
        (e.CardsDiscarded(0, ("4",), ("1", "start-0")), "Ana discards 1, +0"),
        (e.PileReshuffled(0, None, 12), "Ana reshuffles 12 cards"),
        (e.CarFinished(1), "[/b] crosses the finish line"),
        (e.CarLeft(2, 2), "{0} %s leaves the track in 2nd place"),
        (e.CarOut(0, "gave_up"), "Ana gives up"),
        (e.CarOut(0, "spun_out"), "Ana is out of the race after spinning out"),
        (
            e.UpgradesDealt(("brakes-2", "heat-basic"), (1, 0)),
            "The garage offers Brakes 1/3, Heat; order of picking: [/b], Ana",
        ),
        (e.UpgradePicked(0, "tyres-1"), "Ana picks Tyres 2 (limits -1, cool 3)"),
        (e.UpgradeSwapped(0, "rpm-1", "body-2"), "Ana swaps R.P.M. 1 (slip 2) for Body 5 (calm 1)"),
        (e.GarageClosed(), "The garage closes"),
        (e.WeatherDrawn("clouds"), "Weather: clouds; 1 Stress less, no cooldown in weather sectors"),
        (
            e.WeatherDrawn("rain"),
            "Weather: rain; 3 Heat start in the draw pile, cooldown +1 in weather sectors",
        ),
        (e.RoadsDrawn(("overheat", None, "limit-1")), "Road tokens: corner 1 overheat, corner 3 limit -1"),
        (
            e.SponsorshipGained(0, None, "press", 2),
            "Ana gains a Sponsorship card from the press at corner 3",
        ),
        (e.SponsorshipGained(0, "sponsor-4", "start", None), "Ana gains a Sponsorship card at the start"),
        (e.SponsorshipsSpent(0, ("sponsor-2",)), "Ana uses up Sponsor 4"),
        (e.CardPlayedDirectly(0, "gas-1", 3), "Ana plays Gas pedal 1 (direct, scrap 1) from the hand"),
        (e.CarMoved(0, "direct", 1, 99, 100, 0, ()), "Ana drives further 30 → 31"),
        (e.CarMoved(0, "unpaid", 1, 99, 100, 0, ()), "Ana drives again 30 → 31"),
        (e.StressReduced(0, 2), "Ana discards 2 Stress"),
        (e.HeatSuperCooled(0, 1), "Ana cools 1 Heat from the discard pile"),
        (e.CardScrapped(0, "stress"), "Ana scraps Stress"),
        (
            e.CardsSalvaged(0, ("4", "fuel-1"), None, 9),
            "Ana salvages 4, Fuel 2: shuffled into the draw pile",
        ),
        (
            e.CardsDropped(0, ("wings-3",), (1,)),
            "Ana cannot pay for Wings 6: a flip replaces each such card",
        ),
        (e.CardFlipped(0, "3", "unpaid", "turbo-2", 3), "Ana flips 3 for an unpaid card"),
        (e.CardsRefreshed(0, ("suspension-3",)), "Ana refreshes Suspension 4: back on top of the draw pile"),
        (e.LapCompleted(0, 1), "Ana completes lap 1"),
        (e.HeatLost(0, "discard_pile"), "Ana loses 1 Heat from the discard pile"),
        (e.HeatPaid(0, 2, "card", (Part("turbo-1", 2),)), "Ana pays 2 Heat (Turbocharger 7)"),
        (e.GridDrawn((1, 0)), "Starting grid, pole first: [/b], Ana"),
        (
            e.RaceEnded("gave_up", (e.Standing(1, 1, "gave_up"), e.Standing(0, 2, "gave_up")), None),
            "The race is over: everyone has given up: 1st [/b], 2nd Ana",
        ),
        (
            e.RaceEnded("spun_out", (e.Standing(1, 1, "spun_out"), e.Standing(0, 2, "spun_out")), None),
            "The race is over: everyone is out after spinning out: 1st [/b], 2nd Ana",
        ),
        (
            e.RaceEnded(
                "gave_up_or_spun_out", (e.Standing(1, 1, "gave_up"), e.Standing(0, 2, "spun_out")), None
            ),
            "The race is over: everyone has given up or is out: 1st [/b], 2nd Ana",
        ),
        (e.RaceEnded("abandoned", (e.Standing(0, 1, "racing"),), None), "The race was abandoned: 1st Ana"),
        (
            e.RaceEnded("finished", (e.Standing(0, 1, "finished"),), "17"),
            "The race is over: 1st Ana; the seed was 17",
        ),
        (
            e.RaceEnded("finished", (e.Standing(0, 1, "finished"),), "\x1b[2J"),
            r"The race is over: 1st Ana; the seed was '\x1b[2J'",
        ),
    ],
)
def test_an_event_is_told_so(event: e.Event, text: str) -> None:
    assert tell(event) == text


@pytest.mark.parametrize(
    ("command", "chosen"),
    [
        (None, ""),
        (c.ShiftGear(3), ": 3rd gear"),
        (c.PlayCards(("4", "stress")), ": 4, Stress"),
        (c.PlayCards(()), ": nothing"),
        (c.ChooseValue((3,)), ": speed 3"),
        (c.UseSymbol(0), ""),
        (c.EndReact(), ": use nothing more"),
        (c.Slipstream(0), ": no slipstream"),
        (c.Slipstream(2), ": slipstream 2 spaces"),
        (c.Discard(()), ": discard nothing"),
        (c.PickUpgrade("turbo-1"), ": Turbocharger 7"),
        (c.SwapUpgrade(None, None), ": no swap"),
    ],
)
def test_what_the_clock_chose_is_told(command: c.Command | None, chosen: str) -> None:
    assert (
        tell(e.ChoiceMade(0, 5, command, by_clock=True))
        == f"Time ran out for Ana, so the clock chose{chosen}"
    )


def test_what_nobody_would_tell_has_no_sentence() -> None:
    for event in (
        e.PhaseEntered(5),
        e.DecisionsOpened("gear", (0,)),
        e.ChoiceMade(0, 1, c.ShiftGear(2)),
        e.ChoiceMade(0, None, c.GiveUp()),
        e.CardsDiscarded(0, ("4",), ()),
        e.HeatPaid(0, 3, "corner", (Part("over the limit", 3),)),
        e.RoadsDrawn((None, None)),
    ):
        assert sentence(event, NAMES, track("usa")) is None


def test_words() -> None:
    assert [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th",
    ]  # fmt: skip
    assert [gear_name(gear) for gear in range(1, 5)] == ["1st", "2nd", "3rd", "4th"]
    assert [card_name(card) for card in ("1", "heat", "stress", "start-0")] == ["1", "Heat", "Stress", "+0"]
    assert cards_text(()) == "nothing"
    assert (
        parts_text((Part("gas-1", 2), Part("unpaid", 3), Part("accelerate", 4)))
        == "2 + flip 3 + accelerate 4"
    )
    assert (
        parts_text((Part("4", 4), Part("3", 3), Part("stress", 2), Part("boost", 1)))
        == "4 + 3 + Stress 2 + boost 1"
    )
