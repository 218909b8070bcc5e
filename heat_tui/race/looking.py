"""What stands where one points: the figures of a space, a corner, a car."""

from __future__ import annotations

from collections.abc import Sequence

from heat_core.sentences import gear_name, heat_text
from heat_core.track import Track
from heat_core.view import CarView, RaceView


def spot_text(
    view: RaceView,
    names: Sequence[str],
    track: Track,
    *,
    space: int | None,
    cars: Sequence[int],
    corner: int | None,
) -> str:
    """Tell the figures of what is pointed at.

    Args:
        space: None beside the road.
        cars: Numbers of the cars there.
        corner: Number of the corner whose line or sign is there, from 0, None elsewhere.

    Returns:
        "" for nothing.
    """
    told = [_car_text(view.cars[number], names[number]) for number in cars]
    if corner is not None:
        facts = track.corners[corner]
        told.append(f"corner {corner + 1}: limit {facts.limit}, the line is after space {facts.after_space}")
    elif space is not None:
        place = f"space {space}"
        if space in {facts.legends_line_after_space for facts in track.corners}:
            place += ", Legends line after it"
        ahead = min(track.corners, key=lambda facts: (facts.after_space - space) % track.spaces)
        way = (ahead.after_space - space) % track.spaces
        told.append(f"{place}; {way} to the corner line (limit {ahead.limit})")
    return "; ".join(told)


def _car_text(car: CarView, name: str) -> str:
    if car.is_legend:
        speed = "" if car.speed is None else f", last speed {car.speed}"
        return f"{name} (Legend): lap {car.lap}{speed}"
    return (
        f"{name}: lap {car.lap}, {gear_name(car.gear)} gear, engine {heat_text(car.engine)}, "
        f"{car.hand_size} in hand"
    )
