"""Columns of text in a terminal, where a character can be two columns wide, or none."""

from __future__ import annotations

from collections.abc import Sequence


def width(text: str) -> int:
    """Return the number of columns of a terminal that ``text`` takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # most tables do not need it

    return cell_len(text)


def padded(text: str, columns: int, right: bool = False) -> str:
    """Return ``text`` in that many columns or more, with spaces after it, or before it."""
    spaces = " " * (columns - width(text))
    return spaces + text if right else text + spaces


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return each row as a line, with the cells of a column below each other."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(padded, row, widths)).rstrip() for row in rows]
