"""The modules of one race as people read of them."""

from __future__ import annotations

from heat_core.setup import Modules


def module_words(modules: Modules) -> list[str]:
    """Name what a race has besides the base game: `mixed garage with expansion`, `weather`."""
    words = []
    if modules.garage != "none":
        words.append(f"{modules.garage} garage{' with expansion' if modules.expansion else ''}")
    if modules.weather:
        words.append("weather")
    if modules.sponsorships:
        words.append("Sponsorships")
    if modules.event is not None:
        words.append(f"event {modules.event}")
    return words
