"""The option ``--seat`` of several commands: show the seat's view."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from koth.cli.options import TextOrJson
from schema.errors import NothingToDo
from schema.log_path import LogPath, path_text, printable, shell_word

if TYPE_CHECKING:
    from replay.seat_view import SeatView
    from schema.canonical import Event

SHOWN = 3
"""Maximum faults explained as text; `koth replay` shows all questions."""


def explain(log: LogPath, seat: int, number: int | None, faults: bool, format: TextOrJson) -> None:
    """Print one question to ``seat``; by default those that it failed, or else the last.

    ``faults`` asks for those that it failed only. Raises NothingToDo if there is none.
    """
    from replay import seat_view

    view = seat_view.read(log, seat)
    last = len(view.numbers)
    view.check_number(last if number is None else number)
    if number is not None:
        return _print(view, [number], format)
    failed = view.faults
    if not failed:
        if faults:
            raise NothingToDo(f"{path_text(log)}: there is no fault of seat {seat} in this log.")
        _print(view, [last], format)
        return print("koth: no fault of this seat; this is its last question.", file=sys.stderr)
    most = SHOWN if format is TextOrJson.TEXT else len(failed)
    _print(view, failed[:most], format)
    if more := len(failed[most:]):
        command = printable(f"koth replay {shell_word(log)} --seat {seat}")
        print(f"koth: {more} more; `{command}` shows all questions.", file=sys.stderr)
    return None


def replay(log: LogPath, seat: int, at: int | None, format: TextOrJson) -> None:
    """Print the questions to ``seat`` up to number ``at``; by default all, and the result."""
    from replay import seat_view

    view = seat_view.read(log, seat)
    if at is not None:
        view.check_number(at)
    _print(view, view.numbers[:at], format, view.result if at is None else None)


def _print(
    view: SeatView, numbers: Sequence[int], format: TextOrJson, result: Event | None = None
) -> None:
    from replay import seat_render

    render = seat_render.view_json if format is TextOrJson.JSON else seat_render.view_text
    print(render(view, numbers, result))
