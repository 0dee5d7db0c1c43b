"""Verdicts on logs. What is checked, in the order in which it decides:

1. ``corrupt``: the bytes are not a log (JSON, byte layout, sequence, events, fields, seal);
2. ``unsupported``: a newer format, or a game or rules version that is not installed;
3. ``incomplete``: no seal;
4. ``forged``: the seed is not the one that was committed to;
5. ``diverged``: the rules do not lead from seed and answers to these events;
6. ``imported``: a record from elsewhere, with nothing to re-run;
7. ``verified``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from replay.rerun import Divergence, rerun
from schema import seal
from schema.errors import LogError
from schema.parallel import workers
from schema.reader import read

FINE = ("verified", "imported")


@dataclass(frozen=True)
class Verdict:
    """What is to be said of one log, and why."""

    path: str
    verdict: str
    reason: str
    line: int | None = None
    events: int | None = None
    divergence: Divergence | None = None

    @property
    def fine(self) -> bool:
        """Whether there is nothing to find fault with."""
        return self.verdict in FINE


def verify(path: Path) -> Verdict:
    """The verdict on the log at ``path``."""
    try:
        log = read(path)
    except LogError as error:
        return Verdict(str(path), error.verdict, error.found, error.line)
    except OSError as error:
        return Verdict(str(path), "corrupt", f"cannot be read: {error.strerror}")
    events = len(log.events)
    if log.imported:
        return Verdict(str(path), "imported", "seen elsewhere, nothing to re-run", None, events)
    committed, revealed = log.start["seed_commitment"], seal.commitment(log.seal["seed"])
    if committed != revealed:
        reason = (
            f"the log committed to the seed's hash {committed}, the seed revealed has {revealed}"
        )
        return Verdict(str(path), "forged", reason, events, events)
    if divergence := rerun(log).divergence:
        return Verdict(
            str(path), "diverged", _told(divergence), divergence.line, events, divergence
        )
    return Verdict(
        str(path), "verified", f"{events} events follow from seed and answers", None, events
    )


def verify_all(paths: Iterable[Path], jobs: int = 1) -> Iterator[Verdict]:
    """The verdicts on several logs, in their order, from ``jobs`` processes."""
    with workers(jobs) as verify_each:
        yield from verify_each(verify, paths)


def _told(divergence: Divergence) -> str:
    clause = f" ({divergence.clause})" if divergence.clause else ""
    return (
        f"event {divergence.seq}, field {divergence.field}: recorded {divergence.recorded!r}, "
        f"recomputed {divergence.recomputed!r}{clause}"
    )
