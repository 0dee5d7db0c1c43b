"""The verdict on one log; :mod:`replay.verify` says when each applies."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

from replay.faults import NO_FAULTS, Counts

if TYPE_CHECKING:
    from replay.rerun import Divergence

FINE = ("verified", "imported")
"""The verdicts that are no findings."""


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """The verdict on one log, with its reason."""

    path: str
    verdict: str
    reason: str
    line: int | None = None
    """The line with the finding, from 1; None if the verdict is about the whole log."""
    events: int | None = None
    """The number of events; None if they were not counted."""
    divergence: Divergence | None = None
    """The first event that the rules do not recompute, recorded and recomputed."""
    faults: Counts = field(default_factory=lambda: NO_FAULTS)
    """A match's faults, which break no rule: their number by bot and kind."""

    @property
    def fine(self) -> bool:
        """Whether the verdict is no finding."""
        return self.verdict in FINE

    @property
    def legible(self) -> bool:
        """Whether the log has events to show: it is whole lines, of a known game and format."""
        has_no_event = self.verdict == "incomplete" and self.line == 1
        return self.verdict not in ("corrupt", "unsupported") and not has_no_event

    def __reduce__(self) -> tuple[object, ...]:
        # A dataclass with slots is pickled field by field in Python; processes return thousands.
        return LogVerdict, attrgetter(*self.__slots__)(self)
