"""All properties of random play: each has a sentence for its name and looks on at one race."""

from __future__ import annotations

from typing import Final

from tests.core.driver import Property
from tests.core.properties_engine import ENGINE_PROPERTIES
from tests.core.properties_forecasts import FORECAST_PROPERTIES
from tests.core.properties_ruled import RULED_PROPERTIES
from tests.core.properties_seen import SEEN_PROPERTIES

EVERY_PROPERTY: Final[tuple[type[Property], ...]] = (
    *ENGINE_PROPERTIES,
    *SEEN_PROPERTIES,
    *FORECAST_PROPERTIES,
    *RULED_PROPERTIES,
)
