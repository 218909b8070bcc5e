"""Tables that are built already, kept for all races of a program."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from heat_core.planner.table_key import TableKey
from heat_core.planner.value_table import ValueTable, build_table

MOST_BYTES: Final = 256 * 1024 * 1024


class Tables:
    """Value tables by their key; those unused the longest go where they would take too much memory."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Begin with none."""
        self._most_bytes = most_bytes
        self._bytes = 0
        self._tables: OrderedDict[TableKey, ValueTable] = OrderedDict()

    def has(self, key: TableKey) -> bool:
        """Tell whether a table is built."""
        return key in self._tables

    def put(self, table: ValueTable) -> None:
        """Keep a table that was built elsewhere."""
        if table.key in self._tables:
            return
        self._tables[table.key] = table
        self._bytes += table.size
        while self._bytes > self._most_bytes and len(self._tables) > 1:
            _, oldest = self._tables.popitem(last=False)
            self._bytes -= oldest.size

    def get(self, key: TableKey) -> ValueTable:
        """Give a table; one that is not there is built at once, which takes 0.2 to 0.4 s."""
        table = self._tables.get(key)
        if table is None:
            table = build_table(key)
            self.put(table)
        else:
            self._tables.move_to_end(key)
        return table


TABLES: Final = Tables()
"""Those of this process."""
