"""Verdicts on logs. The first of these that applies is the verdict:

1. ``corrupt``: the bytes are not a log (JSON, byte layout, sequence, events, fields, seal);
2. ``unsupported``: a newer format, or a game or rules version that is not installed;
3. ``incomplete``: the log has no seal;
4. ``forged``: the seed does not match its commitment, or a tournament's log and those of its
   matches, or a contest's log and its stages, do not belong together;
5. ``diverged``: the rules do not lead from seed and answers to these events;
6. ``imported``: a record from elsewhere, with nothing to re-run;
7. ``verified``: none of these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace

from replay.errors import RulesFailed
from replay.log_verdict import LogVerdict
from replay.one_log import A_CONTEST, Examined, examine, examine_contest
from replay.places import homes, is_closed, stages_around, with_ancestors
from replay.tournament_links import Fingerprints, FingerprintsByFile, mismatches
from schema.discovery import CONTEST, MATCHES, STAGES, TOURNAMENT, absolute
from schema.errors import GameError
from schema.executor import Mapper, serial
from schema.log_path import LogPath
from schema.logs import Logs, Run
from schema.words import counted

NO_MATCH = Fingerprints(imported=True)
"""Those of a contest's log among matches; whether it was imported is read only where it matters."""

Contests = Mapping[LogPath, dict[str, str]]
"""The verdicts on the stages of contests, by the contest's absolute folder and the stage's name."""


def verify(path: LogPath) -> LogVerdict:
    """Return the verdict on the log at ``path`` alone. Raises GameError if a game's rules fail."""
    verdict = examine(path)[0]
    if isinstance(verdict, GameError):
        raise verdict
    return verdict


def verify_all(
    paths: Iterable[LogPath],
    each: Mapper = serial,
    given: Iterable[LogPath] = (),
    noted: Contests | None = None,
) -> Iterator[LogVerdict]:
    """Yield the verdicts on several logs, tournament by tournament; ``each`` examines them.

    The log of a tournament follows its matches, and is also checked against them. ``given`` holds
    the paths that were searched for logs: a tournament's log that is given itself, without its
    folder, may lack its matches. ``noted`` has the verdicts on stages that were verified before.

    Raises RulesFailed after all other verdicts if the rules of a game fail on some of the logs.
    """
    logs = paths if isinstance(paths, Logs) else Logs.of(paths)
    named = {*map(absolute, given)}
    contests = {absolute(folder): folder for folder, names in logs.runs if CONTEST in names}
    stages: Contests = {contest: (noted or {}).get(contest, {}) for contest in contests}
    families = _families(logs)
    in_order = Logs([run for family in families for run in family.in_order()])
    results = iter(each(examine, in_order))
    failures: list[GameError] = []
    for family in families:
        for log, verdict in family.verdicts(results, named):
            if isinstance(verdict, GameError):
                failures.append(verdict)
            else:
                yield note_stage(log, verdict, stages)
    for contest, folder in contests.items():
        yield _check_contest(folder / CONTEST, stages[contest], named)
    if failures:
        raise RulesFailed(failures) from failures[0]


def note_stage(log: LogPath, verdict: LogVerdict, contests: Contests) -> LogVerdict:
    """Keep the verdict for the contest of the stage that the log belongs to; return it."""
    for contest, stage in stages_around(log) if contests else ():
        if contest in contests:
            verdicts = contests[contest]
            if absolute(log) == contest / STAGES / stage / TOURNAMENT:
                verdicts[stage] = verdict.verdict
            else:
                verdicts.setdefault(stage, "incomplete")
    return verdict


def _check_contest(
    log: LogPath, stages: Mapping[str, str], given: Container[LogPath]
) -> LogVerdict:
    from replay import contest  # most runs need none of what it loads

    return contest.check(log, stages, given)


# --- Tournaments and their matches ---------------------------------------------------------------


class _Family:
    """Folders with logs of which one may be the tournament of those in the others."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        """The logs, without those of contests, which need the verdicts on all others."""
        self.homes: dict[LogPath, list[tuple[LogPath, str]]] = {}
        """The tournaments that hold a folder among their matches, and its path from there."""
        self.contests: list[LogPath] = []
        """The folders of contests."""

    def add(
        self, folder: LogPath, names: list[str], tournaments: list[tuple[LogPath, str]]
    ) -> None:
        """Add the logs in a folder."""
        self.homes[folder] = tournaments
        self.runs.append((folder, [name for name in names if name != CONTEST]))
        if CONTEST in names:
            self.contests.append(folder)

    def in_order(self) -> Iterator[Run]:
        """Yield the logs with those of tournaments first.

        Their rules hold all results at once, so they run before there are verdicts on all matches.
        """
        yield from ((folder, [TOURNAMENT]) for folder, names in self.runs if TOURNAMENT in names)
        for folder, names in self.runs:
            yield folder, [name for name in names if name != TOURNAMENT]

    def verdicts(
        self, results: Iterator[Examined], given: Container[LogPath]
    ) -> Iterator[tuple[LogPath, LogVerdict | GameError]]:
        """Yield each log with its verdict, those of tournaments at the end.

        ``results`` are those of the logs :meth:`in_order`.
        """
        matches: dict[LogPath, dict[str, Fingerprints | None]] = defaultdict(dict)

        def note(folder: LogPath, name: str, fingerprints: Fingerprints | None) -> None:
            for tournament, inner in self.homes[folder]:
                matches[tournament][inner + name] = fingerprints

        for folder in self.contests:
            note(folder, CONTEST, NO_MATCH)
        first = iter([next(results) for _, names in self.runs if TOURNAMENT in names])
        tournaments: list[tuple[LogPath, LogVerdict, Fingerprints]] = []
        for folder, name in ((folder, name) for folder, names in self.runs for name in names):
            verdict, fingerprints = next(first if name == TOURNAMENT else results)
            log = folder / name
            if fingerprints == A_CONTEST:  # under another name: its bots and stages are here
                verdict, fingerprints = examine_contest(log)
            note(folder, name, fingerprints)
            if fingerprints and (fingerprints.tournament or name == TOURNAMENT):
                assert isinstance(verdict, LogVerdict)  # rules that fail leave no fingerprints
                tournaments.append((log, verdict, fingerprints))
            else:
                yield log, verdict
        outer = {absolute(log.parent) for log, _, links in tournaments if links.tournament}
        for log, verdict, fingerprints in tournaments:
            # One among the matches of another tournament is checked by that tournament.
            if not any(folder in outer for folder, _ in self.homes[log.parent]):
                here = matches[absolute(log.parent)]
                verdict = _check_links(log, verdict, fingerprints, here, given)
            yield log, verdict


def _families(logs: Logs) -> list[_Family]:
    """Return the logs by the outermost tournament that they may belong to."""
    families: dict[LogPath, _Family] = defaultdict(_Family)
    for folder, names in logs.runs:
        around = [*homes(folder)]
        families[around[-1][0]].add(folder, names, around[1:])
    return [*families.values()]


def _check_links(
    path: LogPath,
    verdict: LogVerdict,
    fingerprints: Fingerprints,
    matches: FingerprintsByFile,
    given: Container[LogPath],
) -> LogVerdict:
    """Check a log that is named as a tournament's against the logs of its matches."""
    played = fingerprints.matches
    if played is None:
        if (path.parent / MATCHES).exists():
            found = "match" if fingerprints.own or fingerprints.imported else "contest"
            reason = f"expected the log of the tournament whose matches are here, found a {found}'s"
            return replace(verdict, verdict="forged", reason=reason, line=1)
        return verdict
    if verdict.verdict == "imported":
        logs = (path.parent / MATCHES / file for file in matches)
        committed = any(match and not match.imported for match in matches.values())
        if committed or any(map(_is_committed_contest, logs)):
            reason = "an imported log, of a tournament whose matches committed to seeds"
            return replace(verdict, verdict="forged", reason=reason, line=1)
        return verdict
    problems = list(mismatches(path, played, matches, _is_missing(path, matches, given)))
    if problems:
        more = f"; and {len(problems) - 1} more" if len(problems) > 1 else ""
        reason, line = problems[0].describe(path)
        return replace(verdict, verdict="forged", reason=f"{reason}{more}", line=line)
    return _with_unseen(verdict, played, matches)


def _is_committed_contest(log: LogPath) -> bool:
    """Return whether a log among matches has the name of a contest's and committed to a seed."""
    if log.name != CONTEST:
        return False
    fingerprints = examine(log)[1]
    return fingerprints is not None and not fingerprints.imported


def _with_unseen(
    verdict: LogVerdict, played: Iterable[str], matches: FingerprintsByFile
) -> LogVerdict:
    """Add to the reason the number of matches whose logs were not among those verified."""
    unseen = [f"{match}.jsonl" not in matches for match in played]
    if not any(unseen):
        return verdict
    were = "was" if sum(unseen) == 1 else "were"
    note = f"; {sum(unseen)} of its {counted(len(unseen), 'match')} {were} not looked at"
    return replace(verdict, reason=verdict.reason + note)


def _is_missing(
    path: LogPath, matches: FingerprintsByFile, given: Container[LogPath]
) -> Callable[[LogPath], bool]:
    """Return a test whether the log of a match that is not among ``matches`` should be there."""
    home = path.parent
    if is_closed(home / MATCHES):
        return lambda match: False
    around = with_ancestors(home / MATCHES)
    if absolute(path) not in given or any(folder in given for folder in around):
        expected = path.name == TOURNAMENT or (home / MATCHES).exists()
        return lambda match: expected
    return lambda match: bool(matches) and not match.exists()
