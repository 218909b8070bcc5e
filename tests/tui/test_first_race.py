"""Which race a lobby shows."""

from __future__ import annotations

from msgspec.structs import replace

from heat_core.files import load_track
from heat_core.options.table_options import RoomOptions, SeasonOptions
from heat_tui.flow.first_race import FirstRace, first_race, first_track

KNOWN = {name: load_track(name) for name in ("gb", "italy", "japan")}


def test_a_single_race_is_on_its_track_over_the_laps_that_are_chosen() -> None:
    options = RoomOptions(track="italy")
    assert first_race(options, KNOWN) == FirstRace(KNOWN["italy"], 3, "")
    assert first_race(replace(options, laps=1), KNOWN) == FirstRace(KNOWN["italy"], 1, "")
    assert first_race(replace(options, track="mine"), KNOWN) is None


def test_a_championship_begins_with_its_first_track_whoever_chose_it() -> None:
    chosen = RoomOptions(season=SeasonOptions(tracks=("japan", "gb", "italy")))
    assert first_race(chosen, KNOWN) == FirstRace(KNOWN["japan"], KNOWN["japan"].laps, "Race 1: ")
    printed = RoomOptions(season=SeasonOptions(year=1961))
    assert first_track(printed) == ("gb", "grandstand")
    race = first_race(printed, KNOWN)
    assert race is not None
    assert race.heading == "Race 1: "
    assert first_track(RoomOptions(track="italy", season=SeasonOptions(year=1999))) == ("italy", None)
