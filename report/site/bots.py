"""The contents of the pages of bots and pairings, from the tables of a tournament."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from audit.tables import Database
from replay.evidence import observations
from replay.faults import Fault
from replay.faults import faults as faults_in
from report.contents import Tournament
from report.listing import Row
from report.tournament import KINDS
from schema.errors import LogError
from schema.log_path import LogPath

FAULTS_SHOWN = 50
"""Maximum faults of a bot that its page describes."""

FORM = 30
"""Number of the last matches in the form."""

HEAD_TO_HEAD = """
SELECT a.name, b.name, count(*),
    count(*) FILTER (CASE WHEN {pairs} THEN a.won AND NOT b.won ELSE a.score > b.score END),
    count(*) FILTER (CASE WHEN {pairs} THEN b.won AND NOT a.won ELSE a.score < b.score END)
FROM players AS a JOIN players AS b USING (log)
WHERE a.seat <> b.seat AND NOT a.void AND a.won IS NOT NULL
GROUP BY ALL ORDER BY count(*) DESC, b.name
"""

FAULTS = """
SELECT name, path, seq
FROM faults JOIN players USING (log, seat) JOIN logs USING (log)
QUALIFY row_number() OVER (PARTITION BY name ORDER BY log, seq) <= $most
ORDER BY log, seq
"""


@dataclass(frozen=True)
class Opponent:
    """The matches of a bot with one other bot."""

    name: str
    matches: int
    ahead: int
    behind: int

    @property
    def level(self) -> int:
        """Number of matches in which neither was ahead."""
        return self.matches - self.ahead - self.behind


@dataclass(frozen=True)
class ShownFault:
    """One fault with the referee's note on it."""

    match: str
    seq: int
    sentence: str
    kind: str
    clause: str
    penalty: str
    notes: Mapping[str, Any]
    """Times, exit status and the like."""
    stderr: str


@dataclass(frozen=True)
class BotPage:
    """The contents of the page of one bot."""

    name: str
    ranks: Sequence[tuple[str, object]]
    """The columns of the standings, with their values."""
    hashes: Sequence[str]
    form: Sequence[tuple[str, str]]
    """Match and result of its last matches, in their order."""
    opponents: Sequence[Opponent]
    kinds: Sequence[tuple[str, int]]
    """Number of its faults by kind."""
    faults: Sequence[ShownFault]
    rows: Sequence[Row]
    """Its matches."""


def pages(
    tournament: Tournament,
    database: Database,
    rows: Sequence[Row],
    logs: Mapping[str, LogPath],
) -> Iterator[BotPage]:
    """Yield the contents of a page per bot, by name. ``logs`` are by their paths as text."""
    by_name: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        for name in dict.fromkeys(row["names"]):
            by_name[name].append(row)
    opponents = head_to_head(database, is_pairs(rows))
    faults = _faults(database, logs)
    hashes = _hashes(tournament, database)
    kinds: Counter[tuple[str, str]] = Counter()
    for fault in tournament.faults:
        kinds[fault.name, fault.kind] += fault.count
    for name in sorted({*by_name, *hashes}):
        own = by_name[name]
        yield BotPage(
            name=name,
            ranks=_ranks(tournament, name),
            hashes=hashes.get(name, []),
            form=[(row["key"], result(row, name)) for row in own if not row["void"]][-FORM:],
            opponents=opponents.get(name, []),
            kinds=[(kind, kinds[name, kind]) for kind in KINDS if kinds[name, kind]],
            faults=faults.get(name, []),
            rows=own,
        )


def is_pairs(rows: Sequence[Row]) -> bool:
    """Return whether each match is between two."""
    return all(len(row["names"]) == 2 for row in rows)


def result(row: Row, name: str) -> str:
    """Return ``won``, ``lost``, ``drawn``, or ``open`` if the match has no result."""
    if row["winners"] is None:
        return "open"
    if not row["winners"]:
        return "drawn"
    return "won" if any(row["names"][seat] == name for seat in row["winners"]) else "lost"


def head_to_head(database: Database, pairs: bool) -> dict[str, list[Opponent]]:
    """Return the opponents of each bot: of pairs by who won, else by who had more points."""
    found: dict[str, list[Opponent]] = defaultdict(list)
    query = HEAD_TO_HEAD.format(pairs=str(pairs).lower())
    for name, *opponent in database.connection.execute(query).fetchall():
        found[name].append(Opponent(*opponent))
    return found


def _ranks(tournament: Tournament, name: str) -> list[tuple[str, object]]:
    for table in tournament.standings:
        for row in table.rows:
            if row[1] == name:
                values = zip(table.columns, row, strict=True)
                return [(key, value) for key, value in values if key not in ("name", "bot")]
    return []


def _hashes(tournament: Tournament, database: Database) -> dict[str, list[str]]:
    """Return the hashes of each bot's files, of bots without a match too."""
    start = tournament.log.start if tournament.log else {}
    hashes = {one["name"]: [one["bot"]] for one in start.get("entrants", ())}
    query = "SELECT name, bot FROM players GROUP BY ALL ORDER BY ALL"
    for name, hash in database.connection.execute(query).fetchall():
        known = hashes.setdefault(name, [])
        if hash not in known:
            known.append(hash)
    return hashes


def _faults(database: Database, logs: Mapping[str, LogPath]) -> dict[str, list[ShownFault]]:
    """Return the first faults of each bot."""
    wanted: dict[str, dict[int, str]] = defaultdict(dict)
    rows = database.connection.execute(FAULTS, {"most": FAULTS_SHOWN}).fetchall()
    for name, path, seq in rows:
        wanted[path][seq] = name
    shown: dict[str, list[ShownFault]] = defaultdict(list)
    for path, seqs in wanted.items():
        with suppress(LogError, OSError):
            for fault in faults_in(logs[path]):
                if fault.seq in seqs:
                    shown[seqs[fault.seq]].append(_shown(fault))
    return shown


def _shown(fault: Fault) -> ShownFault:
    notes = observations(fault.evidence or {})
    return ShownFault(
        match=fault.match,
        seq=fault.seq,
        sentence=fault.sentence,
        kind=fault.event["kind"],
        clause=fault.event["clause"],
        penalty=fault.event["penalty"],
        stderr=str(notes.pop("stderr", "")),
        notes={key: value for key, value in notes.items() if isinstance(value, str | int | float)},
    )
