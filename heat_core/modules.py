"""The modules of one race as people choose them and read of them."""

from __future__ import annotations

from heat_core.setup import WITH_EXPANSION, BadSetup, GarageName, Modules


def single_race_modules(garage: GarageName, *, expansion: bool, weather: bool) -> Modules:
    """Make the modules of a race outside a championship: no event, no Sponsorships.

    Raises:
        BadSetup: The expansion has no garage to go into.
    """
    if expansion and garage not in WITH_EXPANSION:
        raise BadSetup("the expansion's upgrades are advanced: they need the garage advanced or mixed")
    return Modules(garage=garage, expansion=expansion, weather=weather)


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
