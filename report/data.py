"""Collects the contents of a tournament's page: verdicts from the replay, tables from the audit."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from audit import run_rules, views
from audit.contest import check_single, waiting
from audit.leaderboard import FINAL_TABLES, final_table, leaderboard, note
from audit.match_plot import match_plot
from audit.result_format import cell
from audit.tables import Database, open_database
from replay.log_verdict import LogVerdict
from replay.partial_log import read_partial
from replay.signatures import verification
from replay.signatures.signer import ExpectedSigner
from replay.verify import verify_all
from report.contents import FaultCount, Match, Stage, Standings, Tournament
from report.standings import BOT, NAME
from report.unfinished import ranking_note, unfinished
from schema import discovery, registry
from schema.errors import LogError, UsageError
from schema.executor import Mapper, Progress, with_progress
from schema.log_path import LogPath, path_text
from schema.logs import Logs
from schema.reader import Log
from schema.words import first_names

STAGES = """
SELECT stage, beacon, seed, root, (
    SELECT count(*) FROM entries
    WHERE entries.log = stages.log
        AND first_stage <= stage AND coalesce(last_stage, stage) >= stage
)
FROM stages ORDER BY stage
"""
"""The stages by number."""


@dataclass(frozen=True)
class Checked:
    """A tournament that was audited, with its tables."""

    database: Database
    _collect: Callable[[], Tournament]

    @cached_property
    def contents(self) -> Tournament:
        """The contents of its page; the first use verifies all logs."""
        return self._collect()


@contextmanager
def checked(
    path: Path,
    each: Mapper,
    progress: Progress,
    signer: ExpectedSigner | None,
    logs: Logs | None = None,
) -> Iterator[Checked]:
    """Audit and verify the tournament at ``path``: its folder, its archive, or its log alone.

    ``logs`` are its logs, if they are known. Logs are verified when the contents are first used:
    tables and verdicts together take more memory than one after the other.

    ``each`` does the work on the logs, and ``progress`` is called after each log: once when it is
    read into tables, once when it is verified. Raises UsageError for several tournaments and for
    matches of several games, and NothingToDo for a path without logs.
    """
    logs = discovery.logs([path]) if logs is None else logs
    log_path = _log_path(path, logs)
    reading = with_progress(each, lambda done, total: progress(done, 2 * len(logs)))
    with open_database(
        [path], current_only=True, on_disk=True, mapper=reading, logs=logs
    ) as database:
        if log_path is None and len(database.games) > 1:
            raise UsageError(
                f"{path_text(path)}: expected matches of one game, found "
                f"{first_names(database.games)}. Give each game a folder of its own."
            )
        if log_path is not None and log_path.name == discovery.CONTEST:
            check_single(database, path)
        report = _movable(path, run_rules.audit(database))
        for game in database.games:
            views.drop_rows(database, registry.card(game))

        def collect() -> Tournament:
            log = _tournament_log(log_path) if log_path else None
            contest = log_path if log_path and log_path.name == discovery.CONTEST else None
            verdicts = _verdicts(path, logs, each, progress, signer)
            matches = _matches(database, contest)
            return Tournament(
                path=path_text(path),
                game=log.card.name if log else next(iter(database.games), "an unknown game"),
                log_path=path_text(log_path) if log_path else None,
                log=log,
                verdicts=verdicts,
                signed=bool(verification.checkpoints(logs)),
                signer=None if signer is None else (str(signer.key), signer.origin),
                standings=[table for game in database.games for table in standings(database, game)],
                plots=[match_plot(database, game) for game in database.games],
                faults=_faults(database),
                audit=report,
                matches=matches,
                stages=_stages(database, contest, matches, verdicts),
                waiting=waiting(database),
            )

        yield Checked(database, collect)


def _verdicts(
    path: Path,
    logs: Logs,
    each: Mapper,
    progress: Progress,
    signer: ExpectedSigner | None,
) -> list[LogVerdict]:
    verdicts = []
    for verdict in verify_all(logs, each, {discovery.resolve(path)}):
        verdicts.append(verdict)
        progress(len(logs) + len(verdicts), 2 * len(logs))
    return [
        replace(
            verdict, path=path_text(verdict.path), reason=_named(path, path_text(verdict.reason))
        )
        for verdict in verification.check_signatures(logs, verdicts, signer)
    ]


def _movable(path: Path, report: run_rules.Report) -> run_rules.Report:
    """Return an audit whose texts do not say where the tournament is."""
    findings = [
        replace(one, expected=_named(path, one.expected), found=_named(path, one.found))
        for one in report.findings
    ]
    unread = [replace(file, reason=_named(path, file.reason)) for file in report.unread]
    return replace(report, findings=findings, unread=unread)


def _named(path: Path, text: str) -> str:
    """Return ``text`` with the paths in it from the tournament's folder on, so that it can move."""
    if not path.name:
        return text  # the working folder
    folder, name = re.escape(path_text(path)), path_text(path.name)
    return re.sub(rf"(?<!\S){folder}(?=[/:]|\s|$)", lambda _: name, text)


def _log_path(path: Path, logs: Logs) -> LogPath | None:
    """Return the log of the only contest or tournament in ``logs``.

    The stages of a contest are part of it. Raises UsageError for several, and for further logs
    outside of its folder, whose matches would count on its page.
    """
    contests = [log for log in logs if log.name == discovery.CONTEST]
    homes = {discovery.absolute(log.parent) for log in contests}
    tournaments = [
        log for log in logs if log.name == discovery.TOURNAMENT and not _is_part(log, homes)
    ]
    own = [*contests, *tournaments]
    if len(own) > 1:
        noun = "contest" if contests else "tournament"
        noun = "contest or tournament" if contests and tournaments else noun
        raise UsageError(
            f"{path_text(path)}: expected one {noun}, found {len(own)}. Name one of "
            f"them, such as {path_text(discovery.home(own[0]))}."
        )
    if not own:
        has_another_name = len(logs) == 1 and _tournament_log(logs[0])
        return logs[0] if has_another_name else None
    folder = own[0].parent
    for log in logs:
        if not PurePath(str(log)).is_relative_to(str(folder)):
            raise UsageError(
                f"{path_text(path)}: expected one tournament, found another log beside it, "
                f"{path_text(log)}. Name the folder {path_text(folder)}."
            )
    return own[0]


def _is_part(log: LogPath, contests: Container[LogPath]) -> bool:
    """Return whether a log is in a stage of one of these ``contests``, or in its folder."""
    stage = discovery.stage_of(log)
    return any(
        discovery.absolute(folder) in contests
        for folder in (log.parent, *(() if stage is None else stage[:1]))
    )


def _tournament_log(path: LogPath) -> Log | None:
    """Return the log of a tournament or a contest, as far as it can be read."""
    try:
        log = read_partial(path)
    except (LogError, OSError):
        return None
    return None if log.kind == "match" else log


def standings(database: Database, game: str) -> Iterable[Standings]:
    """Yield the standings of a game: from its matches, and from final tables alone."""
    open_tournaments = [one for one in unfinished(database) if one.game == game]
    partial = f"{_capitalized(ranking_note(open_tournaments))} " if open_tournaments else ""
    for table, text in (
        (leaderboard(database, game), f"{partial}{_capitalized(note(game))}"),
        (final_table(database, game), FINAL_TABLES),
    ):
        if table.rows:
            yield Standings(
                table.columns, [_as_texts(table.columns, row) for row in table.rows], text
            )


def _as_texts(columns: Sequence[str], row: Sequence[Any]) -> list[Any]:
    """Return a row that names its bot by texts; the leaderboard of a package may have others."""
    return [
        cell(value) if column in (NAME, BOT) and not isinstance(value, str) else value
        for column, value in zip(columns, row, strict=True)
    ]


def _capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _faults(database: Database) -> list[FaultCount]:
    rows = database.rows(
        "SELECT name, kind, faults.clause, count(*) "
        "FROM faults JOIN players USING (log, seat) GROUP BY ALL ORDER BY ALL"
    )
    return [FaultCount(*row) for row in rows]


def _matches(database: Database, contest: LogPath | None) -> list[Match]:
    """Return the matches whose logs could be read, in order."""
    faults = defaultdict(list)
    for log, *fault in database.rows(
        "SELECT log, seat, kind, count(*), min(seq) "
        "FROM faults JOIN players USING (log, seat) GROUP BY ALL ORDER BY ALL"
    ):
        faults[log].append(tuple(fault))
    rows = database.rows(
        "SELECT matches.log, path, matches.match, "
        "list_transform(players, lambda player: player.name), "
        "scores, winners, reason, void, seal "
        "FROM matches JOIN logs USING (log) "
        "ORDER BY attempt_of(matches.match), "
        "TRY_CAST(split_part(matches.match, '-', 2) AS BIGINT), matches.log"
    )
    matches = []
    for log, *row in rows:
        match = replace(Match(*row), faults=faults[log])
        stage = _stage(database.log_paths[log], contest)
        if stage is not None:
            match = replace(match, match=f"{stage}/{match.match}", stage=stage)
        matches.append(match)
    return matches


def _stage(path: LogPath, contest: LogPath | None) -> int | None:
    """Return the number of the stage that a log belongs to, in the contest with this log."""
    if contest is None:
        return None
    stage = discovery.stage_of(path)
    if stage is None or stage[0] != contest.parent:
        return None
    return int(stage[1]) if stage[1].isdecimal() else None


def _stages(
    database: Database,
    contest: LogPath | None,
    matches: Sequence[Match],
    verdicts: Sequence[LogVerdict],
) -> list[Stage]:
    """Return the stages of a contest, in order; ``matches`` are those of all stages."""
    if contest is None:
        return []
    by_path = {verdict.path: verdict.verdict for verdict in verdicts}
    played = Counter(match.stage for match in matches)
    stages = []
    for number, beacon, seed, root, bots in database.rows(STAGES):
        log = (
            contest.parent / discovery.STAGES / discovery.stage_name(number) / discovery.TOURNAMENT
        )
        verdict = by_path.get(path_text(log))
        stages.append(Stage(number, beacon, seed, root, bots, played[number], verdict))
    return stages
