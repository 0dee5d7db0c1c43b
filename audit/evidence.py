"""Load evidence files, which the referee writes beside the logs, into a table.

No replay can check evidence, so it is read leniently: a line that is not a note is skipped and
counted, and unknown fields are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import orjson

from audit.loading.columns import quoted
from audit.loading.parquet import file_list
from audit.tables import Database
from schema import discovery
from schema.errors import LogError
from schema.files import LINE_BYTES, open_regular
from schema.system_errors import raise_exhaustion

Note = dict[str, Any]

LOG_COLUMNS = ("log", "match", "game")
"""The columns that come from the log."""

FITS: dict[str, Callable[[Any], bool]] = {
    "BIGINT": lambda value: type(value) is int and -(2**63) <= value < 2**63,
    "BIGINT[]": lambda value: isinstance(value, list) and all(map(FITS["BIGINT"], value)),
    "BOOLEAN": lambda value: isinstance(value, bool),
    "DOUBLE": lambda value: type(value) in (int, float),
    "VARCHAR": lambda value: isinstance(value, str),
    "VARCHAR[]": lambda value: isinstance(value, list) and all(map(FITS["VARCHAR"], value)),
    "JSON": lambda value: isinstance(value, dict),
}
"""Whether a value fits a column, by the column's type; NULL fits every column."""


def staging_file(database: Database) -> Path:
    """Return the path of the file from which DuckDB reads the evidence."""
    return Path(database.folder.name) / "evidence.jsonl"


def load(database: Database) -> None:
    """Fill the table ``evidence`` from the files beside the logs, on the first call only.

    Sets ``database.skipped`` to the number of lines that could not be read.
    """
    if database.skipped is not None:
        return
    database.skipped = 0
    try:
        _load(database)
    except BaseException:  # such as an interrupt: the next query reads it again
        database.skipped = None
        raise


def _load(database: Database) -> None:
    columns: dict[str, str] = dict(
        database.rows(
            "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'evidence'"
        )
    )
    longest = 0
    with staging_file(database).open("wb") as file:
        for note in _notes(database, columns):
            try:
                line = orjson.dumps(note, option=orjson.OPT_APPEND_NEWLINE)
            except orjson.JSONEncodeError:  # orjson reads deeper nesting than it writes
                _skip(database)
            else:
                longest = max(longest, file.write(line))
    types = ", ".join(f"{quoted(name)}: '{type}'" for name, type in columns.items())
    database.execute(
        f"INSERT INTO evidence BY NAME FROM read_json({file_list([staging_file(database)])}, "
        f"format = 'newline_delimited', hive_partitioning = false, columns = {{{types}}}, "
        f"maximum_object_size = {max(LINE_BYTES, longest + 1)})"
    )


def _notes(database: Database, columns: dict[str, str]) -> Iterator[Note]:
    """Yield the notes on every match, each with its log and the fields of the file's first line."""
    for log, match, game in database.rows(
        "SELECT log, match, game FROM logs WHERE kind = 'match' ORDER BY log"
    ):
        about: Note = dict(zip(LOG_COLUMNS, (log, match, game), strict=True))
        path = discovery.evidence(database.log_paths[log])
        try:
            with open_regular(path) as file:
                yield from _file(database, file, about, columns)
        except FileNotFoundError:
            pass
        except (LogError, OSError) as error:
            raise_exhaustion(error)
            _skip(database)


def _file(
    database: Database, file: IO[bytes], about: Note, columns: dict[str, str]
) -> Iterator[Note]:
    """Yield the notes of one file, each with the fields of the file's first line.

    Reading stops at a line that is too long.
    """
    while line := file.readline(LINE_BYTES + 1):
        if len(line) > LINE_BYTES:
            _skip(database)
            return
        note = _known(line, columns)
        if note is None:
            _skip(database)
        elif note.get("seat") is None:
            about = about | note  # a resumed match has another such line
        elif note.keys() != {"seat"}:  # `not_kept` is about later matches, and about no answer
            yield about | note


def _known(line: bytes, columns: dict[str, str]) -> Note | None:
    """Return the known fields of one line; None if it is neither a note nor a file's first line."""
    try:
        note = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(note, dict) or (note.get("seat") is None and "format" not in note):
        return None
    known = {name: note[name] for name in columns if name in note and name not in LOG_COLUMNS}
    fits = all(value is None or FITS[columns[name]](value) for name, value in known.items())
    return known if fits else None


def _skip(database: Database) -> None:
    database.skipped = (database.skipped or 0) + 1
