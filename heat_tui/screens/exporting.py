"""Writing a race as a text, or what is on the screen as a picture."""

from __future__ import annotations

from rich.text import Text

from heat_core.files import shown_path
from heat_core.record.playback import Playback
from heat_tui.flow.exports import NotExported, export_path, race_text, write_export
from heat_tui.screens.ask import ChooseScreen
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.dialogs import PageDialog
from heat_tui.state import GUESTS_WRITE_NOTHING


def ask_for_export(screen: HeatScreen[None], playback: Playback, pictured: str) -> None:
    """Ask what is to be written, write it, and show where it is.

    Args:
        screen: The one on top, which a picture is taken of.
        pictured: What a picture shows, such as `this moment`.
    """

    def write(ending: str, text: str) -> None:
        try:
            path = export_path(screen.navigator.folders, playback, ending)
            write_export(path, text)
        except NotExported as error:
            page = PageDialog("Not exported", [Text(str(error))])
        else:
            page = PageDialog("Exported", [Text("Saved as"), Text(""), Text(shown_path(path))])
        screen.app.push_screen(page)

    def write_picture() -> None:
        write(".svg", screen.app.export_screenshot(title="heat-tui", simplify=True))

    def answered(key: str | None) -> None:
        if key == "t":
            write(".txt", race_text(playback))
        elif key == "p":
            screen.call_after_refresh(write_picture)

    if screen.navigator.folders.guest_of is not None:
        screen.app.push_screen(PageDialog("Not exported", [Text(GUESTS_WRITE_NOTHING)]))
        return
    answers = (("t", "the whole race as text"), ("p", f"{pictured} as a picture (SVG)"))
    screen.app.push_screen(ChooseScreen("What do you want to save?", answers), answered)
