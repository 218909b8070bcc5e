"""The pages that explain what a view shows: one's cards and piles, weather and road, what is pointed at."""

from __future__ import annotations

from rich.text import Text

from heat_core.cards import CATALOGUE
from heat_core.sentences.card_words import card_name
from heat_core.view.race_view import RaceView
from heat_tui.flow.garage import explained_lines, is_garage
from heat_tui.flow.looking import spot_text
from heat_tui.map.widget import TrackMap
from heat_tui.race.presenter import RaceLabels, discard_pile_lines
from heat_tui.screens.dialogs import PageDialog
from heat_tui.screens.map_keys import MapScreen
from heat_tui.screens.race_panels import RacePanels
from heat_tui.words.road_text import weather_lines
from heat_tui.words.season_table import event_lines
from heat_tui.words.signs_page import signs_lines


class ViewPages(MapScreen):
    """A screen of the race's panels, of a race that runs or of a replay.

    Attributes:
        race_view: What is shown.
        hint: The figures of what is pointed at, "" for nothing.
    """

    labels: RaceLabels
    panels: RacePanels
    race_view: RaceView
    hint: str
    _clicked: str = ""

    def show_figures(self, text: str) -> None:
        """Show the figures of what is pointed at; "" for nothing."""
        raise NotImplementedError

    def stop_looking(self) -> None:
        """Point at nothing any more."""
        self._clicked = ""
        if self.hint:
            self.hint = ""
            self.track_map.hide_cursor()

    def show_again(self) -> None:
        """Bring every panel up to date."""
        raise NotImplementedError

    def action_close_or_leave(self) -> None:
        """Stop looking about; where nothing is looked at, leave."""
        if self.hint:
            self.stop_looking()
            self.show_again()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Go back to where one came from."""
        raise NotImplementedError

    def on_track_map_spot_hovered(self, message: TrackMap.SpotHovered) -> None:
        """Show the figures of what mouse or cursor have come to, else of what was clicked."""
        self.show_figures(self._spot_figures(message) or self._clicked)

    def on_track_map_spot_clicked(self, message: TrackMap.SpotClicked) -> None:
        """Show the figures of what was clicked, also once the mouse has gone on."""
        self._clicked = self._spot_figures(message)
        self.show_figures(self._clicked)

    def _spot_figures(self, message: TrackMap.SpotHovered | TrackMap.SpotClicked) -> str:
        return spot_text(
            self.race_view,
            self.labels.names,
            self.labels.track,
            space=message.space,
            cars=message.cars,
            corner=message.corner,
            where=self.labels.setup.rules.weather_sectors,
        )

    def action_discard_pile(self) -> None:
        """Show the piles of the seat that looks on."""
        own = self.race_view.own
        if own is not None:
            names = {card: card_name(card) for card in CATALOGUE}
            lines = discard_pile_lines(self.race_view, own.seat, names)
            title = f"Piles of {self.labels.names[own.seat]}"
            self.app.push_screen(PageDialog(title, [self.panels.spelled(line) for line in lines]))

    def action_cards(self) -> None:
        """Explain the open upgrades in the garage, else the cards of the seat that looks on."""
        view, own = self.race_view, self.race_view.own
        if is_garage(view):
            title, cards = "Open in the garage", view.offered
        elif own is not None:
            title = f"Cards of {self.labels.names[own.seat]}"
            cards = (*own.hand, *view.cars[own.seat].played)
        else:
            return
        lines = [self.panels.spelled(line) for line in explained_lines(cards)]
        self.app.push_screen(PageDialog(title, lines))

    def action_signs(self) -> None:
        """Explain the signs of map, road and standings, as this terminal shows them."""
        self.app.push_screen(PageDialog("Signs", signs_lines(self.track_map.mode)))

    def action_weather(self) -> None:
        """Explain weather and road, and in a championship the event card."""
        view, setup = self.race_view, self.labels.setup
        lines = weather_lines(self.labels.track, view.roads, view.weather, setup)
        if setup.modules.event is not None:
            told = event_lines(setup.modules.event, has_sponsorships=setup.modules.sponsorships)
            lines = [*told, "", *lines]
        pages = [self.panels.spelled(Text(line)) for line in lines]
        self.app.push_screen(PageDialog("Weather and road", pages))
