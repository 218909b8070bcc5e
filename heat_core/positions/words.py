"""One car of a position in words: `lap 1 space 30 gear 3 hand 4 3 2`. One parser for builder and files.

Each word is followed by its value, the words for cards by any number of cards. What is wrong is shown all at
once, and a word that is not known is passed over up to the next one that is.
"""

from __future__ import annotations

from typing import Any, Final, get_args, get_type_hints

import msgspec

from heat_core.cards import CATALOGUE, UPGRADES, CardName
from heat_core.data.legends import Helmet
from heat_core.drivers import BOT_LEVELS, DriverName
from heat_core.race.position_setup import CarPosition
from heat_core.race.presets import LEGEND_LEVELS
from heat_core.race.setup import COLOURS, Colour, LegendSetup
from heat_core.shapes import shown, value_faults
from heat_core.track import OTHER_SPOT, RACE_LINE_SPOT

_MOST_DIGITS: Final = 6

_NUMBERS: Final = {
    "lap": "lap",
    "space": "space",
    "gear": "gear",
    "engine": "engine",
    "dealt": "dealt",
    "speed": "speed",
    "finished": "finished",
    "gave-up": "gave_up",
    "spun-out": "spun_out",
}
_CARDS: Final = {
    "hand": "hand",
    "draw": "draw_pile",
    "shuffled": "shuffled",
    "discard": "discard_pile",
    "played": "played",
}
_MAY_BE_EMPTY: Final = ("hand", "draw", "shuffled")
"""Words that say something else without cards than left out."""
_UPGRADES: Final = "upgrades"
_KNOWN: Final = {**dict.fromkeys(_CARDS, CATALOGUE.keys()), _UPGRADES: UPGRADES.keys()}
"""By word that cards follow: those that may."""

_SPOTS: Final = {"race": RACE_LINE_SPOT, "other": OTHER_SPOT}
_YES_OR_NO: Final = {"yes": True, "no": False}
_DRIVERS: Final[tuple[DriverName, ...]] = ("human", *BOT_LEVELS)
_LEGEND_WORDS: Final = ("speed", "bonus", "chevrons", "helmet")
_SEAT_WORDS: Final = ("gear", "engine", "dealt", *_CARDS, _UPGRADES, "gave-up", "spun-out", "driver")

_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "spot": tuple(_SPOTS),
    "legend": tuple(LEGEND_LEVELS),
    "chevrons": tuple(_YES_OR_NO),
    "helmet": get_args(Helmet),
    "colour": COLOURS,
    "driver": _DRIVERS,
}
WORDS: Final = frozenset({*_NUMBERS, *_KNOWN, *_CHOICES, "bonus"})

_TYPES: Final = get_type_hints(CarPosition, include_extras=True)
_RANGES: Final = {word: _TYPES[field] for word, field in _NUMBERS.items()} | {
    "bonus": get_type_hints(LegendSetup, include_extras=True)["bonus"]
}


class CarWords(msgspec.Struct, frozen=True):
    """What the words of one car say.

    Attributes:
        legend: None for a seat.
        colour: None: the first that no other car has.
        driver: Who decides for a seat; None: whoever opens the position says.
        upgrades: What it has of the garage.
    """

    place: CarPosition
    legend: LegendSetup | None = None
    colour: Colour | None = None
    driver: DriverName | None = None
    upgrades: tuple[CardName, ...] = ()


def parse_car(text: str) -> tuple[CarWords | None, list[str]]:
    """Read the words of one car.

    Args:
        text: `lap N space N`, then any of `spot race|other`, `gear N`, `engine N`, `hand CARDS`,
            `dealt N`, `draw CARDS` (top first), `shuffled CARDS`, `discard CARDS` (oldest first),
            `finished N`, `gave-up N`, `spun-out N`, `played CARDS`, `upgrades CARDS`, `colour COLOUR`,
            `driver human|steady|random`; for a Legend `legend LEVEL`, then
            any of `speed N`, `bonus N`, `chevrons yes|no`, `helmet COLOUR`.

    Returns:
        What they say, without those that are wrong, and None where lap or space is; and what is wrong: a
        word is unknown, stands twice or where it does not belong, a value is missing or out of range.
    """
    words = text.split()
    said, faults = _said(words)
    faults += _take_out_misplaced(said, is_legend="legend" in words)
    faults += [f"a car needs its {word}" for word in ("lap", "space") if word not in words]
    if "lap" not in said or "space" not in said:
        return None, faults
    values = {_NUMBERS[word]: said[word] for word in _NUMBERS if word in said}
    values |= {_CARDS[word]: said[word] for word in _CARDS if word in said}
    if "spot" in said:
        values["spot"] = _SPOTS[said["spot"]]
    place = msgspec.convert(values, CarPosition)
    legend, upgrades = _legend(said), said.get(_UPGRADES, ())
    return CarWords(place, legend, said.get("colour"), said.get("driver"), upgrades), faults


def is_number(text: str) -> bool:
    """Tell whether a word is a number of a size that can be in a position."""
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def _said(words: list[str]) -> tuple[dict[str, Any], list[str]]:
    """Put each word together with its value; give the values and what is wrong."""
    said: dict[str, Any] = {}
    faults = []
    place = 0
    while place < len(words):
        word = words[place]
        end = place + 1
        while end < len(words) and words[end] not in WORDS:
            end += 1
        values = words[place + 1 : end]
        place = end
        if word in said:
            faults.append(f"{word!r} is given twice")
        elif word in _KNOWN:
            known = _KNOWN[word]
            said[word] = tuple(card for card in values if card in known)
            faults += [f"{word}: there is no card {shown(card)}" for card in values if card not in known]
        elif word not in WORDS:
            faults.append(f"there is no word {shown(word)}")
        elif not values:
            faults.append(f"{word}: a value must follow")
        else:
            value, fault = _value(word, values[0])
            if not fault:
                said[word] = value
            faults += [fault] if fault else []
            faults += [f"there is no word {shown(surplus)}" for surplus in values[1:2]]
    return said, faults


def _value(word: str, text: str) -> tuple[int | str, str]:
    """Give the value of one word, and what is wrong with it."""
    if word in _CHOICES:
        known = ", ".join(_CHOICES[word])
        return text, "" if text in _CHOICES[word] else f"{word} {shown(text)}: it is one of {known}"
    if not is_number(text):
        return 0, f"{word} {shown(text)}: not a number"
    faults = value_faults(word, int(text), _RANGES[word])
    return int(text), "".join(faults)


def _take_out_misplaced(said: dict[str, Any], *, is_legend: bool) -> list[str]:
    """Take the words out that do not go together with the others, and say why."""
    words, why = (_SEAT_WORDS, "a Legend has none") if is_legend else (_LEGEND_WORDS, "only a Legend has one")
    faults = [f"{word}: {why}" for word in words if said.pop(word, None) is not None]
    ends = [word for word in _ENDS if word in said]
    if len(ends) > 1:
        faults.append(f"a car has {' or '.join(_ENDS[word] for word in ends)}, not both")
        for word in ends[1:]:
            del said[word]
    return faults


_ENDS: Final = {"finished": "finished", "gave-up": "given up", "spun-out": "spun out of the race"}


def _legend(said: dict[str, Any]) -> LegendSetup | None:
    if "legend" not in said:
        return None
    bonus, chevrons = LEGEND_LEVELS[said["legend"]]
    if "chevrons" in said:
        chevrons = _YES_OR_NO[said["chevrons"]]
    return LegendSetup(said.get("bonus", bonus), chevrons, said.get("helmet"))


def car_words(car: CarWords) -> str:
    """Write a car in words; `parse_car` reads the same car from them."""
    place = car.place
    words: list[str] = []
    for word, field in _NUMBERS.items():
        value = getattr(place, field)
        if value is not None and not (word == "gear" and car.legend):
            words += [word, str(value)]
        if word == "space" and place.spot is not None:
            words += ["spot", _word_of(_SPOTS, place.spot)]
    for word, field in _CARDS.items():
        cards = getattr(place, field)
        if cards or (cards is not None and word in _MAY_BE_EMPTY):
            words += [word, *cards]
    if car.upgrades:
        words += [_UPGRADES, *car.upgrades]
    if car.legend:
        words += _legend_words(car.legend)
    if car.colour:
        words += ["colour", car.colour]
    if car.driver:
        words += ["driver", car.driver]
    return " ".join(words)


def _legend_words(legend: LegendSetup) -> list[str]:
    drives = (legend.bonus, legend.chevrons)
    levels = [level for level, level_drives in LEGEND_LEVELS.items() if level_drives == drives]
    if levels:
        words = ["legend", levels[0]]
    else:
        words = ["legend", "easy", "bonus", str(legend.bonus)]
        words += ["chevrons", _word_of(_YES_OR_NO, legend.chevrons)]
    return [*words, "helmet", legend.helmet] if legend.helmet else words


def _word_of(words: dict[str, Any], value: object) -> str:
    return next(word for word, meaning in words.items() if meaning == value)
