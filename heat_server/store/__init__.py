"""The server's memory: an embedded store that a killed server starts again from (NET-14)."""

from heat_server.store.database import Store
from heat_server.store.errors import BadWrites, NoSuchMatch, StoreFailed, StoreRefused
from heat_server.store.reading import KeptMatch, KeptRace, KeptTitle

__all__ = [
    "BadWrites",
    "KeptMatch",
    "KeptRace",
    "KeptTitle",
    "NoSuchMatch",
    "Store",
    "StoreFailed",
    "StoreRefused",
]
