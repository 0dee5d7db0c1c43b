"""One ruling explained: clause, question, answer, dice, and the state before and after."""

from __future__ import annotations

from replay.state import steps
from replay.timeline import Explanation, Timeline
from schema.reader import Log


def explain(log: Log, seq: int) -> Explanation:
    """Explain event ``seq`` of ``log``. Raises what :func:`replay.state.steps` raises."""
    return Timeline(log, steps(log, seq))[seq]
