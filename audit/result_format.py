"""Format query results as an aligned table, CSV, JSON or Markdown, without terminal codes."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Sequence

from audit.query import Result, Table
from schema.columns import aligned, padded, width
from schema.log_path import printable

FORMAT = "koth-sql/1"

TYPE_WIDTH = 24
"""Maximum characters of a type that has a description beside it."""
DIGITS = 4
"""Maximum decimal places in tables; below 0.001, maximum significant digits."""
SIGNIFICANT = 6
"""Maximum significant digits in tables, not counting a longer integer part."""
INEXACT = 1e16
"""The first number in tables with an exponent: DOUBLE does not hold all of its digits."""
PREVIEW = 60
"""Maximum characters of a cell in a preview."""
MARKUP = re.compile(r"(\\*)([|<&`*]|\](?=\())")
"""A character that begins another cell, a tag, an entity, a link, code or emphasis in Markdown, and
the backslashes before it, which would undo its escape."""


def as_table(result: Result, gap: str = "  ") -> str:
    """Return aligned columns, separated by ``gap``, with numbers to the right."""
    names = [*map(printable, result.columns)]
    cells = [[cell(value) for value in row] for row in result.rows]
    widths = [
        max(width(name), *(width(row[n]) for row in cells)) if cells else width(name)
        for n, name in enumerate(names)
    ]
    numeric = [_is_numeric([row[n] for row in result.rows]) for n in range(len(widths))]

    def line(texts: Sequence[str]) -> str:
        cells = (
            padded(text, size, right)
            for text, size, right in zip(texts, widths, numeric, strict=True)
        )
        return gap.join(cells).rstrip()

    rule = gap.join("-" * size for size in widths)
    return "".join(f"{text}\n" for text in [line(names), rule, *map(line, cells)])


def as_csv(result: Result) -> str:
    """Return CSV with a header; lines end in LF."""
    lines = _CsvLines()
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow(result.columns)
    writer.writerows([_text(value) for value in row] for row in result.rows)
    return "".join(lines)


def as_json(result: Result) -> str:
    """Return ``{"format":"koth-sql/1","columns":[…],"rows":[{…},…]}``, one row per line."""
    columns = json.dumps(result.columns, ensure_ascii=False)
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in objects(result))
    return f'{{"format":"{FORMAT}","columns":{columns},"rows":[\n{rows}\n]}}\n'


def as_markdown(result: Result) -> str:
    """Return a Markdown table."""

    def line(texts: Sequence[str]) -> str:
        return "| " + " | ".join(MARKUP.sub(r"\1\1\\\2", text) for text in texts) + " |\n"

    body = "".join(line([cell(value) for value in row]) for row in result.rows)
    head = line([*map(printable, result.columns)])
    return head + "|" + "---|" * len(result.columns) + "\n" + body


class _CsvLines(list[str]):
    """Rows of a CSV writer, which ends them in CRLF because it then quotes both characters."""

    def write(self, row: str) -> None:
        """Append a row, ended by LF."""
        self.append(row.removesuffix("\r\n") + "\n")


def list_tables(tables: Sequence[Table]) -> str:
    """Return one line per table: its name and a sentence."""
    rows = [(table.name, table.description) for table in tables]
    return "".join(f"{line}\n" for line in aligned(rows))


def describe(table: Table, first: Result) -> str:
    """Return a table's sentence, its columns and its ``first`` rows."""
    parts = [f"{table.name}: {table.description}\n"]
    name = max(len(column.name) for column in table.columns)
    type = max((len(c.type) for c in table.columns if len(c.type) <= TYPE_WIDTH), default=0)
    for column in table.columns:
        head = f"  {column.name:{name}}  {column.type:{type}}"
        if len(column.type) > TYPE_WIDTH:
            head += "\n" + " " * (name + type + 4)
        parts.append(f"{head}  {column.description}".rstrip() + "\n")
    rows = [tuple(_cut(value) for value in row) for row in first.rows]
    return "".join(parts) + "\n" + as_table(Result(first.columns, rows))


def columns_of(tables: Sequence[Table]) -> Result:
    """Return one row for each column of each table."""
    rows = [
        (table.name, column.name, column.type, column.description)
        for table in tables
        for column in table.columns
    ]
    return Result(("table", "column", "type", "description"), rows)


def objects(result: Result) -> list[dict[str, object]]:
    """Return the rows as dictionaries by column name, with values that JSON can hold."""
    return [
        {name: plain(value) for name, value in zip(result.columns, row, strict=True)}
        for row in result.rows
    ]


def cell(value: object) -> str:
    """Return a value for a table: a number rounded, text in one printable line."""
    return _rounded(value) if isinstance(value, float) else printable(_text(value))


def _rounded(value: float) -> str:
    """Return a short number: ``0.6667``, ``2.5``, ``1.234e-05``, ``1.234e+20``."""
    if not math.isfinite(value) or 0 < abs(value) < 10 ** (1 - DIGITS) or abs(value) >= INEXACT:
        return f"{value:.{DIGITS}g}"
    before = len(str(int(abs(value))))
    digits = max(0, min(DIGITS, SIGNIFICANT - before))
    return str(round(value, digits) if digits else round(value))


def _cut(value: object) -> object:
    """Return a value for a preview: a number unchanged, a text cut to ``PREVIEW``."""
    if value is None or isinstance(value, int | float):
        return value
    text = _text(value)
    return text if len(text) <= PREVIEW else text[: PREVIEW - 1] + "…"


def _text(value: object) -> str:
    """Return a value as text: "" for NULL, JSON for lists and structs."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case list() | dict() | tuple():
            return json.dumps(plain(value), ensure_ascii=False)
        case bytes():
            return value.hex()
    return str(value)


def plain(value: object) -> object:
    """Return a value that JSON can hold: NaN and infinities as null, other types as text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {str(name): plain(item) for name, item in value.items()}
    return _text(value)


def _is_numeric(values: Sequence[object]) -> bool:
    types = {type(value) for value in values if value is not None}
    return bool(types) and types <= {int, float}
