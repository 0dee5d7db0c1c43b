"""Evidence as a table: what the referee noted beside the logs, which no replay can check.

A log is read strictly; evidence is read leniently, for nothing rests on it and more may be added
to it: a line that is no note is passed over and counted, and fields that are not known are left
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import orjson

from audit.loading.columns import quoted
from audit.tables import Database
from schema import discovery
from schema.errors import LogError
from schema.files import LINE_BYTES, open_regular

Note = dict[str, Any]

PLACE = ("log", "match", "game")
"""The columns that come from the log."""

FITS: dict[str, Callable[[Any], bool]] = {
    "BIGINT": lambda value: type(value) is int and -(2**63) <= value < 2**63,
    "DOUBLE": lambda value: type(value) in (int, float),
    "VARCHAR": lambda value: isinstance(value, str),
    "JSON": lambda value: isinstance(value, dict),
}
"""Which values a column of a type takes; NULL fits everywhere."""


def spool(database: Database) -> Path:
    """The file from which DuckDB reads the evidence."""
    return Path(database.folder.name) / "evidence.jsonl"


def load(database: Database) -> None:
    """Fill the table ``evidence`` from the files beside the logs that were read, once.

    Afterwards ``database.skipped`` says how many lines could not be read.
    """
    if database.skipped is not None:
        return
    database.skipped = 0
    columns: dict[str, str] = dict(
        database.connection.execute(
            "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'evidence'"
        ).fetchall()
    )
    longest = 0
    with spool(database).open("wb") as file:
        for note in _notes(database, columns):
            longest = max(longest, file.write(orjson.dumps(note, option=orjson.OPT_APPEND_NEWLINE)))
    types = ", ".join(f"{quoted(name)}: '{type}'" for name, type in columns.items())
    database.connection.execute(
        f"INSERT INTO evidence BY NAME FROM read_json('{spool(database)}', "
        f"format = 'newline_delimited', columns = {{{types}}}, "
        f"maximum_object_size = {max(LINE_BYTES, longest + 1)})"
    )


def _notes(database: Database, columns: dict[str, str]) -> Iterator[Note]:
    """The notes on every match, each with its place and what the file's first line says."""
    for log, match, game in database.connection.execute(
        "SELECT log, match, game FROM logs WHERE kind = 'match' ORDER BY log"
    ).fetchall():
        about: Note = dict(zip(PLACE, (log, match, game), strict=True))
        beside = discovery.evidence(database.places[log])
        try:
            with open_regular(beside) as file:
                yield from _file(database, file, about, columns)
        except FileNotFoundError:
            pass
        except (LogError, OSError):
            _skip(database)


def _file(
    database: Database, file: IO[bytes], about: Note, columns: dict[str, str]
) -> Iterator[Note]:
    """Yield the notes of one file; its first line is about all of them.

    Lines after one that is too long are not read.
    """
    while line := file.readline(LINE_BYTES + 1):
        if len(line) > LINE_BYTES:
            _skip(database)
            return
        note = _known(line, columns)
        if note is None:
            _skip(database)
        elif note.get("seat") is None:
            about = about | note  # a match that was gone on with has another such line
        else:
            yield about | note


def _known(line: bytes, columns: dict[str, str]) -> Note | None:
    """What is known of the fields of one line; None if it is no note, nor the first line of one."""
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(found, dict) or (found.get("seat") is None and "format" not in found):
        return None
    known = {name: found[name] for name in columns if name in found and name not in PLACE}
    fits = all(value is None or FITS[columns[name]](value) for name, value in known.items())
    return known if fits else None


def _skip(database: Database) -> None:
    database.skipped = (database.skipped or 0) + 1
