"""The contents of a tournament's page, as plain data.

:mod:`report.data` collects them from replay and audit; the other modules only lay them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit.match_plot import MatchPlot
from audit.run_rules import Report
from replay.log_verdict import LogVerdict
from schema.reader import Log


@dataclass(frozen=True)
class Standings:
    """A table of standings, best first: the columns ``rank`` and ``name``, then the game's own.

    The columns ``low`` and ``high``, if present, are the interval of the column before them.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str
    """Explains the interval."""


@dataclass(frozen=True)
class FaultCount:
    """Number of faults of one bot, of one kind and clause."""

    name: str
    kind: str
    clause: str
    count: int


@dataclass(frozen=True)
class Match:
    """One match; lists are by seat."""

    path: str | None
    """Its log, if it is here."""
    match: str
    names: Sequence[str]
    scores: Sequence[int] | None
    winners: Sequence[int] | None
    """The seats that won."""
    reason: str | None
    void: bool
    seal: str
    faults: Sequence[tuple[int, str, int, int | None]] = ()
    """Seat, kind, number of faults, and the event of the first."""
    stage: int | None = None
    """The number of its stage in a contest, which also begins the match's id on the page."""


@dataclass(frozen=True)
class Stage:
    """One stage of a contest."""

    number: int
    beacon: str | None
    seed: str | None
    """Its chain seed, if it is finished."""
    root: str | None
    """The Merkle root over its files, if it is finished."""
    bots: int
    """Number of bots that were in."""
    matches: int
    """Number of its matches whose logs are sealed and could be read."""
    verdict: str | None
    """The verdict on its tournament, if that is here."""


@dataclass(frozen=True)
class Tournament:
    """The contents of the page."""

    path: str
    """The folder, archive or log that the user named."""
    game: str
    log_path: str | None
    """The path of the tournament's own log."""
    log: Log | None
    """That log, as far as it can be read."""
    verdicts: Sequence[LogVerdict]
    """The verdict on each log."""
    signed: bool
    """Whether the tournament has a checkpoint."""
    signer: tuple[str, str] | None
    """The key and the origin that the checkpoint was checked with."""
    standings: Sequence[Standings]
    plots: Sequence[MatchPlot]
    faults: Sequence[FaultCount]
    audit: Report
    matches: Sequence[Match]
    """The matches whose logs could be read, in order."""
    stages: Sequence[Stage] = ()
    """The stages of a contest."""
    waiting: str = ""
    """The bots of a contest that its standings leave out until the next stage, as a clause."""

    @property
    def clean(self) -> bool:
        """Whether there are no findings, neither of the replay nor of the audit."""
        return self.audit.clean and all(verdict.fine for verdict in self.verdicts)
