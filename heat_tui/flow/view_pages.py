"""The pages that explain what a view shows, of a race or of a replay: cards, piles, signs, weather."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from rich.text import Text

from heat_core.cards import CATALOGUE
from heat_core.planner.upgrade_worths import worths_in
from heat_core.sentences.card_words import card_name
from heat_core.view.race_view import RaceView
from heat_tui.flow.garage import explained_lines, is_garage
from heat_tui.map.palette import Look
from heat_tui.race.presenter import RaceLabels, discard_pile_lines
from heat_tui.words.road_text import weather_lines
from heat_tui.words.signs_page import signs_lines

PageName: TypeAlias = Literal["cards", "piles", "signs", "weather"]


class Page(NamedTuple):
    """Lines to read."""

    title: str
    lines: list[Text]


def view_page(name: PageName, view: RaceView, labels: RaceLabels, look: Look) -> Page | None:
    """Write a page.

    Args:
        look: How this terminal shows the map, for its signs.

    Returns:
        None where the page is of a hand, and no hand is open.
    """
    match name:
        case "cards":
            return _cards(view, labels)
        case "piles":
            return _piles(view, labels)
        case "signs":
            return Page("Signs", signs_lines(look))
        case "weather":
            lines = weather_lines(labels.track, view.roads, view.weather, labels.setup)
            return Page("Weather and road", [Text(line) for line in lines])


def _cards(view: RaceView, labels: RaceLabels) -> Page | None:
    """Explain the open upgrades in the garage, else the cards of the open hand."""
    own = view.own
    if is_garage(view):
        return Page("On offer in the garage", explained_lines(view.offered, worths_in(labels.setup)))
    if own is None:
        return None
    cards = (*own.hand, *view.cars[own.seat].played)
    return Page(f"Cards of {labels.names[own.seat]}", explained_lines(cards))


def _piles(view: RaceView, labels: RaceLabels) -> Page | None:
    if view.own is None:
        return None
    names = {card: card_name(card) for card in CATALOGUE}
    lines = discard_pile_lines(view, view.own.seat, names)
    return Page(f"Piles of {labels.names[view.own.seat]}", lines)
