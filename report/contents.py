"""What the page of a tournament is made from: plain data, so that no replay looks into tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from replay.verify import Verdict
from schema.reader import Log


@dataclass(frozen=True)
class Board:
    """Standings, best first: the columns ``rank`` and ``name``, and the game's own.

    If one is called ``low``, it and the next, ``high``, are the interval of the column before.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str
    """Which interval it has."""


@dataclass(frozen=True)
class Plot:
    """The game's own story in numbers, as :mod:`audit.match_plot` tells it."""

    title: str
    kind: str
    """``lines``: rows are (series, x, y). ``pairs``: (series, x, y, played)."""
    x: str
    y: str
    log: bool
    note: str
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Fault:
    """How often a bot failed in one way."""

    name: str
    kind: str
    clause: str
    count: int
    matches: int
    """In how many matches."""


@dataclass(frozen=True)
class Spot:
    """One violation of a rule."""

    path: str
    seq: int | None
    expected: str
    found: str


@dataclass(frozen=True)
class Broken:
    """A rule of the audit that does not hold."""

    rule: str
    clause: str
    severity: str
    sentence: str
    count: int
    spots: Sequence[Spot]
    """The first of them."""


@dataclass(frozen=True)
class Unread:
    """A file that could not be audited."""

    path: str
    verdict: str
    reason: str


@dataclass(frozen=True)
class Audit:
    """The outcome of the audit."""

    logs: int
    held: Sequence[tuple[str, str, str]]
    """The rules that hold: id, clause, what would be wrong."""
    broken: Sequence[Broken]
    unread: Sequence[Unread]


@dataclass(frozen=True)
class Match:
    """One match; lists are by seat."""

    path: str | None
    """Its log, if that is there."""
    match: str
    names: Sequence[str]
    scores: Sequence[int] | None
    winners: Sequence[int] | None
    """The seats that won."""
    reason: str | None
    void: bool
    seal: str
    faults: Sequence[tuple[int, str, int, int | None]] = ()
    """Seat, kind, how many, and the event of the first."""


@dataclass(frozen=True)
class Tournament:
    """All that the page is made from."""

    path: str
    """The folder, archive or log, as it was given."""
    game: str
    own: str | None
    """The path of the tournament's own log."""
    log: Log | None
    """That log, as far as it can be read."""
    verdicts: Sequence[Verdict]
    """On every log."""
    signed: bool
    """Whether a checkpoint lies there."""
    signer: tuple[str, str] | None
    """The key and the origin that the verdicts were held against."""
    boards: Sequence[Board]
    plots: Sequence[Plot]
    faults: Sequence[Fault]
    audit: Audit
    matches: Sequence[Match]
    """Those whose logs could be read, in their order."""
