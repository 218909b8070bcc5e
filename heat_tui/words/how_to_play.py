"""One page about the game: the nine phases, and the keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from heat_tui.keys.table import USUAL, Keys

_PAGE: Final = """\
# The aim
Be furthest ahead when the race ends. You drive fast by playing high cards, and pay with Heat for every
corner that you take faster than its limit. Heat that you have paid comes back as dead cards in your
hand, until you drive slowly enough to cool down. When the round ends in which the first car crosses the
line, whoever is furthest ahead has won.
# Your cards
Speed cards count 1 to 4; the three upgrades are a 0, a 5 and a Heat. Stress is a gamble: it flips cards
from your pile until a Speed card turns up. Heat cannot be played. The engine holds Heat too: that is the
Heat you can still pay with. You draw back to seven cards at the end of each round.
# 1  Shift
One gear up or down is free, two cost 1 Heat from the engine. All choose at once.
From a flooded space, blue on the map, shifting down costs 1 Heat more.
# 2  Play cards
As many cards as the gear says: one in 1st, four in 4th. All choose at once, in secret.
# 3  Reveal and move
Cars go one after another, the leader first, and reveal their cards on their turn. The sum is your
speed, in spaces. Passing is free; if both spots of a space are taken you stop in the next free one.
# 4  Adrenaline
The last car, the last two of five or more, may go one space further and cool one more Heat.
# 5  React
Cool down: in 1st gear up to three Heat cards go from hand to engine, in 2nd gear one. Boost (in 4th
gear, with the rulebook's rules in every gear): pay 1 Heat and flip a card for more speed, once a turn.
# 6  Slipstream
If you end beside a car or right behind one, you may move two more spaces. It does not count as speed in
corners, but it may carry you over a corner's line.
# 7  Check corners
For each corner line crossed: speed above the limit costs the difference in Heat. Without that Heat you
spin out: back before the corner, Stress in your hand, and 1st gear.
# 8  Discard
Discard Speed cards and upgrades that you do not want. Heat and Stress stay.
# 9  Replenish
Draw back to seven cards. The next round begins.
# Legends
Cars without a hand. One card a round moves them all: far on the straights, up to the corner or through
it at the limit near one. They pay nothing and never spin out. The card has two numbers for each, such as
speed 19 and diamond 2: a Legend drives 19 spaces, but where that would cross a corner line, it stops
2 spaces before the last space in front of the line. From the Legends line on, some spaces before a corner,
it drives the corner's limit and 2 more.
# In the race
1-9 pick cards to play or to discard, and in phase 1 the gear; left and right shift, up and down select
what to use, Enter confirms, {race.take_back} takes back. {race.cool} cools down, {race.boost} boosts,
{race.adrenaline} takes the adrenaline, {race.slipstream} slipstreams and {race.no_slipstream} does not.
{map.zoom_in} and {map.zoom_out} zoom, {map.follow} follows the cars, {map.whole} shows the whole map,
{view.piles} your piles, {race.log} what happened, {view.help} every key; {race.give_up} gives up and
{view.leave} leaves. Whatever you are about to do, the lines below your cards say what it will cost.
Everything can be clicked as well. The settings let you choose other keys. On the map the number beside a
corner line is its limit, the arrow at the start line shows the driving direction, and the thin line some
spaces before a corner is its Legends line, which matters to Legends only; {view.signs} explains every
sign.
"""


def sections(keys: Keys = USUAL) -> Iterator[tuple[str, str]]:
    """Give heading and text of each part of the page, the text without its line breaks.

    Args:
        keys: The player's; the last part names them.
    """
    for section in keys.fill(_PAGE).removeprefix("# ").split("\n# "):
        heading, _, text = section.partition("\n")
        yield heading, " ".join(text.split())
