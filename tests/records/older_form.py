"""Values as release 0.2 wrote them: parts of bills and symbols without the names of their fields."""

from __future__ import annotations

from typing import Any

from heat_core.record.record import RECORD_FORMAT


def unnamed(value: Any) -> Any:
    """Turn plain values of this version into the older form, the head of a record too."""
    if isinstance(value, dict):
        if "rule" in value and "amount" in value:
            return [value["rule"], value["amount"], value.get("card", 0)]
        if "kind" in value and "source" in value:
            return [
                *(value[name] for name in ("kind", "number", "source")),
                value.get("card", 0),
                value.get("line"),
            ]
        return {
            key: 1 if (key, part) == ("format", RECORD_FORMAT) and "version" in value else unnamed(part)
            for key, part in value.items()
        }
    return [unnamed(part) for part in value] if isinstance(value, list) else value
