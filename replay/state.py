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


def steps(log: Log, *seqs: int) -> list[Step]:
    """The events up to the last of ``seqs``, all with their dice.

    Each of ``seqs`` and the event before it have their states. Raises NoSuchEvent, or ReplayError
    when the log diverges before one of them.
    """
    for seq in seqs:
        if not 0 <= seq < len(log.events):
            raise NoSuchEvent(
                f"{log.path}: expected an event from 0 to {len(log.events) - 1}, found {seq}."
            )
    shown = {at for seq in seqs for at in (seq - 1, seq)}
    found = rerun(log, wanted=shown.__contains__, trace=True)
    last = max(seqs)
    if last < len(found.steps):
        return list(found.steps)[: last + 1]
    assert found.divergence is not None
    raise ReplayError(
        f"{log.path}:{found.divergence.line}: the log diverges at event {found.divergence.seq}; "
        f"there is no state at event {last}. `koth verify` shows how."
    )
