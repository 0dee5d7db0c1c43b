"""What the page of a tournament shows: verdicts from the replay, tables from the audit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from audit import run_rules
from audit.leaderboard import FINAL_TABLES, final_table, leaderboard, note
from audit.match_plot import story
from audit.tables import Database, open_database
from replay.signatures import verification
from replay.verify import verify_all
from report.contents import Audit, Board, Broken, Fault, Match, Plot, Spot, Tournament, Unread
from report.unfinished import told, unfinished
from schema import discovery
from schema.errors import LogError, UsageError
from schema.executor import Mapper, Progress, with_progress
from schema.log_path import LogPath, path_text
from schema.reader import IncompleteLog, Log, read

SPOTS = 3
"""So many violations of a rule are shown in full."""


def tournament(
    path: Path,
    each: Mapper,
    progress: Progress,
    pinned: verification.ExpectedSigner | None = None,
) -> Tournament:
    """Everything about the tournament at ``path``: its folder, its archive, or its log alone.

    Every log is re-run and audited, with ``each``; ``progress`` is told of logs done, of so many.
    Raises UsageError when several tournaments are there, and NothingToDo when there is no log.
    """
    logs = discovery.logs([path])
    home = _home(path, logs)
    own = _tournament_log(home) if home else None
    verdicts = []
    for verdict in verify_all(logs, each, {discovery.place(path)}):
        verdicts.append(verdict)
        progress(len(verdicts), 2 * len(logs))
    verdicts = [
        replace(one, path=path_text(one.path), reason=path_text(one.reason))
        for one in verification.check_signatures(logs, verdicts, pinned)
    ]
    reading = with_progress(each, lambda done, total: progress(len(logs) + done, 2 * len(logs)))
    with open_database([path], current_only=True, each=reading) as database:
        return Tournament(
            path=path_text(path),
            game=own.card.name if own else next(iter(database.games), "an unknown game"),
            own=path_text(home) if home else None,
            log=own,
            verdicts=verdicts,
            signed=bool(verification.checkpoints(logs)),
            signer=None if pinned is None else (str(pinned.key), pinned.origin),
            boards=[one for game in database.games for one in _boards(database, game)],
            plots=[_plot(database, game) for game in database.games],
            faults=_faults(database),
            audit=_audit(database),
            matches=_matches(database),
        )


def _home(path: Path, logs: Sequence[LogPath]) -> LogPath | None:
    """The log of the one tournament that is there."""
    found = [log for log in logs if log.name == discovery.TOURNAMENT]
    if len(found) > 1:
        raise UsageError(
            f"{path_text(path)}: expected one tournament, found {len(found)}. Name one of them, "
            f"such as {path_text(discovery.home(found[0]))}."
        )
    if not found and len(logs) == 1 and _tournament_log(logs[0]):
        return logs[0]  # under a name of its own
    return found[0] if found else None


def _tournament_log(at: LogPath) -> Log | None:
    """The log of a tournament, as far as it can be read."""
    try:
        log = read(at)
    except IncompleteLog as error:
        if error.log is None:
            return None
        log = error.log
    except (LogError, OSError):
        return None
    return log if log.kind == "tournament" else None


def _boards(database: Database, game: str) -> Iterable[Board]:
    open_ = unfinished(database)
    partial = f"{told(open_)} " if open_ else ""
    for result, noted in (
        (leaderboard(database, game), partial + note(game)),
        (final_table(database, game), FINAL_TABLES),
    ):
        if result.rows:
            yield Board(result.columns, result.rows, noted)


def _plot(database: Database, game: str) -> Plot:
    found = story(database, game)
    return Plot(found.title, found.kind, found.x, found.y, found.log, found.note, found.result.rows)


def _faults(database: Database) -> list[Fault]:
    rows = database.connection.execute(
        "SELECT name, kind, faults.clause, count(*), count(DISTINCT log) "
        "FROM faults JOIN players USING (log, seat) GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    return [Fault(*row) for row in rows]


def _audit(database: Database) -> Audit:
    report = run_rules.audit(database)
    by_rule = defaultdict(list)
    for finding in report.findings:
        by_rule[finding.rule.id].append(finding)
    broken = [
        Broken(
            *(one.id, one.clause, one.severity, one.sentence, len(by_rule[one.id])),
            [Spot(at.path, at.seq, at.expected, at.found) for at in by_rule[one.id][:SPOTS]],
        )
        for one in report.rules
        if one.id in by_rule
    ]
    held = [(one.id, one.clause, one.sentence) for one in report.rules if one.id not in by_rule]
    unread = [Unread(one.path, one.verdict, one.reason) for one in report.unread]
    return Audit(report.logs, held, broken, unread)


def _matches(database: Database) -> list[Match]:
    """The matches whose logs could be read, in their order."""
    faults = defaultdict(list)
    for log, *fault in database.connection.execute(
        "SELECT log, seat, kind, count(*), min(seq) FROM faults GROUP BY ALL ORDER BY ALL"
    ).fetchall():
        faults[log].append(tuple(fault))
    rows = database.connection.execute(
        "SELECT log, path, matches.match, list_transform(players, lambda one: one.name), scores, "
        "winners, reason, void, seal "
        "FROM matches JOIN logs USING (log) ORDER BY attempt_of(matches.match), "
        "TRY_CAST(split_part(matches.match, '-', 2) AS BIGINT), log"
    ).fetchall()
    return [replace(Match(*row), faults=faults[log]) for log, *row in rows]
