"""HTML for notebooks. Names, answers and paths come from strangers, so all text is escaped.

A notebook typesets text between dollar signs as formulas; the classes of :func:`block` prevent it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from replay.render import compact
from schema.log_path import path_text, printable

FINE, BAD = "#2e7d32", "#c62828"
"""Colours of the bar beside a result."""

SHOWN = 20
"""Maximum rows of a table of findings; the result itself has all."""

CELL = "text-align:left;vertical-align:top;white-space:pre-wrap"


def text(value: object) -> str:
    """Return a value as text without markup; control characters are escaped too."""
    return escape(printable(path_text(str(value))))


def lines(value: str) -> str:
    """Return a text of several lines."""
    return "\n".join(map(text, value.splitlines()))


def code(value: object) -> str:
    """Return a value as JSON."""
    return f"<code>{text(compact(value))}</code>"


def strong(value: object) -> str:
    """Return a value as a heading."""
    return f"<strong>{text(value)}</strong>"


def block(*parts: str, fine: bool | None = None) -> str:
    """Return paragraphs as one block, with a bar if the result is fine or has findings."""
    bar = "" if fine is None else f"border-left:4px solid {FINE if fine else BAD};padding-left:8px"
    body = "".join(f"<div>{part}</div>" for part in parts if part)
    return f'<div class="koth tex2jax_ignore mathjax_ignore" style="{bar}">{body}</div>'


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the cells are HTML, the columns text."""
    head = "".join(f'<th style="{CELL}">{text(column)}</th>' for column in columns)
    body = "".join(
        f"<tr>{''.join(f'<td style={CELL!r}>{cell}</td>' for cell in row)}</tr>" for row in rows
    )
    return (
        f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"
    )


def values(values: Mapping[str, object] | None) -> str:
    """Return names and values as a table; "" without values."""
    rows = [(strong(name), code(value)) for name, value in (values or {}).items()]
    return table((), rows) if rows else ""


def details(summary: str, content: str, *, shown: bool = False) -> str:
    """Return content that a click shows, or hides if it is ``shown``."""
    start = "<details open>" if shown else "<details>"
    return f"{start}<summary>{text(summary)}</summary>{content}</details>"


def omitted(number: int) -> str:
    """Return a sentence about rows that are not shown; "" if all are."""
    return text(f"… and {number - SHOWN} more") if number > SHOWN else ""
