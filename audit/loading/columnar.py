"""Read bulk events, column by column, with the checks of the strict reader.

A match may hold thousands of events of one type whose fields are integers and lists of integers,
such as the rounds of Smallest Unique Number. :func:`split_log` splits its log in two. The strict
reader reads the small part, which is a valid log too. DuckDB reads the bulk lines, and
:func:`write` proves that the strict reader would have accepted each of them:

- Its bytes are sealed: :func:`split_log` checks the whole log against the seal.
- It is canonical, has all declared fields and no others, and each value has its declared type.
  DuckDB writes the line again from its typed columns and compares the text.
- Its numbers are within the bounds of the event model.
- Its ``seq`` is its position in the log.

If a check fails, :class:`NeedsStrictRead` is raised. Then the strict reader reads all logs in full
and reports the error.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NotRequired, Required, get_args, get_origin

import duckdb
import orjson
from annotated_types import Ge, Le
from pydantic.fields import FieldInfo
from typing_extensions import get_type_hints

from audit import memory
from audit.loading.columns import Columns, literal, of_model, quoted
from schema import registry
from schema.canonical import Event
from schema.errors import GameError, KothError, UsageError
from schema.events import FORMAT
from schema.reader import Log

MIN_BULK_LINES = 100
"""The least number of bulk lines for which splitting a log saves time."""

ADDED_COLUMNS = ("bundle", "game")
"""Columns that an archive adds; an event field of the same name gets the suffix ``_``."""

INTEGER_TYPES = {"BIGINT": '"BIGINT"', "BIGINT[]": '["BIGINT"]'}
"""Column types of bulk events, each in the notation of ``from_json``."""

PIECE = 256 << 10
"""Bytes of the lines that are handed over together, in one row; its last line may exceed them."""

BUFFER = 8 << 20
"""Bytes of rows that a thread of DuckDB parses at a time."""

COLUMNS, LINES = b"\t", b"\x1f"
"""Separators of the columns of a row, and of the lines in it; no canonical line has either."""

SECOND_LINE = re.compile(rb'\{"seq":1,"type":"(\w+)",')
"""The start of the first bulk line, which is the second line of the log."""

SEQ = re.compile(rb'\{"seq":([1-9][0-9]{0,17})')
"""The start of a line, with a ``seq`` that DuckDB can hold."""

Bounds = tuple[int, int]
INT = (-(2**63), 2**63 - 1)


class NeedsStrictRead(KothError):
    """Raised when a bulk line fails a check, so that the strict reader must read all logs."""


@dataclass(frozen=True)
class BulkType:
    """An event type whose events DuckDB reads directly."""

    game: str
    columns: Columns
    optional: frozenset[str]
    """Names of the optional fields."""
    bounds: Mapping[str, Bounds]
    """Minimum and maximum of the integers in each field."""

    @property
    def name(self) -> str:
        """The stem of the names of its files."""
        return f"bulk-{self.game}-{self.columns.type}"


@dataclass(frozen=True)
class SplitLog:
    """A sealed log in two parts."""

    bulk_type: BulkType
    bulk_lines: bytes
    """The bulk, which starts at the second line of the log."""
    rest: bytes
    """The other lines as a valid log, renumbered and with a new seal."""
    count: int
    """Number of bulk lines, which is the ``seq`` of the last one."""
    digest: str
    """The hash in the original seal."""

    def events(self, rest: Log) -> Iterator[tuple[int, Event]]:
        """Yield the events of ``rest`` with the ``seq`` and the seal of the original log."""
        start, *others = rest.events
        yield 0, start
        yield from enumerate(others[:-1], self.count + 1)
        above = self.count + len(others)
        yield above, {**others[-1], "events": above, "sha256": self.digest}

    def rows(self, log: int, match: str) -> Iterator[bytes]:
        """Yield rows for :func:`write`: the log's number, the match id, and a piece of the bulk."""
        origin = COLUMNS.join([b"%d" % log, match.encode(), b""])
        text, begin = self.bulk_lines.replace(b"\n", LINES), 0
        while begin < len(text):
            end = text.find(LINES, begin + PIECE)
            end = end if end >= 0 else len(text) - 1
            yield b"%b%b\n" % (origin, text[begin:end])
            begin = end + 1


def split_log(data: bytes) -> SplitLog | None:
    """Split a sealed log; return None if it is not valid or has too few bulk lines."""
    head = data.find(b"\n") + 1
    second = SECOND_LINE.match(data, head)
    bulk_type = second and _bulk_type_of(data[:head], second[1].decode())
    if not second or not bulk_type:
        return None
    mark = data.rfind(b',"type":"%s",' % second[1])
    last, end = data.rfind(b"\n", 0, mark) + 1, data.find(b"\n", mark) + 1
    tail = data[end:].splitlines(keepends=True)
    # DuckDB may take a carriage return for the end of a row.
    if not tail or any(c in data for c in (COLUMNS, LINES, b"\r")):
        return None
    seq = SEQ.fullmatch(data, last, mark)
    count = int(seq[1]) if seq else 0  # _check_order compares it with the lines
    if count < MIN_BULK_LINES:
        return None
    digest = sha256(memoryview(data)[: -len(tail[-1])]).hexdigest()
    rest = _without_bulk(data[:head], tail, count, _seal(count + len(tail), digest))
    return SplitLog(bulk_type, data[head:end], rest, count, digest) if rest else None


def _without_bulk(first: bytes, tail: list[bytes], count: int, seal: bytes) -> bytes | None:
    """Join ``first`` and ``tail`` as a valid log; return None if ``tail`` has a wrong seal or seq.

    ``count`` lines between the two are left out.
    """
    if not tail[-1].endswith(seal):
        return None
    tail[-1] = tail[-1][: -len(seal)]
    for position, line in enumerate(tail):
        start = b'{"seq":%d,' % (count + 1 + position)
        if not line.startswith(start):
            return None
        tail[position] = b'{"seq":%d,' % (1 + position) + line[len(start) :]
    body = b"".join([first, *tail[:-1]])
    return body + tail[-1] + _seal(len(tail), sha256(body).hexdigest())


def _seal(above: int, digest: str) -> bytes:
    """Return the end of a seal's line, with the number of events above it."""
    return b'"events":%d,"sha256":"%s"}\n' % (above, digest.encode())


def _bulk_type_of(first: bytes, type: str) -> BulkType | None:
    """Return the bulk type called ``type`` of the game in the log's first line, if it has one."""
    try:
        start = orjson.loads(first)
        if start["format"] == FORMAT:  # a log of an older format is upcast as a whole
            return bulk_types(start["game"]).get(type)
    except (ValueError, TypeError, KeyError, UsageError, GameError):
        pass  # the strict reader reports the error
    return None


@cache
def bulk_types(game: str) -> Mapping[str, BulkType]:
    """Return the bulk types of a game by name.

    Raises UsageError if the game is unknown, and GameError if its package is broken.
    """
    models: dict[str, set[type]] = {}
    for version in registry.card(game).versions.values():
        for model in version.event_models():
            models.setdefault(of_model(model).type, set()).add(model)
    return {
        name: bulk_type
        for name, [model, *others] in models.items()
        if not others and (bulk_type := _bulk_type(game, model))
    }


def _bulk_type(game: str, model: type) -> BulkType | None:
    """Return the model as a bulk type; None if it has a field that is not of bounded integers."""
    hints = get_type_hints(model, include_extras=True)
    hints.pop("type")
    bounds = {name: _bounds(hint) for name, hint in hints.items()}
    known = {name: bound for name, bound in bounds.items() if bound and name not in ADDED_COLUMNS}
    origins: dict[str, Any] = {name: get_origin(hint) for name, hint in hints.items()}
    optional = {name for name, origin in origins.items() if origin is NotRequired}
    if known.keys() != hints.keys() or not getattr(model, "__total__", False):
        return None
    return BulkType(game, of_model(model), frozenset(optional), known)


def _bounds(hint: Any, in_list: bool = False) -> Bounds | None:
    """Return the bounds of an integer or a list of integers; None for any other field."""
    if hint is int:
        return INT
    arguments = get_args(hint)
    if get_origin(hint) in (NotRequired, Required):
        return None if in_list else _bounds(arguments[0])
    if get_origin(hint) is list and not in_list:
        return _bounds(arguments[0], True)
    if get_origin(hint) is not Annotated:
        return None
    bounds = _bounds(arguments[0], in_list)
    for extra in arguments[1:]:
        for limit in extra.metadata if isinstance(extra, FieldInfo) else [extra]:
            match bounds, limit:
                case (low, high), Ge(ge=int(ge)):
                    bounds = max(low, ge), high
                case (low, high), Le(le=int(le)):
                    bounds = low, min(high, le)
                case _:
                    return None
    return bounds


def write(
    connection: duckdb.DuckDBPyConnection,
    bulk: BulkType,
    source: Path,
    target: Path,
    options: str,
    head: str = "",
) -> None:
    """Write the bulk events in ``source`` to the Parquet file ``target``, by log and seq.

    Its columns are ``head``, ``log``, ``match``, ``seq`` and the fields of the event; ``options``
    are those of COPY. ``source`` holds the :meth:`SplitLog.rows` of every log in turn; the column
    ``bulk`` of the table ``raw.logs`` counts their lines.
    Raises NeedsStrictRead if a line fails a check.
    """
    columns = bulk.columns.columns
    shape = ",".join(f'"{column.name}":{INTEGER_TYPES[column.type]}' for column in columns)
    fields = ", ".join(f"event.{quoted(column.name)}" for column in columns)
    strict = [
        f"line = {_line(bulk)}",
        # No field is a string, so "null" can only be a missing value.
        "NOT contains(line, 'null')",
        *_bound_checks(bulk),
    ]
    try:
        memory.run(
            connection,
            f"""
            COPY (
                SELECT {head} log, match, event.seq AS seq, {fields}
                FROM (
                    SELECT
                        log, match, unnest(string_split(piece, chr({LINES[0]}))) AS line,
                        from_json(line, '{{"seq":"BIGINT",{shape}}}') AS event
                    FROM read_csv(
                        {literal(glob.escape(str(source)))}, auto_detect = false, header = false,
                        delim = '\\t', quote = '', escape = '', new_line = '\\n',
                        buffer_size = {BUFFER}, hive_partitioning = false,
                        columns = {{log: 'BIGINT', match: 'VARCHAR', piece: 'VARCHAR'}}
                    )
                )
                WHERE CASE WHEN {" AND ".join(strict)} THEN true ELSE error('not canonical') END
            )
            TO {literal(target)} (FORMAT parquet, {options})
            """,
        )
        _check_order(connection, bulk, target)
    except (duckdb.Error, memory.Shortage) as error:
        raise NeedsStrictRead(f"{bulk.name}: {error}") from error


def _line(bulk: BulkType) -> str:
    """Return the SQL that writes an event's line from its typed columns."""
    parts = [literal('{"seq":'), "event.seq", literal(f',"type":"{bulk.columns.type}"')]
    for column in bulk.columns.columns:
        name, value = literal(f',"{column.name}":'), f"event.{quoted(column.name)}"
        text = value if column.type == "BIGINT" else f"to_json({value})"
        # concat skips a NULL value; || makes the name NULL too, so that it skips both.
        parts.append(f"{name} || {text}" if column.name in bulk.optional else f"{name}, {text}")
    return f"concat({', '.join(parts)}, '}}')"


def _bound_checks(bulk: BulkType) -> Sequence[str]:
    """Return the SQL conditions for bounds that are narrower than the column's type."""
    checks = []
    for column in bulk.columns.columns:
        name, (low, high) = f"event.{quoted(column.name)}", bulk.bounds[column.name]
        if (low, high) == INT:
            continue
        if column.type == "BIGINT":
            check = f"{name} BETWEEN {low} AND {high}"
        else:  # list_min and list_max of an empty list are NULL
            check = (
                f"coalesce(list_min({name}) >= {low}, true) "
                f"AND coalesce(list_max({name}) <= {high}, true)"
            )
        checks.append(
            f"coalesce({check}, true)" if column.name in bulk.optional else f"({check}) IS TRUE"
        )
    return checks


def _check_order(connection: duckdb.DuckDBPyConnection, bulk: BulkType, target: Path) -> None:
    """Check that rows follow each other by log and ``seq``, and that none is missing."""
    [(wrong,)] = connection.execute(
        """
        WITH logs AS (
            SELECT _log AS log, bulk, sum(bulk) OVER (ORDER BY _log) - bulk AS above
            FROM raw.logs
            WHERE bulk_type = $type AND _game = $game
        )
        SELECT
            (SELECT coalesce(sum(bulk), 0) FROM logs) <> count(*)
            OR count(*) <> count(*) FILTER (rows.file_row_number = logs.above + rows.seq - 1)
        FROM (
            SELECT log, seq, file_row_number
            FROM read_parquet($file, file_row_number = true, hive_partitioning = false)
        ) AS rows
        LEFT JOIN logs ON rows.log = logs.log
        """,
        {"type": bulk.columns.type, "game": bulk.game, "file": glob.escape(str(target))},
    ).fetchall()
    if wrong:
        raise NeedsStrictRead(f"{bulk.name}: a line's seq is not its position")
