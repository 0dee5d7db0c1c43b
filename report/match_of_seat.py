"""The page of one match as one of its players saw it. It holds nothing but the seat's view."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from replay import seat_render
from replay.render import observed
from replay.rerun import Step
from replay.seat_view import SeatView
from replay.timeline import is_fault
from report import page as frame
from report.match import output
from schema.log_path import printable

QUESTIONS = 5_000
"""Maximum questions on a page; `koth replay` prints all."""


def is_shown(question: Step) -> bool:
    """Return whether the page shows a question, or names it as a fault."""
    return question.seq <= QUESTIONS or is_fault(question.event)


def page(view: SeatView) -> str:
    """Return the page as HTML. Equal views give equal bytes."""
    result: Mapping[str, Any] = view.result or {"scores": [], "winners": []}
    return frame.render(
        "match_of_seat.html",
        printable(seat_render.title(view)),
        styles=["match.css"],
        kind="Match, as one player saw it",
        verdict=view.basis,
        start=view.log.start,
        names=[player["name"] for player in view.log.start["players"]],
        seat=view.seat,
        sentence=view[-1].sentence if view.result else "",
        scores=result["scores"],
        winners=result["winners"],
        questions=[*islice(view.questions, QUESTIONS)],
        number=len(view.numbers),
        faults=view.faults,
        output=output,
        observed=observed,
    )
