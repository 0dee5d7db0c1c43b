"""The contents of the pages of bots and pairings, from the tables of a tournament."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit.tables import Database
from report import standings
from report.contents import Tournament
from report.listing import Row
from report.site.versions import Version
from report.tournament import KINDS

FORM = 30
"""Number of the last matches in the form."""

TOGETHER = 50
"""Number of bots whose opponents are counted at once; each may have thousands."""

HEAD_TO_HEAD = """
SELECT a.name, b.name, count(*),
    count(*) FILTER (CASE WHEN {pairs} THEN a.won AND NOT b.won ELSE a.score > b.score END),
    count(*) FILTER (CASE WHEN {pairs} THEN b.won AND NOT a.won ELSE a.score < b.score END)
FROM players AS a JOIN players AS b USING (log)
WHERE a.name IN $names AND a.seat <> b.seat AND NOT a.void AND a.won IS NOT NULL
GROUP BY ALL ORDER BY count(*) DESC, b.name
"""


@dataclass(frozen=True, slots=True)
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
class StageResult:
    """The results of a bot in one stage of a contest."""

    stage: int
    version: int | None
    results: Counter[str]
    """Number of its matches that are not void, by result."""


@dataclass(frozen=True)
class Listed:
    """One bot in the list of all bots."""

    name: str
    rank: object
    matches: int
    faults: int


@dataclass(frozen=True)
class BotPage:
    """The contents of the page of one bot."""

    name: str
    ranks: Sequence[tuple[str, object]]
    """The columns of the standings, with their values; of the best of several with this name."""
    namesakes: int
    """Number of bots with this name in the standings; their files differ."""
    hashes: Sequence[str]
    form: Sequence[tuple[str, str]]
    """Match and result of its last matches, in their order."""
    opponents: Sequence[Opponent]
    kinds: Sequence[tuple[str, int]]
    """Number of its faults by kind."""
    rows: Sequence[Row]
    """Its matches."""
    versions: Sequence[Version]
    """Its versions in a contest."""
    stages: Sequence[StageResult]
    """Its results by stage, the last first."""

    @property
    def listed(self) -> Listed:
        """This bot in the list of all bots."""
        faults = sum(number for _, number in self.kinds)
        return Listed(self.name, dict(self.ranks).get("rank"), len(self.rows), faults)


def pages(
    tournament: Tournament,
    database: Database,
    rows: Sequence[Row],
    versions: Mapping[str, Sequence[Version]],
) -> Iterator[BotPage]:
    """Yield the contents of a page per bot, by name; ``versions`` are those of a contest."""
    by_name: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        for name in dict.fromkeys(row["names"]):
            by_name[name].append(row)
    pairs, ranks = is_pairs(rows), _ranks(tournament)
    hashes = _hashes(tournament, database)
    kinds: Counter[tuple[str, str]] = Counter()
    for fault in tournament.faults:
        kinds[fault.name, fault.kind] += fault.count
    names = sorted({*by_name, *hashes, *versions})
    for first in range(0, len(names), TOGETHER):
        together = names[first : first + TOGETHER]
        opponents = head_to_head(database, pairs, together)
        for name in together:
            own, own_ranks = by_name[name], ranks.get(name, [])
            last = [row for row in own if not row["void"]][-FORM:]
            yield BotPage(
                name=name,
                ranks=own_ranks[0] if own_ranks else [],
                namesakes=len(own_ranks),
                hashes=hashes.get(name, []),
                form=[(row["key"], result(row, name)) for row in last],
                opponents=opponents.get(name, []),
                kinds=[(kind, kinds[name, kind]) for kind in KINDS if kinds[name, kind]],
                rows=own,
                versions=versions.get(name, ()),
                stages=stage_results(name, own, versions.get(name, ())),
            )


def is_pairs(rows: Sequence[Row]) -> bool:
    """Return whether each match is between two."""
    return all(len(row["names"]) == 2 for row in rows)


def stage_results(name: str, rows: Sequence[Row], versions: Sequence[Version]) -> list[StageResult]:
    """Return the results of a bot in each stage of a contest that it played, the last first."""
    by_stage: dict[int, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row["stage"] is not None:
            by_stage[row["stage"]][result(row, name)] += not row["void"]
    return [
        StageResult(
            stage,
            next((version.number for version in versions if version.plays(stage)), None),
            by_stage[stage],
        )
        for stage in sorted(by_stage, reverse=True)
    ]


def result(row: Row, name: str) -> str:
    """Return ``won``, ``lost``, ``drawn``, or ``open`` if the match has no result."""
    if row["winners"] is None:
        return "open"
    if not row["winners"]:
        return "drawn"
    return "won" if any(row["names"][seat] == name for seat in row["winners"]) else "lost"


def head_to_head(
    database: Database, pairs: bool, names: Sequence[str]
) -> dict[str, list[Opponent]]:
    """Return the opponents of these bots: of pairs by who won, else by who had more points."""
    opponents: dict[str, list[Opponent]] = defaultdict(list)
    query = HEAD_TO_HEAD.format(pairs=str(pairs).lower())
    for name, *opponent in database.rows(query, {"names": [*names]}):
        opponents[name].append(Opponent(*opponent))
    return opponents


def _ranks(tournament: Tournament) -> dict[object, list[list[tuple[str, object]]]]:
    """Return the rows of the bots of each name, in the first standings that have any."""
    ranks: dict[object, list[list[tuple[str, object]]]] = {}
    for table in reversed(tournament.standings):
        rows = defaultdict(list)
        for name, row in zip(standings.column(table, standings.NAME), table.rows, strict=False):
            columns = zip(table.columns, row, strict=True)
            rows[name].append([item for item in columns if item[0] not in ("name", "bot")])
        ranks |= rows
    return ranks


def _hashes(tournament: Tournament, database: Database) -> dict[str, list[str]]:
    """Return the hashes of each bot's files, of bots without a match too."""
    start = tournament.log.start if tournament.log else {}
    hashes = {entrant["name"]: [entrant["bot"]] for entrant in start.get("entrants", ())}
    query = "SELECT name, bot FROM players GROUP BY ALL ORDER BY ALL"
    for name, hash in database.rows(query):
        known = hashes.setdefault(name, [])
        if hash not in known:
            known.append(hash)
    return hashes
