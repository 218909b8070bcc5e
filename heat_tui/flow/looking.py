"""What is under the cursor or mouse: the figures of a space, a corner, a car."""

from __future__ import annotations

from collections.abc import Sequence

from heat_core.race.presets import WeatherSectors
from heat_core.rules.sectors import sector_effects
from heat_core.sentences.events import gear_name, heat_text
from heat_core.track import Track
from heat_core.view.race_view import CarView, RaceView
from heat_tui.words.road_text import corner_text, sector_sentence


def spot_text(
    view: RaceView,
    names: Sequence[str],
    track: Track,
    *,
    space: int | None,
    cars: Sequence[int],
    corner: int | None,
    where: WeatherSectors = "free",
) -> str:
    """Tell the figures of what is pointed at.

    Args:
        space: None beside the road.
        cars: Numbers of the cars there.
        corner: Number of the corner whose line or sign is there, from 0, None elsewhere.
        where: Where the weather acts.

    Returns:
        "" for nothing.
    """
    has_tokens = view.weather is not None or bool(view.roads)
    told = [_car_text(view.cars[number], names[number]) for number in cars]
    if corner is not None:
        facts = track.corners[corner]
        text = corner_text(track, view.roads, corner)
        told.append(f"corner {corner + 1}: {text}, its line is after space {facts.after_space}")
        if has_tokens and (behind := sector_effects(track, view.roads, view.weather, where)[corner]):
            told.append(f"after it {sector_sentence(behind)}")
    elif space is not None:
        place = f"space {space}"
        if space in {facts.legends_line_after_space for facts in track.corners}:
            place += ", Legends line after it"
        ways = [(facts.after_space - space) % track.spaces for facts in track.corners]
        ahead = min(range(len(ways)), key=ways.__getitem__)
        limit = corner_text(track, view.roads, ahead)
        told.append(f"{place}; {ways[ahead]} to the corner line ({limit})")
        if track.is_flooded[space]:
            told.append("flooded: shifting down costs 1 Heat more")
        if track.is_tunnel[space]:
            told.append("tunnel: you cannot discard here")
        if has_tokens:
            # A space before its corner line belongs to the sector that began behind the corner before.
            effect = sector_effects(track, view.roads, view.weather, where)[ahead - 1]
            told += [] if effect is None else [sector_sentence(effect)]
    return "; ".join(told)


def _car_text(car: CarView, name: str) -> str:
    lap = "finished" if car.status == "finished" else f"lap {car.lap}" if car.lap else "on the grid"
    if car.is_legend:
        speed = "" if car.speed is None else f", last speed {car.speed}"
        return f"{name} (Legend): {lap}{speed}"
    return (
        f"{name}: {lap}, {gear_name(car.gear)} gear, engine {heat_text(car.engine)}, "
        f"{car.hand_size} in hand, draw {car.draw_size}, discard {len(car.discard_pile)}"
    )
