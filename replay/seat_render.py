"""The seat's view, as text for people and as versioned JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from replay.questions import seat_text
from replay.render import compact, json, observation_lines, shown, text, values
from replay.seat_view import ANNOUNCEMENT, SeatView
from replay.timeline import Explanation
from schema.canonical import Event

SUBJECT = ("type", "seat", "ask")
"""The fields of an answer or fault that its question has, too."""


def view_json(view: SeatView, questions: Iterable[Explanation], result: Event | None) -> str:
    """Return ``koth-seat/1``: what is public, the ``questions``, and the result."""
    start = view.log.start
    return json(
        "koth-seat/1",
        seat=view.seat,
        verdict=view.basis.verdict,
        **{key: start[key] for key in ("game", "rules", "match", "players", "settings")},
        questions=[*map(_question_fields, questions)],
        result=None if result is None else said(result),
    )


def view_text(view: SeatView, questions: Iterable[Explanation], result: Event | None) -> str:
    """Return the same as text; a blank line precedes each question, and the result."""
    start, basis = view.log.start, view.basis
    players = ", ".join(seat_text(view.log, seat) for seat in range(len(start["players"])))
    lines = [
        f"{title(view)} ({start['rules']})",
        f"{basis.verdict}: {basis.reason}",
        f"players: {players}",
        f"settings: {values(start['settings'])}",
    ]
    for question in questions:
        lines += ["", *_question_lines(question)]
    if result is not None:
        lines += ["", f"result: {view[-1].sentence}", f"  {compact(said(result))}"]
    return text(lines)


def title(view: SeatView) -> str:
    """Return the game, the match, and the seat whose view it is."""
    match = f"{view.log.card.title}, match {view.log.start['match']}"
    return f"{match}, {view.viewer}"


def said(event: Event) -> dict[str, Any]:
    """Return the fields of an event that its question does not have."""
    return {key: value for key, value in event.items() if key not in SUBJECT}


def _question_fields(question: Explanation) -> dict[str, object]:
    event, ask = question.event, question.ask
    answer = event["type"] == "answered"
    return {
        "number": question.step.seq,
        "ask": event["ask"],
        "observation": None if ask is None else ask.observation._asdict(),
        "sentence": question.sentence,
        "answer": said(event) if answer else None,
        "fault": said(event) if question.is_fault else None,
        "clause_text": question.clause_text or None,
    }


def _question_lines(question: Explanation) -> list[str]:
    """Return a question, the answer to it, and the clause of a fault."""
    event, ask = question.event, question.ask
    lines = [f"question {question.step.seq}, '{event['ask']}'"]
    lines += ["  (not recorded)"] if ask is None else observation_lines(ask.observation._asdict())
    if event["type"] == ANNOUNCEMENT:
        return [*lines, "no answer was asked for"]
    word = "fault" if question.is_fault else "answer"
    lines += [f"{word}: {question.sentence}", f"  {shown(said(event))}"]
    if question.clause_text:
        lines += [f"{question.step.clause}  {question.clause_text}"]
    return lines
