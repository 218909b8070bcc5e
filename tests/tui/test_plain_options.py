"""A room's settings as words: every one can be changed, and what cannot be is one sentence."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from heat_core.bots import BOTS
from heat_core.options.option import BadOption
from heat_core.options.option_table import (
    BOT,
    LOCAL_RACE_OPTIONS,
    LOCAL_SEASON_OPTIONS,
    ROOM_OPTIONS,
    options_for,
)
from heat_core.options.table_options import USUAL_BOT, Chosen, LocalOptions, change
from heat_core.wire import messages as m
from heat_tui.plain.options import options_explained, read_change, room_told

TRACKS = {"usa": "USA", "gb": "Great Britain", "italy": "Italy"}
SEASON = m.SeasonOptions(tracks=("usa", "gb", "italy"))


def change_options(options: Chosen, typed: str, tracks: dict[str, str]) -> Chosen:
    return change(options, *read_change(options, typed, tracks))


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
        ("away easy", {"away_driver": "easy"}),
        ("away normal", {"away_driver": "normal"}),
        ("away usual", {}),
        ("advice on", {"advice": True}),
        ("advice off", {}),
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
        ("", "The options are track, laps"),
        ("colour red", "The options are track, laps"),
        ("track moon", "track can be USA, Great Britain or Italy."),
        ("laps 9", "laps can be usual, 1, 2, 3 or 4."),
        ("laps many", "laps can be usual, 1"),
        ("places 99", "places can be 2, 3, 4, 5 or 6."),
        ("places 1", "places can be 2, 3, 4, 5 or 6."),
        ("legends 6", "legends can be 0, 1, 2, 3, 4 or 5."),
        ("level insane", "level can be easy, medium or hard."),
        ("rules mine", "rules can be standard or rulebook."),
        ("rule hand_size=5", "The setting hand_size can be 6, 7 or 8."),
        ("rule hat=5", "There is no such setting"),
        ("rule hat", "Write a setting as name=value"),
        ("rule", "The rule settings are boost_gears, "),
        ("garage old", "garage can be none, basic"),
        ("weather wet", "weather can be off or on."),
        ("time -3", "A time is a whole number of seconds, or usual."),
        ("grace 90000", "A time is 1 to 86400 seconds, or usual."),
        ("season", "season can be none, 1961"),
        ("events on", "events apply to championships. Set season first."),
    ],
)
def test_what_cannot_be_is_one_sentence(typed: str, refusal: str) -> None:
    with pytest.raises(BadOption) as error:
        change_options(m.RoomOptions(), typed, TRACKS)
    assert str(error.value).startswith(refusal)


def test_every_bot_has_a_label_and_can_be_chosen() -> None:
    assert [value.word for value in BOT.values] == list(BOTS)
    for bot in BOTS:
        changed = change_options(
            LocalOptions(names=("Ana",), bots=("random", "steady")), f"bot {bot}", TRACKS
        )
        assert changed.bots == (bot, bot), "those that are there, too"
        assert change_options(changed, "bots 3", TRACKS).bots == (bot,) * 3


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ("name Zoe", {"names": ("Zoe",)}),
        ("names Ana, Ben", {"names": ("Ana", "Ben")}),
        ("colour Grey", {"colour": "grey"}),
        ("legends 0", {"legends": 0}),
        ("legends usual", {}),
        ("bots 5", {"bots": (USUAL_BOT,) * 5}),
        ("bots random", {"bots": ("random",)}),
        ("bots 2 Random, steady,2", {"bots": ("random", "random", "steady", *(USUAL_BOT,) * 2)}),
        ("bots 0", {}),
        ("seed Some Text", {"seed": "Some Text"}),
        ("seed none", {}),
    ],
)
def test_what_only_a_race_here_has_is_changed(typed: str, changes: dict[str, object]) -> None:
    chosen = LocalOptions(names=("Me",))
    assert change_options(chosen, typed, TRACKS) == replace(chosen, **changes)


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("legends 4", "legends can be usual, 0, 1, 2 or 3."),
        ("bots 6", "bots can be 0, 1, 2, 3, 4, 5 or levels such as 2 easy, hard."),
        ("bots 3 steady, 3 random", "bots can be 0, 1, 2, 3, 4, 5 or levels such as"),
        ("bots 8", "There can be at most 7 bots."),
        ("bots dog", "bots can be a number, or levels such as"),
        ("bots ,", "bots can be a number, or levels such as"),
        ("bots 12", "bots can be a number, or levels such as"),
        ("names ,", "Type at least one name"),
        ("season none", "season can be 1961, "),
        ("places 4", "The options are season, events"),
    ],
)
def test_what_does_not_fit_beside_people_and_bots_is_one_sentence(typed: str, refusal: str) -> None:
    chosen = LocalOptions(names=("Ana",), bots=("steady",) * 2, season=m.SeasonOptions(year=1961))
    with pytest.raises(BadOption) as error:
        change_options(chosen, typed, TRACKS)
    assert str(error.value).startswith(refusal)


def test_every_option_is_explained_with_what_can_be_typed_for_it() -> None:
    for options, known in (
        (m.RoomOptions(), ROOM_OPTIONS),
        (LocalOptions(), LOCAL_RACE_OPTIONS),
        (LocalOptions(season=SEASON), LOCAL_SEASON_OPTIONS),
    ):
        assert options_for(options) == known
        told = options_explained(options, TRACKS)
        assert [line.split(":")[0] for line in told] == [f"set {option.word}" for option in known]
    assert "set laps: number of laps in each race, if not the track's own. Type usual, 1, 2, 3 or 4." in told


@pytest.mark.parametrize(
    "typed",
    [
        "track gb",
        "places 4",
        "legends 2",
        "rules rulebook",
        "rule hand_size=8",
        "garage basic",
        "weather on",
        "grace 60",
        "away easy",
        "advice on",
        "season 1961",
    ],
)
def test_whatever_is_set_in_a_room_is_told(typed: str) -> None:
    options = m.RoomOptions()
    room = m.LobbyView("KXFRM", "lobby", 0, 0, options, 2, 60_000, (), "")
    changed = replace(room, options=change_options(options, typed, TRACKS))
    assert room_told(changed, TRACKS) != room_told(room, TRACKS)
