"""The state of a match at any of its events."""

from __future__ import annotations

from replay.errors import NoSuchEvent, ReplayError
from replay.rerun import Step, rerun
from schema.reader import Log


def state_at(log: Log, seq: int | None = None) -> Step:
    """The event ``seq`` (the last one if None) with the state when it was emitted.

    Raises NoSuchEvent, or ReplayError when the log diverges before it.
    """
    return steps(log, last(log) if seq is None else seq)[-1]


def last(log: Log) -> int:
    """The last event that the rules emitted: the one before the seal."""
    return len(log.events) - 2


def steps(log: Log, seq: int) -> list[Step]:
    """The events up to ``seq``, those two at the end with their states, all with their dice."""
    if not 0 <= seq < len(log.events):
        raise NoSuchEvent(
            f"{log.path}: expected an event from 0 to {len(log.events) - 1}, found {seq}."
        )
    found = rerun(log, wanted=lambda at: at in (seq - 1, seq), trace=True)
    if seq < len(found.steps):
        return list(found.steps)[: seq + 1]
    assert found.divergence is not None
    raise ReplayError(
        f"{log.path}:{found.divergence.line}: the log diverges at event {found.divergence.seq}; "
        f"there is no state at event {seq}. `koth verify` shows how."
    )
