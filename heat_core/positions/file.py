"""Positions as short files that people write and read; docs/positions.md explains one line by line.

A position file is TOML: keys for the race, and a table of cars, each in the words of
`heat_core.positions.words`. Text becomes values here and back; `heat_core.files` reads the files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal

import msgspec

from heat_core.data.legends import LEGEND_CARDS
from heat_core.data.weather import WeatherName
from heat_core.drivers import DriverName
from heat_core.names import BadName, clean_name
from heat_core.options.settings import BadSetting, changes_of
from heat_core.options.table_options import RaceOptions, rules_of
from heat_core.positions.position import BadPosition, assemble
from heat_core.positions.roads import parse_roads, road_words
from heat_core.positions.words import CarWords, car_words, is_number, parse_car
from heat_core.race.position_setup import Position
from heat_core.race.presets import PRESETS
from heat_core.race.setup import COLOURS, Modules, RaceSetup, laps_without_event, strip_helmets
from heat_core.shapes import look_at, shown
from heat_core.toml_text import toml_fault
from heat_core.track import compile_track
from heat_core.track_facts import TrackFacts
from heat_core.track_files.file import BadTrack

MAX_POSITION_BYTES: Final = 16 * 1024
_MOST_FAULTS: Final = 50
_MOST_NAME: Final = 200
_OTHERS: Final = "others"

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


class PositionFile(msgspec.Struct, frozen=True):
    """What a position file says.

    Attributes:
        setup: Its seed is None where the file names none.
        drivers: By car: who decides; None for Legends, and where the file does not say.
    """

    setup: RaceSetup
    drivers: tuple[DriverName | None, ...]

    def all_drivers(self, *, has_player: bool) -> dict[int, DriverName]:
        """Give every seat a driver: as the file says, else the steady bot.

        Args:
            has_player: Whether somebody plays here: the seats said to be human, or where none is, the
                first that still races. False: bots drive those too.

        Raises:
            BadPosition: There should be a player, and no seat is left for one.
        """
        position = self.setup.position
        assert position is not None
        seats = [number for number, car in enumerate(self.setup.cars) if not car.legend]
        racing = [number for number in seats if not position.cars[number].has_left]
        drivers: dict[int, DriverName] = {number: self.drivers[number] or "steady" for number in seats}
        if not has_player:
            return {number: "steady" if who == "human" else who for number, who in drivers.items()}
        if any(drivers[number] == "human" for number in racing):
            return drivers
        free = [number for number in racing if self.drivers[number] is None]
        if not free:
            raise BadPosition(
                ["cars: bots drive every seat that is still racing; write `driver human` for your own"]
            )
        return drivers | {free[0]: "human"}


class _File(RaceOptions, frozen=True, kw_only=True):
    """The keys of a file; those beside the options are explained by `Position` and `make_setup`."""

    format: Literal[1]
    track: str
    cars: dict[str, Any]
    round: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 2
    phase: Literal["shift", "play"] = "shift"
    seed: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    legend_cards: str = _OTHERS
    sponsorships: bool = False
    event: str | None = None
    weather: WeatherName | None = None
    roads: str = ""
    spent: str = ""


_EMPTY: Final[dict[str, Any]] = {"format": 1, "track": "?", "cars": {}}
"""Stands in for the keys that must be there, where a file has them wrong."""


def parse_position(data: bytes, find_track: Callable[[str], TrackFacts]) -> PositionFile:
    """Read a position.

    Args:
        data: The text of the file; a byte-order mark in front is passed over.
        find_track: Gives the track that the file names, or raises `BadTrack`.

    Raises:
        BadPosition: The text is no position, or one that cannot be; all problems are named at once.
    """
    values = _decode(data)
    faults = look_at(values, _File, "a position file").faults
    # What is right is looked at further, for all problems to come at once.
    right = {key: value for key, value in values.items() if _is_right(key, value)}
    file = msgspec.convert(_EMPTY | right, _File)
    track = None
    if not file.track.isprintable() or len(file.track) > _MOST_NAME:
        faults.append(f"track: there is no track {shown(file.track)}")
    elif "track" in right:
        try:
            track = find_track(file.track)
        except BadTrack as error:
            faults += [f"track: {fault}" for fault in error.faults]
    cards, are_others_turned, card_faults = _legend_cards(file.legend_cards)
    cars, car_faults = _cars(file.cars)
    faults += card_faults + car_faults
    if track is None or "cars" not in right:
        raise BadPosition(_most_important(faults))
    try:
        rules = rules_of(file)
    except BadSetting as error:
        faults.append(f"settings: {error}")
        rules = PRESETS[file.rules]
    roads, road_faults = parse_roads(compile_track(track), file.roads)
    spent = tuple(file.spent.split())
    modules = Modules(file.garage, file.expansion, sponsorships=file.sponsorships, event=file.event)
    faults += road_faults
    position = Position((), file.round, file.phase, cards, are_others_turned, file.weather, roads, spent)
    try:
        setup = assemble(
            track,
            cars,
            position,
            laps=file.laps,
            rules=rules,
            seed=file.seed or "",
            modules=modules,
            faults=faults,
        )
    except BadPosition as error:
        raise BadPosition(_most_important(error.faults)) from None
    setup = msgspec.structs.replace(setup, seed=file.seed)
    return PositionFile(setup, tuple(car.driver if car else None for car in cars.values()))


def _is_right(key: str, value: object) -> bool:
    return not look_at(_EMPTY | {key: value}, _File, "a position file").faults


def _most_important(faults: list[str]) -> list[str]:
    """Keep a list of problems readable, whatever the file."""
    more = len(faults) - _MOST_FAULTS
    return faults if more <= 0 else [*faults[:_MOST_FAULTS], f"and {more} more problems"]


def _decode(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_POSITION_BYTES:
        raise BadPosition([f"a position file has at most {MAX_POSITION_BYTES} bytes"])
    try:
        text = data.removeprefix(_BYTE_ORDER_MARK).decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadPosition([f"line {line}: not UTF-8 text"]) from None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadPosition([toml_fault(error)]) from None


def _cars(values: Mapping[str, Any]) -> tuple[dict[str, CarWords | None], list[str]]:
    """Read the table of cars: what each says, None where it is wrong, and what is wrong."""
    cars: dict[str, CarWords | None] = {}
    faults = []
    for number, (name, words) in enumerate(values.items(), start=1):
        try:
            label = clean_name(name)
            if label != name:
                faults.append(f"car {number}: write its name as {label!r}")
        except BadName as error:
            label = f"car {number}"
            faults.append(f"{label}: {error}")
        if isinstance(words, str):
            cars[label], wrong = parse_car(words)
            faults += [f"{label}: {fault}" for fault in wrong]
        else:
            cars[label] = None
            faults.append(f"{label}: put its words in quotation marks")
    return cars, faults


def _legend_cards(text: str) -> tuple[tuple[int, ...], bool, list[str]]:
    """Read the next Legend cards: `7 3 others`, by number from 1, top first.

    Returns:
        Their numbers from 0, whether all others have been turned, and what is wrong.
    """
    words = text.split()
    are_others_turned = words[-1:] != [_OTHERS]
    named = words if are_others_turned else words[:-1]
    numbers = [word for word in named if is_number(word)]
    faults = [
        f"legend_cards: {shown(word)} is not the number of a Legend card: 1 to {len(LEGEND_CARDS)}"
        for word in named
        if word not in numbers
    ]
    return tuple(int(word) - 1 for word in numbers), are_others_turned, faults


def encode_position(file: PositionFile, track: str | None = None) -> str:
    """Write a position; `parse_position` reads the same position from it.

    Args:
        track: How the file names the track; None: by its identifier.
    """
    setup, position = file.setup, file.setup.position
    assert position is not None
    lines = [
        "format = 1",
        f"track = {_quoted(track or setup.track.id)}",
        f"laps = {laps_without_event(setup)}",
    ]
    if setup.rules.preset != "standard":
        lines.append(f"rules = {_quoted(setup.rules.preset)}")
    if changes := changes_of(setup.rules):
        written = ", ".join(f"{name} = {_quoted(word)}" for name, word in changes.items())
        lines.append(f"settings = {{ {written} }}")
    lines += [f"round = {position.round}", f"phase = {_quoted(position.phase)}"]
    if setup.seed is not None:
        lines.append(f"seed = {_quoted(setup.seed)}")
    named = [str(card + 1) for card in position.legend_cards]
    cards = " ".join(named if position.are_others_turned else [*named, _OTHERS])
    if cards != _OTHERS:
        lines.append(f"legend_cards = {_quoted(cards)}")
    lines += [*_optional_lines(setup, position), "", "[cars]"]
    owned = setup.carried.upgrades or ((),) * len(setup.cars)
    are_usual = tuple(car.colour for car in setup.cars) == COLOURS[: len(setup.cars)]
    cars = zip(strip_helmets(setup.cars), position.cars, file.drivers, owned, strict=True)
    for car, place, driver, upgrades in cars:
        key = car.name if _BARE_KEY.fullmatch(car.name) else _quoted(car.name)
        words = CarWords(place, car.legend, None if are_usual else car.colour, driver, upgrades)
        lines.append(f"{key} = {_quoted(car_words(words))}")
    return "\n".join(lines) + "\n"


def _optional_lines(setup: RaceSetup, position: Position) -> list[str]:
    """Write what the race has besides the base game."""
    modules = setup.modules
    words = {
        "garage": modules.garage if modules.garage != "none" else "",
        "event": modules.event or "",
        "weather": position.weather or "",
        "roads": road_words(compile_track(setup.track), position.roads),
        "spent": " ".join(position.spent),
    }
    switches = {"expansion": modules.expansion, "sponsorships": modules.sponsorships}
    lines = [f"{key} = true" for key, is_on in switches.items() if is_on]
    return lines + [f"{key} = {_quoted(text)}" for key, text in words.items() if text]


def _quoted(text: str) -> str:
    """Write a TOML string: JSON's form, with the one sign more that TOML does not allow in the open."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
