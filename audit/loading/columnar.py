"""Bulk events: so many, and so plain, that DuckDB reads them a column at a time, no less strictly.

A match may hold thousands of events of one type whose fields are integers and lists of integers,
as the rounds of Smallest Unique Number are. :func:`cut` parts its log in two. The rest, with the
few other events, is a log as well, which the strict reader reads. The lines of the bulk go to
DuckDB as they are, and :func:`write` proves that the strict reader would have taken each of them:

- its bytes are those that were sealed: :func:`cut` holds the whole log against the seal;
- it is canonical, has all declared fields and no other, and each value is of its type: written
  again from its typed columns, it is the same text;
- its numbers are within the bounds that the event's model sets;
- its ``seq`` is its place in the log.

So nothing is taken on trust here. What is in doubt is not explained here either: :class:`InDoubt`
is raised, and the strict reader reads everything and says what is wrong.
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

from audit.loading.columns import Columns, literal, of_model, quoted
from schema import registry
from schema.canonical import Event
from schema.errors import KothError, UsageError
from schema.events import FORMAT
from schema.reader import Log

LEAST = 100
"""With fewer lines than that a log is not worth cutting."""

TAKEN = ("bundle", "game")
"""Fields that would have another name in an archive."""

INTEGERS = {"BIGINT": '"BIGINT"', "BIGINT[]": '["BIGINT"]'}
"""The columns that a bulk event may have, as ``from_json`` wants them."""

SECOND = re.compile(rb'\{"seq":1,"type":"(\w+)",')
"""How the first line of the bulk begins, the second of the log."""

Bounds = tuple[int, int]
INT = (-(2**63), 2**63 - 1)


class InDoubt(KothError):
    """Some line of the bulk may not be what the strict reader takes."""


@dataclass(frozen=True)
class Bulk:
    """An event type whose events are bulk."""

    game: str
    columns: Columns
    optional: frozenset[str]
    """The fields that need not be there."""
    bounds: Mapping[str, Bounds]
    """The least and the most that each integer may be, those in lists too."""

    @property
    def name(self) -> str:
        """What its files are called by."""
        return f"bulk-{self.game}-{self.columns.type}"


@dataclass(frozen=True)
class Cut:
    """A sealed log in two parts."""

    bulk: Bulk
    lines: bytes
    """The bulk, from the log's second line on."""
    rest: bytes
    """The other lines as a log of its own, with other ``seq`` and a seal of its own."""
    count: int
    """How many lines the bulk has."""
    digest: str
    """The hash in the seal."""

    def events(self, rest: Log) -> Iterator[tuple[int, Event]]:
        """The events of the rest as the whole log has them, each with its ``seq``."""
        start, *others = rest.events
        yield 0, start
        yield from enumerate(others[:-1], self.count + 1)
        above = self.count + len(others)
        yield above, {**others[-1], "events": above, "sha256": self.digest}

    def placed(self, log: int, match: str) -> bytes:
        """The lines of the bulk, with the number of the log and the match before each."""
        place = f"{log}\t{match}\t".encode()
        return place + self.lines[:-1].replace(b"\n", b"\n" + place) + b"\n"


def cut(data: bytes) -> Cut | None:
    """The log in two parts; None if it is none, has hardly any bulk, or is no sealed log."""
    head = data.find(b"\n") + 1
    second = SECOND.match(data, head)
    bulk = second and _bulk_of(data[:head], second[1].decode())
    if not second or not bulk:
        return None
    mark = b',"type":"%s",' % second[1]
    end = data.find(b"\n", data.rfind(mark)) + 1
    lines, tail = data[head:end], data[end:].splitlines(keepends=True)
    # No line has a tab or a carriage return; DuckDB might take one for the end of a line.
    if not tail or not tail[-1].endswith(b"\n") or b"\t" in data or b"\r" in data:
        return None
    count = lines.count(mark)
    if count < LEAST:
        return None
    above = count + len(tail)
    digest = sha256(memoryview(data)[: -len(tail[-1])]).hexdigest()
    sealed = _seal(above, digest)
    if not tail[-1].endswith(sealed):
        return None
    tail[-1] = tail[-1][: -len(sealed)]
    for place, line in enumerate(tail):
        begins = b'{"seq":%d,' % (count + 1 + place)
        if not line.startswith(begins):
            return None
        tail[place] = b'{"seq":%d,' % (1 + place) + line[len(begins) :]
    body = b"".join([data[:head], *tail[:-1]])
    rest = body + tail[-1] + _seal(len(tail), sha256(body).hexdigest())
    return Cut(bulk, lines, rest, count, digest)


def _seal(above: int, digest: str) -> bytes:
    """How the seal of a log ends."""
    return b'"events":%d,"sha256":"%s"}\n' % (above, digest.encode())


def _bulk_of(first: bytes, type: str) -> Bulk | None:
    """The bulk type that the events of a log are of, by the log's first line."""
    try:
        start = orjson.loads(first)
        if start["format"] == FORMAT:
            return bulk_types(start["game"]).get(type)
    except (ValueError, TypeError, KeyError, UsageError):
        pass  # the strict reader says what is wrong
    return None


@cache
def bulk_types(game: str) -> Mapping[str, Bulk]:
    """The bulk types of a game, by name. Raises UsageError when there is no such game."""
    found: dict[str, Bulk] = {}
    models: dict[str, set[type]] = {}
    for version in registry.card(game).versions.values():
        for model in version.event_models():
            models.setdefault(of_model(model).type, set()).add(model)
    for name, [model, *others] in models.items():
        bulk = _bulk(game, model)
        if bulk and not others:
            found[name] = bulk
    return found


def _bulk(game: str, model: type) -> Bulk | None:
    """The model as a bulk type; None if its fields are something else than bounded integers."""
    hints = get_type_hints(model, include_extras=True)
    hints.pop("type")
    bounds = {name: _bounds(hint) for name, hint in hints.items()}
    known = {name: bound for name, bound in bounds.items() if bound and name not in TAKEN}
    origins: dict[str, Any] = {name: get_origin(hint) for name, hint in hints.items()}
    optional = {name for name, origin in origins.items() if origin is NotRequired}
    if known.keys() != hints.keys() or not getattr(model, "__total__", False):
        return None
    return Bulk(game, of_model(model), frozenset(optional), known)


def _bounds(hint: Any, inside: bool = False) -> Bounds | None:
    """What the integers of a field are bounded by; None if there is more to the field."""
    if hint is int:
        return INT
    arguments = get_args(hint)
    if get_origin(hint) in (NotRequired, Required):
        return None if inside else _bounds(arguments[0])
    if get_origin(hint) is list and not inside:
        return _bounds(arguments[0], True)
    if get_origin(hint) is not Annotated:
        return None
    bounds = _bounds(arguments[0], inside)
    for extra in arguments[1:]:
        for limit in extra.metadata if isinstance(extra, FieldInfo) else [extra]:
            match bounds, limit:
                case (least, most), Ge(ge=int(ge)):
                    bounds = max(least, ge), most
                case (least, most), Le(le=int(le)):
                    bounds = least, min(most, le)
                case _:
                    return None
    return bounds


def write(
    connection: duckdb.DuckDBPyConnection,
    bulk: Bulk,
    source: Path,
    target: Path,
    options: str,
    head: str = "",
) -> None:
    """Write the bulk in the file ``source`` as a table of ``log``, ``match``, ``seq`` and fields.

    ``target`` is a new Parquet file, its rows by log and seq; ``options`` are those of COPY, and
    ``head`` are columns that come first. ``source`` has what :meth:`Cut.placed` gives of every log
    in turn, and the table ``raw.logs`` says how many lines that is (its column ``bulk``).
    Raises InDoubt.
    """
    columns = bulk.columns.columns
    shape = ",".join(f'"{column.name}":{INTEGERS[column.type]}' for column in columns)
    fields = ", ".join(f"event.{quoted(column.name)}" for column in columns)
    strict = [
        f"line = {_line(bulk)}",
        # No field is a text, so it would stand for a value that is none.
        "NOT contains(line, 'null')",
        *_within_bounds(bulk),
    ]
    try:
        connection.execute(
            f"""
            COPY (
                SELECT {head} log, match, event.seq AS seq, {fields}
                FROM (
                    SELECT
                        log, match, line,
                        from_json(line, '{{"seq":"BIGINT",{shape}}}') AS event
                    FROM read_csv(
                        {literal(glob.escape(str(source)))}, auto_detect = false, header = false,
                        delim = '\\t', quote = '', escape = '', new_line = '\\n',
                        columns = {{log: 'BIGINT', match: 'VARCHAR', line: 'VARCHAR'}}
                    )
                )
                WHERE CASE WHEN {" AND ".join(strict)} THEN true ELSE error('in doubt') END
            )
            TO {literal(target)} (FORMAT parquet, {options})
            """
        )
        _check_places(connection, bulk, target)
    except duckdb.Error as error:
        raise InDoubt(f"{bulk.name}: {error}") from error


def _line(bulk: Bulk) -> str:
    """The line of an event, written from its typed columns."""
    parts = [literal('{"seq":'), "event.seq", literal(f',"type":"{bulk.columns.type}"')]
    for column in bulk.columns.columns:
        name, value = literal(f',"{column.name}":'), f"event.{quoted(column.name)}"
        text = value if column.type == "BIGINT" else f"to_json({value})"
        # Of what is NULL, concat leaves out just itself; with || before it, the name as well.
        parts.append(f"{name} || {text}" if column.name in bulk.optional else f"{name}, {text}")
    return f"concat({', '.join(parts)}, '}}')"


def _within_bounds(bulk: Bulk) -> Sequence[str]:
    """What holds for numbers within the bounds, where these are narrower than the column."""
    found = []
    for column in bulk.columns.columns:
        name, (least, most) = f"event.{quoted(column.name)}", bulk.bounds[column.name]
        if (least, most) == INT:
            continue
        if column.type == "BIGINT":
            held = f"{name} BETWEEN {least} AND {most}"
        else:  # of an empty list both are NULL
            held = (
                f"coalesce(list_min({name}) >= {least}, true) "
                f"AND coalesce(list_max({name}) <= {most}, true)"
            )
        found.append(
            f"coalesce({held}, true)" if column.name in bulk.optional else f"({held}) IS TRUE"
        )
    return found


def _check_places(connection: duckdb.DuckDBPyConnection, bulk: Bulk, target: Path) -> None:
    """Each row is where its log and its ``seq`` put it, and none is missing."""
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
        raise InDoubt(f"{bulk.name}: a line is not where its number puts it")
