"""What remains of a race that is over: its record, and its line in the index of finished races."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from heat_core.record.record import Record
from heat_tui.saved.finished import Finished, FinishedIndex, finished_races, own_cars
from heat_tui.saved.records import keep_record, record_digest
from heat_tui.state import Folders, Settings


async def keep_races(
    folders: Folders, settings: Settings, races: Sequence[Record], seats: Sequence[int], player_name: str = ""
) -> None:
    """Write down races that are over; what cannot be written stops nobody.

    Records are saved as the settings say, the index has a line of each race all the same.

    Args:
        seats: Those played at this keyboard; see `own_cars`.
        player_name: Empty: the settings' name.
    """
    player_name = player_name or settings.player_name
    await asyncio.to_thread(_keep, folders, settings, races, seats, player_name)


def _keep(
    folders: Folders, settings: Settings, races: Sequence[Record], seats: Sequence[int], player_name: str
) -> None:
    moment, finished = datetime.now(UTC), list[Finished]()
    for race in races:
        path = keep_record(folders, race, moment) if settings.replays else None
        finished += finished_races(
            race,
            own_cars(race, seats, player_name),
            moment,
            digest=record_digest(race),
            record_name=path.name if path is not None else "",
        )
    FinishedIndex(folders, player_name).add(*finished)
