"""One ruling explained: clause, question, answer, dice, and the state before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from games.recorded import ANSWERS
from games.table import Ask, JointAsk, Match
from replay.rerun import Step
from replay.state import steps
from schema import folder, rulebook
from schema.canonical import Event
from schema.dice import Draw
from schema.errors import LogError
from schema.reader import Log


@dataclass(frozen=True)
class Explanation:
    """Everything that led to one event."""

    log: Log
    step: Step
    clause_text: str
    ask: Ask | JointAsk | None
    """The last question to the seat that the event is about, or else to anybody, if any."""
    answer: Step | None
    """The event that holds the answer to it."""
    draws: Sequence[tuple[Draw, str]]
    """The dice cast for this event, each with the command that recomputes it."""
    evidence: dict[str, Any] | None
    """What the referee noted of the answer, if its evidence lies beside the log; not checked."""
    before: dict[str, object] | None
    after: dict[str, object] | None

    @property
    def event(self) -> Event:
        """The event explained."""
        return self.step.event


def explain(log: Log, seq: int) -> Explanation:
    """Explain event ``seq`` of ``log``. Raises what :func:`replay.state.steps` raises."""
    found = steps(log, seq)
    step = found[-1]
    answers = {*ANSWERS, *(carrier.event for carrier in log.version.carriers.values())}
    answer = _answer([one for one in found if one.event["type"] in answers], step.event)
    seed = log.seal["seed"]
    return Explanation(
        log=log,
        step=step,
        clause_text=rulebook.clause(log.card, step.clause) if step.clause else "",
        ask=None if answer is None else _ask(answer),
        answer=answer,
        draws=[(draw, draw.command(seed)) for draw in step.draws],
        evidence=None if answer is None else _evidence(log, answer),
        before=found[-2].state if seq else None,
        after=step.state,
    )


def _answer(answers: Sequence[Step], event: Event) -> Step | None:
    """The last answer of the seat that an event is about; of anybody, where it is about none."""
    seat = event.get("seat")
    own = [one for one in answers if seat in (None, one.event.get("seat", seat))]
    return own[-1] if own else None


def _ask(answer: Step) -> Ask | JointAsk | None:
    """The question that an answer was given to."""
    asked = answer.asked
    if isinstance(asked, JointAsk | Match):
        return asked if isinstance(asked, JointAsk) else None
    return next((ask for ask in asked if ask.seat == answer.event["seat"]), None)


def _evidence(log: Log, answer: Step) -> dict[str, Any] | None:
    """The referee's note on an answer; None where there is none that can be read."""
    try:
        lines = folder.evidence(log.path).read_bytes().splitlines()
        notes = [orjson.loads(line) for line in lines]
    except (OSError, LogError, orjson.JSONDecodeError):
        return None
    notes = [note for note in notes if isinstance(note, dict) and note.get("seq") == answer.seq]
    seat = answer.event.get("seat")
    return next((note for note in notes if seat in (None, note.get("seat", seat))), None)
