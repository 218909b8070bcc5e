"""Who is in a room, as the lines of a list: the places first, then the spectators."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.text import Text
from textual.widgets.option_list import Option

from heat_core.bots import BOTS
from heat_core.race.presets import LEGEND_LEVELS
from heat_core.wire import messages as m
from heat_tui.screens.new_race import TrackList
from heat_tui.screens.rows import is_ascii, swatch

_KINDS: Final[dict[str, str]] = {
    "human": "person",
    **{bot: f"bot {bot}" for bot in BOTS},
    **{f"legend:{level}": f"Legend {level}" for level in LEGEND_LEVELS},
}
_NAME_CELLS: Final = 16
_COLOUR_CELLS: Final = 9


class PlaceList(TrackList):
    """The places and spectators of a room; one of them is chosen."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__(id="places", markup=False)

    def show_room(self, room: m.LobbyView) -> None:
        """List who is there; the choice stays on its line."""
        chosen = self.highlighted
        self.clear_options()
        for number in range(len(room.places)):
            self.add_option(Option(self._place(number, room)))
        for name in room.watchers:
            self.add_option(Option(Text.assemble("-  ", (f"{name}", "bold"), "  watching")))
        self.highlighted = min(chosen if chosen is not None else room.place or 0, self.option_count - 1)

    def chosen_place(self, room: m.LobbyView) -> int | None:
        """Give the chosen place; None: a spectator is chosen."""
        number = self.highlighted
        return number if number is not None and number < len(room.places) else None

    def chosen_person(self, room: m.LobbyView) -> str | None:
        """Give the name of the person or spectator who is chosen; None: nobody sits there, or a bot."""
        number = self.highlighted
        if number is None:
            return None
        if number < len(room.places):
            place = room.places[number]
            return place.name if place.kind == "human" else None
        watcher = number - len(room.places)
        return room.watchers[watcher] if watcher < len(room.watchers) else None

    def _place(self, number: int, room: m.LobbyView) -> Text:
        place = room.places[number]
        if place.kind is None:
            return Text(f"{number + 1}  -- free --", "dim")
        text = Text(f"{number + 1}  ")
        text.append_text(Text(place.name, "bold"))
        text.append(" " * (_NAME_CELLS + 1 - cell_len(place.name)))
        car = swatch(place.colour or "grey", ascii_only=is_ascii(self))
        car.pad_right(_COLOUR_CELLS - car.cell_len)
        text.append_text(car)
        if place.kind != "human":
            return text.append(_KINDS[place.kind])
        is_own = number == room.place
        # Three marks are wider than the column at 80x24; who is host here has a Start button besides.
        marks = ["host"] if number == room.host and not (is_own and place.is_ready) else []
        marks += ["you"] if is_own else []
        if not place.is_connected:
            marks.append("gone")
        elif place.is_ready:
            marks.append("READY")
        elif number != room.host:  # nobody waits for the host, who starts
            marks.append("not yet")
        return text.append(", ".join(marks))
