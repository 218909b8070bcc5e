"""How long a test waits for what must happen, on a machine that is busy with other things."""

from __future__ import annotations

from typing import Final

PATIENCE_SECONDS: Final = 60.0
