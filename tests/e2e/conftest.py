"""The clients of these tests believe in the same terminal as those of tests/tui, and wait as they do.

Whoever needs a database has one of its own in the same PostgreSQL server as those of tests/server.
"""

from tests.server.conftest import cluster
from tests.tui.conftest import _enter_at_once, _parse_once, _usual_terminal, _wait_quietly, address

__all__ = ["_enter_at_once", "_parse_once", "_usual_terminal", "_wait_quietly", "address", "cluster"]
