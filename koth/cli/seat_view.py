"""The option ``--seat`` of several commands: show the seat's view."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from koth.cli.options import TextOrJson
from koth.cli.output import note, say
from schema.errors import NothingToDo
from schema.log_path import LogPath, path_text, shell_word

if TYPE_CHECKING:
    from replay.seat_view import SeatView
    from replay.timeline import Explanation
    from schema.canonical import Event

SHOWN = 3
"""Maximum faults explained as text; `koth replay` shows all questions."""


def explain(log: LogPath, seat: int, number: int | None, faults: bool, format: TextOrJson) -> None:
    """Print one question to ``seat``; by default those that it failed, or else the last.

    ``faults`` asks for those that it failed only. Raises NothingToDo if there is none.
    """
    from replay import seat_view
    from replay.timeline import is_fault

    if number is not None:
        view = seat_view.read(log, seat, lambda question: question.seq == number)
        view.check_number(number)
        return _print(view, islice(view.questions, 1), format)
    view = seat_view.read(log, seat, lambda question: is_fault(question.event))
    view.check_number(len(view.numbers))
    failed = [question for question in view.questions if question.is_fault]
    if not failed:
        if faults:
            raise NothingToDo(f"{path_text(log)}: there is no fault of seat {seat} in this log.")
        _print(view, view.questions, format)
        return note("no fault of this seat; this is its last question.")
    most = SHOWN if format is TextOrJson.TEXT else len(failed)
    _print(view, failed[:most], format)
    if more := len(failed[most:]):
        command = f"koth replay {shell_word(log)} --seat {seat}"
        note(f"{more} more; `{command}` shows all questions.")
    return None


def replay(log: LogPath, seat: int, at: int | None, format: TextOrJson) -> None:
    """Print the questions to ``seat`` up to number ``at``; by default all, and the result."""
    from replay import seat_view

    if at is None:
        view = seat_view.read(log, seat)
        return _print(view, view.questions, format, view.result)
    view = seat_view.read(log, seat, lambda question: question.seq <= at)
    view.check_number(at)
    return _print(view, islice(view.questions, at), format)


def _print(
    view: SeatView,
    questions: Iterable[Explanation],
    format: TextOrJson,
    result: Event | None = None,
) -> None:
    from replay import seat_render

    render = seat_render.view_json if format is TextOrJson.JSON else seat_render.view_text
    say(render(view, questions, result))
