"""The state of a match at any of its events."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from replay.errors import NoSuchEvent, ReplayError
from replay.rerun import Step, rerun
from schema.reader import Log


def state_at(log: Log, seq: int | None = None) -> Step:
    """Return the event ``seq`` with the state when it was emitted; the last one if ``seq`` is None.

    The rules run no further, so nothing after that event is checked. Raises NoSuchEvent, and
    ReplayError if the log diverges at or before it.
    """
    [step] = deque(steps(log, last(log) if seq is None else seq), maxlen=1)
    return step


def last(log: Log) -> int:
    """Return the ``seq`` of the last event that the rules emitted, the one above the seal."""
    return len(log.events) - 2


def steps(log: Log, *seqs: int) -> Iterator[Step]:
    """Yield the events up to the last of ``seqs``, with their dice.

    Each event of ``seqs`` and the event before it have their states. The rules stop at the last of
    ``seqs``. Raises NoSuchEvent, and ReplayError if the log diverges at or before it.
    """
    for seq in seqs:
        check_seq(log, seq)
    with_states = {at for seq in seqs for at in (seq - 1, seq)}
    run = rerun(log, with_states.__contains__, trace=True, until=max(seqs))
    yield from run
    if run.divergence is not None:
        raise ReplayError(
            f"{log.path}:{run.divergence.line}: the log diverges at event {run.divergence.seq}; "
            f"there is no state at event {max(seqs)}. `koth verify` shows how."
        )


def check_seq(log: Log, seq: int) -> None:
    """Raise NoSuchEvent if ``log`` has no event ``seq``."""
    if not 0 <= seq < len(log.events):
        raise NoSuchEvent(
            f"{log.path}: expected an event from 0 to {len(log.events) - 1}, found {seq}."
        )
