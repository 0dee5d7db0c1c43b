"""One ruling explained: clause, question, answer, dice, and the state before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from games.table import Ask
from replay.rerun import ANSWERS, Step
from replay.state import steps
from schema import folder, rulebook
from schema.canonical import Event
from schema.dice import Draw
from schema.reader import Log


@dataclass(frozen=True)
class Explanation:
    """Everything that led to one event."""

    log: Log
    step: Step
    clause_text: str
    ask: Ask | None
    """The question that was answered last, if any."""
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
    answer = next((one for one in reversed(found) if one.event["type"] in ANSWERS), None)
    seat = None if answer is None else answer.event["seat"]
    asks = () if answer is None else answer.asks
    ask = next((one for one in asks if isinstance(one, Ask) and one.seat == seat), None)
    seed = log.seal["seed"]
    return Explanation(
        log=log,
        step=step,
        clause_text=rulebook.clause(log.card, step.clause) if step.clause else "",
        ask=ask,
        answer=answer,
        draws=[(draw, draw.command(seed)) for draw in step.draws],
        evidence=None if answer is None else _evidence(log, answer.seq),
        before=found[-2].state if seq else None,
        after=step.state,
    )


def _evidence(log: Log, seq: int) -> dict[str, Any] | None:
    """The referee's note on the answer at ``seq``; None where there is none that can be read."""
    try:
        lines = folder.evidence(log.path).read_bytes().splitlines()
        notes = [orjson.loads(line) for line in lines]
    except (OSError, orjson.JSONDecodeError):
        return None
    return next((n for n in notes if isinstance(n, dict) and n.get("seq") == seq), None)
