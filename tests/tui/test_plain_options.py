"""A room's settings as words: every one can be changed, and what cannot be is one sentence."""

from __future__ import annotations

import pytest

from heat_core.bots import BOTS
from heat_core.wire import messages as m
from heat_tui.labels import BOT_LABELS
from heat_tui.plain.choosing import Chosen, change
from heat_tui.plain.options import BadOption, change_options

TRACKS = {"usa": "USA", "gb": "Great Britain", "italy": "Italy"}
SEASON = m.SeasonOptions(tracks=("usa", "gb", "italy"))


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ("track italy", {"track": "italy"}),
        ("track Great Britain", {"track": "gb"}),
        ("laps 3", {"laps": 3}),
        ("laps usual", {"laps": None}),
        ("places 4", {"cars": 4}),
        ("legends 2", {"legends": 2}),
        ("level hard", {"level": "hard"}),
        ("rules rulebook", {"rules": "rulebook"}),
        ("rule hand_size=8", {"settings": {"hand_size": "8"}}),
        ("rule hand_size 8", {"settings": {"hand_size": "8"}}),
        ("rule hand_size=7", {"settings": {}}),
        ("garage mixed expansion", {"garage": "mixed", "expansion": True}),
        ("garage basic", {"garage": "basic"}),
        ("WEATHER ON", {"weather": True}),
        ("time 90", {"turn_milliseconds": 90_000}),
        ("time usual", {}),
        ("grace 20", {"grace_milliseconds": 20_000}),
        ("away steady", {"away_driver": "steady"}),
        ("season usa, gb italy", {"season": SEASON}),
        ("season 1961", {"season": m.SeasonOptions(year=1961)}),
        ("season none", {}),
    ],
)
def test_settings_are_changed(typed: str, changes: dict[str, object]) -> None:
    assert change_options(m.RoomOptions(), typed, TRACKS) == m.RoomOptions(**changes)  # type: ignore[arg-type]  # by name


def test_settings_of_a_championship_are_changed() -> None:
    options = m.RoomOptions(season=SEASON)
    for typed, field in (("events on", "events"), ("sponsorships on", "sponsorships")):
        changed = change_options(options, typed, TRACKS)
        assert changed.season is not None
        assert getattr(changed.season, field)


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("", "The settings are track, laps"),
        ("colour red", "The settings are track, laps"),
        ("track moon", "The tracks are usa, gb, italy."),
        ("laps 9", "laps cannot be '9'."),
        ("laps many", "laps, if not usual, is a number."),
        ("places 99", "places are 6 at most, as the other settings are."),
        ("places 1", "places cannot be '1'."),
        ("legends 6", "legends are 5 at most"),
        ("level insane", "level can be easy, medium or hard."),
        ("rules mine", "rules can be standard or rulebook."),
        ("rule hand_size=5", "The setting hand_size can be 6 or 7 or 8."),
        ("rule hat=5", "There is no such setting"),
        ("rule hat", "A setting is written name=value"),
        ("garage old", "garage can be none, basic"),
        ("weather wet", "weather can be on or off."),
        ("time -3", "time, if not usual, is a number."),
        ("season", "season can be none, 1961"),
        ("events on", "events are for championships: set season first."),
    ],
)
def test_what_cannot_be_is_one_sentence(typed: str, refusal: str) -> None:
    with pytest.raises(BadOption) as error:
        change_options(m.RoomOptions(), typed, TRACKS)
    assert str(error.value).startswith(refusal)


def test_every_bot_has_a_label_and_can_be_chosen() -> None:
    assert tuple(BOT_LABELS) == tuple(BOTS)
    for bot in BOTS:
        assert change(Chosen(names=("Ana",)), f"bot {bot}", TRACKS).bot == bot
