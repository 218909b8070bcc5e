"""The rule settings that a table may change from its preset, as data. docs/rules.md: Two sets of rules.

One notation for all: a setting's name and a value's word, as in `hand_size=6`. It is what the command line
reads, what goes over the wire, and what the screens put their labels to. A new setting is a field of
`heat_core.race.presets.Rules` and a line of `RACE_SETTINGS` or `SEASON_SETTINGS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from heat_core.race.presets import PRESETS, PresetName, Rules
from heat_core.text import listed


class Value(NamedTuple):
    """One value that a setting may have.

    Attributes:
        word: How it is written.
        value: What is in the field of `Rules`.
        label: What people read.
    """

    word: str
    value: object
    label: str


class Setting(NamedTuple):
    """Something in which the rules of two tables may differ.

    Attributes:
        name: Its field of `Rules`.
        label: What people read, at most 12 cells.
        help: What it decides, in one or two sentences.
        values: Those allowed, at least two.
    """

    name: str
    label: str
    help: str
    values: tuple[Value, ...]

    def word_in(self, rules: Rules) -> str:
        """Give the word of the value that this setting has in some rules; errors as of `value_in`."""
        return self.value_in(rules).word

    def label_in(self, rules: Rules) -> str:
        """Give the label of the value that this setting has in some rules; errors as of `value_in`."""
        return self.value_in(rules).label

    def value_in(self, rules: Rules) -> Value:
        """Give the value that this setting has in some rules.

        Raises:
            UnknownValue: One that cannot be chosen; a record of another version may have such rules.
        """
        present = getattr(rules, self.name)
        for value in self.values:
            if value.value == present:
                return value
        raise UnknownValue(f"The rules have {self.name}={present!r}, which this version does not know.")


def _setting(name: str, label: str, help: str, *values: tuple[str, object, str]) -> Setting:
    return Setting(name, label, help, tuple(Value(*value) for value in values))


RACE_SETTINGS: Final = (
    _setting(
        "boost_gears",
        "Boost",
        "The gears in which a driver may boost.",
        ("4", (4,), "in 4th gear only"),
        ("any", (1, 2, 3, 4), "in any gear"),
    ),
    _setting(
        "full_space",
        "Full space",
        "Where a car stops whose space is full: on the next free space, or on the last free one before it.",
        ("ahead", "ahead", "drive past it"),
        ("behind", "behind", "stop before it"),
    ),
    _setting(
        "unfillable_gears",
        "Poor hand",
        "Whether you may choose a gear that your hand cannot fill. If you do, you have a "
        "cluttered hand and do not move.",
        ("allowed", "allowed", "any gear allowed"),
        ("withheld", "withheld", "only gears it can fill"),
    ),
    _setting(
        "discards",
        "Discarding",
        "When cards are discarded and drawn: by all drivers together at the end of the round, "
        "or by each after their own turn.",
        ("together", "together", "together, at the end"),
        ("each", "each", "each after its turn"),
    ),
    _setting(
        "race_end",
        "Race end",
        "Whether the race ends with the round in which the first car finishes, or continues "
        "until all cars have finished.",
        ("first_finisher", "first_finisher", "first finisher's round"),
        ("all_finished", "all_finished", "all cars finish"),
    ),
    _setting(
        "slipstream_over_finish",
        "Slipstream",
        "Whether a slipstream may take a car over the finish line in the last lap.",
        ("allowed", True, "also over the finish"),
        ("forbidden", False, "not over the finish"),
    ),
    _setting(
        "giving_up",
        "Giving up",
        "When a driver may give up.",
        ("any_time", "any_time", "at any time"),
        ("after_a_finish", "after_a_finish", "once a car finished"),
    ),
    _setting(
        "hand_size",
        "Hand",
        "How many cards a hand is filled up to at the end of a round.",
        ("6", 6, "6 cards"),
        ("7", 7, "7 cards"),
        ("8", 8, "8 cards"),
    ),
    _setting(
        "weather_sectors",
        "Weather acts",
        "Where the weather acts: in every sector without a road token of its own, or only "
        "where a weather token lies.",
        ("free", "free", "in all free sectors"),
        ("tokens", "tokens", "at its tokens"),
    ),
    _setting(
        "most_cars",
        "Cars",
        "How many cars may race, with bots and Legends.",
        ("6", 6, "up to six"),
        ("8", 8, "up to eight"),
    ),
)
"""Those that mean something in every race."""

SEASON_SETTINGS: Final = (
    _setting(
        "points",
        "Points",
        "What places are worth: 2 points for the last car and 2 more for each place above, or "
        "the printed points for the first six.",
        ("two_a_place", "two_a_place", "two a place"),
        ("printed", "printed", "9, 6, 4, 3, 2, 1"),
    ),
    _setting(
        "season_grid",
        "Next grid",
        "Who starts first in the next race: the last in the standings, or the leader.",
        ("last_on_pole", "last_on_pole", "last place on pole"),
        ("leader_on_pole", "leader_on_pole", "leader on pole"),
    ),
    _setting(
        "season_draft",
        "Drafts",
        "How many upgrades each driver drafts before a race: three, which go back after it, or one to keep.",
        ("three", "three", "three for each race"),
        ("one", "one", "one more each race"),
    ),
    _setting(
        "press_corners",
        "Press",
        "Which corners give Sponsorships: all of them, or those that the event names.",
        ("all", "all", "at every corner"),
        ("event", "event", "where the event says"),
    ),
    _setting(
        "unplayed_sponsorships",
        "Sponsorships",
        "What becomes of Sponsorships that were not played: they are lost after the race, or "
        "stay in the deck.",
        ("leave", "leave", "lost if unplayed"),
        ("stay", "stay", "stay in the deck"),
    ),
)
"""Those that mean something in a championship only (CHAMP-2 to CHAMP-4)."""

SETTINGS: Final = (*RACE_SETTINGS, *SEASON_SETTINGS)

BY_NAME: Final[Mapping[str, Setting]] = {setting.name: setting for setting in SETTINGS}


class BadSetting(ValueError):
    """A change of a setting that cannot be; the text is one sentence, without the words that were given.

    Attributes:
        allowed: Names or values that would be right.
    """

    def __init__(self, text: str, allowed: Iterable[str] = ()) -> None:
        """Note what is wrong, and what would be right."""
        super().__init__(text)
        self.allowed = tuple(allowed)


class UnknownSetting(BadSetting):
    """There is no setting of that name."""


class UnknownValue(BadSetting):
    """The setting cannot have that value."""


def make_rules(
    preset: PresetName, changes: Mapping[str, str], settings: Sequence[Setting] = SETTINGS
) -> Rules:
    """Make the rules of a table.

    Args:
        preset: Where to start from.
        changes: Name of a setting -> word of its value.
        settings: Those that mean something here.

    Raises:
        UnknownSetting: A name is wrong.
        UnknownValue: A value is wrong.
    """
    fields = {}
    for name, word in changes.items():
        setting = BY_NAME.get(name)
        if setting is None:
            names = [setting.name for setting in settings]
            raise UnknownSetting(f"There is no such setting. The settings are {', '.join(names)}.", names)
        if setting not in settings:
            raise UnknownSetting(f"The setting {name} applies to championships only.")
        value = next((value for value in setting.values if value.word == word), None)
        if value is None:
            words = [value.word for value in setting.values]
            raise UnknownValue(f"The setting {name} can be {listed(words, 'or')}.", words)
        fields[name] = value.value
    return msgspec.structs.replace(PRESETS[preset], **fields)


def changes_of(rules: Rules) -> dict[str, str]:
    """List what differs from the preset: name -> word, in the order of `SETTINGS`."""
    return {setting.name: setting.word_in(rules) for setting in changed_settings(rules)}


def changed_settings(rules: Rules, settings: Sequence[Setting] = SETTINGS) -> list[Setting]:
    """List the settings, of those given, that differ from the preset."""
    usual = PRESETS[rules.preset]
    return [setting for setting in settings if getattr(rules, setting.name) != getattr(usual, setting.name)]


def changes_text(rules: Rules, settings: Sequence[Setting] = SETTINGS) -> str:
    """List what of some settings differs from the preset, one line each; empty where nothing does."""
    changed = changed_settings(rules, settings)
    return "\n".join(f"{setting.label}: {setting.label_in(rules)}" for setting in changed)


def printed_text(rules: Rules, settings: Sequence[Setting] = SETTINGS) -> str:
    """Say how many of some settings the printed game has otherwise; empty where it has none."""
    printed = PRESETS["rulebook"]
    count = sum(getattr(rules, setting.name) != getattr(printed, setting.name) for setting in settings)
    return f"{count} {'differs' if count == 1 else 'differ'} from the printed game" if count else ""


def parse_changes(words: Iterable[str]) -> dict[str, str]:
    """Read changes as they are typed, such as `hand_size=6`; the last of one name holds.

    Raises:
        BadSetting: One has no `=`; names and values are looked at by `make_rules`.
    """
    changes = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise BadSetting("Write a setting as name=value, such as hand_size=6.")
        changes[name.strip()] = value.strip()
    return changes
