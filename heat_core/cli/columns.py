"""`columns` of `python -m heat_core`: records as tables, CSV and, where pyarrow is installed, Parquet.

The first Ctrl-C lets the records that are being read end; the files then hold what there is by then.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from types import UnionType
from typing import Any, Final, NamedTuple, get_args

import click
import msgspec

from heat_core.cli.progress import Progress, say_that_it_stops
from heat_core.cli.workers import CORES, run_all
from heat_core.files import shown_path
from heat_core.game_files import read_record
from heat_core.options.whole_number import WholeNumber
from heat_core.record.columns import ROWS, RecordRows, Row, record_rows
from heat_core.record.record import BadRecord
from heat_core.signals import Interruption
from heat_core.text import counted

HAS_PARQUET: Final = find_spec("pyarrow") is not None

_ROWS_A_GROUP: Final = 50_000
"""Of a Parquet file, which are written at once."""


@click.command("columns")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write to. Without this option the files lie beside the records.",
)
@click.option("--jobs", type=WholeNumber(1, 1_000), default=CORES, show_default="all cores")
def columns_command(folder: Path, output: Path | None, jobs: int) -> None:
    """Write the records of a folder as tables: races, cars, turns and decisions.

    Each table is a CSV file, and a Parquet file where pyarrow is installed (docs/study.md). Records that do
    not hold are named and left out.
    """
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise click.ClickException(f"{shown_path(folder)} has no records: no file there ends in .jsonl")
    target = output or folder
    target.mkdir(parents=True, exist_ok=True)
    progress = Progress(len(paths), "records")
    faults: list[str] = []
    read = 0
    with ExitStack() as stack:
        sheets = {name: stack.enter_context(_Sheet(target, name, row)) for name, row in ROWS.items()}
        interruption = stack.enter_context(Interruption(say_that_it_stops))
        wanted = takewhile(lambda _: not interruption.has_come, enumerate(paths))
        torn = f"The tables in {shown_path(target)} are incomplete; run the same command again."
        results = run_all(_read, wanted, jobs, if_killed=torn)
        for read, result in enumerate(_in_order(results), start=1):
            if isinstance(result, str):
                faults.append(result)
            else:
                for name, rows in result._asdict().items():
                    sheets[name].add(rows)
            progress.tell(read)
    for fault in faults:
        click.echo(fault, err=True)
    click.echo(
        f"{shown_path(target)}: "
        + ", ".join(f"{sheet.rows} {name}" for name, sheet in sheets.items())
        + (" in CSV and Parquet" if HAS_PARQUET else " in CSV; install pyarrow for Parquet")
    )
    progress.end(read)
    if faults:
        raise click.ClickException(f"{counted(len(faults), 'record')} left out")


class _Result(NamedTuple):
    """What became of a record.

    Attributes:
        number: Its place in the list of them.
        rows: Those of the race, or what is wrong with it.
    """

    number: int
    rows: RecordRows | str


def _read(task: tuple[int, Path]) -> _Result:
    """Read one record, in whichever process."""
    number, path = task
    try:
        record = read_record(path)
    except BadRecord as error:
        return _Result(number, str(error))
    try:
        return _Result(number, record_rows(path.stem, record))
    except BadRecord as error:
        return _Result(number, f"{shown_path(path)}: {error}")


def _in_order(results: Iterable[_Result]) -> Iterator[RecordRows | str]:
    """Put results that come as they are ready into the order of the list."""
    waiting: dict[int, RecordRows | str] = {}
    following = 0
    for result in results:
        waiting[result.number] = result.rows
        while following in waiting:
            yield waiting.pop(following)
            following += 1


class _Sheet:
    """The file of a kind of row, and where pyarrow is installed the Parquet file beside it.

    Attributes:
        rows: How many it has.
    """

    def __init__(self, folder: Path, name: str, row: type[Row]) -> None:
        """Begin its files, in place of those of that name.

        Raises:
            OSError: One cannot be written.
        """
        self.rows = 0
        self._file = (folder / f"{name}.csv").open("w", encoding="utf-8", newline="")
        self._csv = csv.writer(self._file, lineterminator="\n")
        self._csv.writerow(row.__struct_fields__)
        self._parquet = _ParquetFile(folder / f"{name}.parquet", row) if HAS_PARQUET else None

    def add(self, rows: Sequence[Row]) -> None:
        """Write rows."""
        self.rows += len(rows)
        self._csv.writerows(map(msgspec.structs.astuple, rows))
        if self._parquet:
            self._parquet.add(rows)

    def __enter__(self) -> _Sheet:
        """Give it."""
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self._parquet:
            self._parquet.close()


class _ParquetFile:
    """The same as Parquet, in groups of many rows."""

    def __init__(self, path: Path, row: type[Row]) -> None:
        import pyarrow
        from pyarrow.parquet import ParquetWriter

        types = {str: pyarrow.string(), int: pyarrow.int64(), bool: pyarrow.bool_()}
        columns = [(field.name, types[_plain(field.type)]) for field in msgspec.structs.fields(row)]
        self._schema = pyarrow.schema(columns)
        self._writer = ParquetWriter(path, self._schema)
        self._make_table = pyarrow.Table.from_pylist
        self._waiting: list[dict[str, Any]] = []

    def add(self, rows: Sequence[Row]) -> None:
        """Take rows, and write them once there are many."""
        self._waiting += map(msgspec.structs.asdict, rows)
        if len(self._waiting) >= _ROWS_A_GROUP:
            self._write()

    def close(self) -> None:
        """Write the rest."""
        self._write()
        self._writer.close()

    def _write(self) -> None:
        self._writer.write_table(self._make_table(self._waiting, schema=self._schema))
        self._waiting.clear()


def _plain(kind: Any) -> Any:
    """Give the type of a field without its None."""
    return (
        next(one for one in get_args(kind) if one is not type(None)) if isinstance(kind, UnionType) else kind
    )
