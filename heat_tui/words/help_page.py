"""The page that lists the keys that do something in this race."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from rich.style import Style
from rich.text import Text

from heat_tui.keys.table import Keys
from heat_tui.theme.colours import GOLD

Feature: TypeAlias = Literal["upgrades", "weather", "company", "hints"]
"""What only some races have: upgrades and Sponsorships, weather or an event, people at a server, hints."""


class HelpRow(NamedTuple):
    """A key, or a few, and what they do.

    Attributes:
        keys: Those of the player's choice stand there by the name of their use.
        text: In so few words that it needs one line at 80 columns.
        needs: What a race must have for it; None: every race has it.
    """

    keys: str
    text: str
    needs: Feature | None = None


HELP: Final = (
    HelpRow("1 to 9", "pick a card or put it back; a gear; how many"),
    HelpRow("arrows", "gear; a card, up picks it; along a list, how many"),
    HelpRow("Enter, {race.done}", "confirm; {race.done} ends phase 5 at once"),
    HelpRow("{race.take_back}", "put back the card you picked last"),
    HelpRow("{race.cool}, {race.boost}", "cool Heat from your hand; boost: pay 1, flip a card"),
    HelpRow("{race.adrenaline}", "adrenaline, at the back: 1 more speed and space"),
    HelpRow("{race.slipstream}, {race.no_slipstream}", "slipstream, or not"),
    HelpRow("{race.pay}, {race.scrap}", "pay a card's Heat, scrap: phase 5 ends only then", "upgrades"),
    HelpRow("{race.stress}, {race.salvage}", "discard Stress, salvage from the discard pile", "upgrades"),
    HelpRow("{race.accelerate}, {race.draft}", "accelerate, draft behind the car ahead", "upgrades"),
    HelpRow("{race.direct}", "play a card from your hand directly", "upgrades"),
    HelpRow("{map.zoom_in}, {map.zoom_out}, {map.whole}", "zoom the map; show the whole map, and back"),
    HelpRow("shift+arrows", "scroll the map; {map.follow} follows the cars again"),
    HelpRow("{map.look_back} {map.look_ahead} {map.numbers}", "look along the road; number the spaces"),
    HelpRow("{view.piles}, {view.cards}", "your piles; explain each of your cards"),
    HelpRow("{view.weather}", "weather and road; in a championship also the event", "weather"),
    HelpRow("{view.signs}, {view.how_to_play}, {race.log}", "explain all signs; how to play; the log"),
    HelpRow("{race.chat}", "the chat; the first line counts new messages", "company"),
    HelpRow("{race.pause}", "vote to pause or resume; again: take it back", "company"),
    HelpRow("{race.invite}", "how others come here, to watch or to race on", "company"),
    HelpRow("{race.more_time}", "more time for one driver, given by the host", "company"),
    HelpRow("{race.advice}", "advice on each choice; again: off"),
    HelpRow("{race.position}", "save the position to a file, to start from it later"),
    HelpRow("{race.give_up}, {view.leave}", "give up; leave; both ask first"),
    HelpRow("{race.end_hints}", "end the hints", "hints"),
    HelpRow("Ctrl+P", "find actions by name; settings; choose keys"),
)
"""All rows; `rows_for` leaves out what a race has not."""


def rows_for(features: Collection[Feature]) -> list[tuple[str, str]]:
    """Give the rows of a race that has these features."""
    return [(row.keys, row.text) for row in HELP if row.needs is None or row.needs in features]


def page_of_keys(rows: Sequence[tuple[str, str]], names: Keys) -> list[Text]:
    """Write rows with the player's keys, in two columns."""
    told = [(names.fill(keys), names.fill(text)) for keys, text in rows]
    cells = 2 + max(len(keys) for keys, _ in told)
    return [Text.assemble((f"{keys:<{cells}}", Style(color=GOLD, bold=True)), text) for keys, text in told]
