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

import math
import os
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from sys import intern
from typing import Any

from replay import streaming_verify
from replay.errors import RulesFailed
from replay.faults import NO_FAULTS, counts_by_seat, counts_in_log
from replay.log_verdict import LogVerdict
from replay.tournament_links import Fingerprints, FingerprintsByFile, LogSummary, mismatches
from schema import seal
from schema.bundle import Member
from schema.discovery import CONTEST, MATCHES, STAGES, TOURNAMENT, absolute, home
from schema.errors import GameError, LogError
from schema.executor import Mapper, serial
from schema.files import first_line, refuse_links
from schema.log_path import LogPath
from schema.logs import Logs, Run
from schema.reader import IncompleteLog, read
from schema.system_errors import raise_exhaustion
from schema.words import counted

COMMITMENT = re.compile(rb'"seed_commitment"\s*:')
"""The key of a commitment in the first line of a log, also of a line that is not JSON."""

A_CONTEST = Fingerprints()
"""Those of a contest's log that can be read."""

NO_MATCH = Fingerprints(imported=True)
"""Those of a contest's log among matches; whether it was imported is read only where it matters."""

Contests = Mapping[LogPath, dict[str, str]]
"""The verdicts on the stages of contests, by the contest's absolute folder and the stage's name."""

Result = tuple[LogPath, LogVerdict, Fingerprints]
"""A log with its own verdict and the fingerprints that its tournament needs."""


def verify(path: LogPath) -> LogVerdict:
    """Return the verdict on the log at ``path`` alone. Raises GameError if a game's rules fail."""
    verdict = _examine(path)[0]
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
    failures: list[GameError] = []
    logs = paths if isinstance(paths, Logs) else Logs.of(paths)
    named = {*map(absolute, given)}
    runs = [(folder, [name for name in names if name != CONTEST]) for folder, names in logs.runs]
    own = [folder for folder, names in logs.runs if CONTEST in names]
    contests = {folder: (noted or {}).get(folder, {}) for folder in map(absolute, own)}
    homes = {folder: [*_homes(folder)] for folder, _ in runs}
    groups: dict[LogPath, list[Run]] = defaultdict(list)
    for folder, names in runs:
        groups[homes[folder][-1][0]].append((folder, names))
    results = iter(each(_examine, Logs([*chain.from_iterable(map(_order, groups.values()))])))
    for group in groups.values():
        matches: dict[LogPath, dict[str, Fingerprints | None]] = defaultdict(dict)
        tournaments: list[Result] = []
        early = iter([next(results) for _, names in group if TOURNAMENT in names])
        for folder in (folder for folder, _ in group if absolute(folder) in contests):
            for tournament, inner in homes[folder][1:]:
                matches[tournament][inner + CONTEST] = NO_MATCH
        for folder, name in ((folder, name) for folder, names in group for name in names):
            verdict, fingerprints = next(early if name == TOURNAMENT else results)
            if fingerprints == A_CONTEST:  # under another name: its bots and stages are here
                verdict, fingerprints = _examine_contest(folder / name)
            for tournament, inner in homes[folder][1:]:
                matches[tournament][inner + name] = fingerprints
            if isinstance(verdict, GameError):
                failures.append(verdict)
            elif fingerprints and (fingerprints.tournament or name == TOURNAMENT):
                tournaments.append((folder / name, verdict, fingerprints))
            else:
                yield note_stage(folder / name, verdict, contests) if contests else verdict
        folders = {absolute(log.parent) for log, _, links in tournaments if links.tournament}
        for result in tournaments:
            log, verdict, _ = result
            # One among the matches of another tournament is checked by that tournament.
            if not any(folder in folders for folder, _ in homes[log.parent][1:]):
                verdict = _check_links(result, matches[absolute(log.parent)], named)
            yield note_stage(log, verdict, contests)
    for folder in own:
        yield check_contest(folder / CONTEST, contests[absolute(folder)], named)
    if failures:
        raise RulesFailed(failures) from failures[0]


def _order(group: Sequence[Run]) -> Iterator[Run]:
    """Yield the logs in the folders of a group, with those of tournaments first.

    Their rules hold all results at once, so they run before there are verdicts on all matches.
    """
    yield from ((folder, [TOURNAMENT]) for folder, names in group if TOURNAMENT in names)
    for folder, names in group:
        yield folder, [name for name in names if name != TOURNAMENT]


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


def stages_around(log: LogPath) -> Iterator[tuple[LogPath, str]]:
    """Yield the folder of a contest and the name of a stage's folder for each stage around a log.

    The nearest comes first; the folder is absolute. A bundle among the stages counts as a stage,
    which no contest knows.
    """
    for folder in _with_ancestors(log.parent):
        if folder.parent.name == STAGES:
            yield folder.parent.parent, folder.name


def check_contest(
    path: LogPath, stages: Mapping[str, str], given: Container[LogPath]
) -> LogVerdict:
    """Return the verdict on a contest, from those on its stages; paths ``given`` are absolute."""
    from replay import contest

    def is_missing(folder: LogPath) -> bool:
        if _is_closed(folder.parent) or _is_played(folder, path.parent):
            return False  # it came after the search for logs, or the search left it out
        return bool(stages) or any(above in given for above in _with_ancestors(path.parent))

    outcome = contest.check(path, stages, is_missing)
    return LogVerdict(str(path), *outcome)


def _is_played(stage: LogPath, contest: LogPath) -> bool:
    """Return whether the folder of a stage holds its tournament, and is no link."""
    log = stage / TOURNAMENT
    try:
        refuse_links(log, contest)
    except OSError:
        return False
    return isinstance(log, Path) and log.is_file()


def _homes(folder: LogPath) -> Iterator[tuple[LogPath, str]]:
    """Yield the folders of the tournaments that a log in ``folder`` may belong to, nearest first.

    The first is ``folder`` itself; then each folder above that holds it among its matches, with the
    relative path from these matches to ``folder``. A bundle among the matches holds matches, too.
    """
    folder, inner = absolute(folder), ""
    yield folder, inner
    for ancestor in _with_ancestors(folder):
        if ancestor.name == MATCHES:
            yield ancestor.parent, inner
        if ancestor != ancestor.parent:  # the root of a bundle has the name of the bundle
            inner = f"{ancestor.name}/{inner}"


def _with_ancestors(path: LogPath) -> Iterator[LogPath]:
    """Yield ``path`` and the folders around it; after those in a bundle, the bundle and its own.

    They are absolute, so that equal folders are the same from any working folder.
    """
    path = absolute(path)
    yield path
    while path != path.parent:
        path = path.parent
        yield path
    if isinstance(path, Member):
        yield from _with_ancestors(path.bundle.path)


def _examine(path: LogPath) -> tuple[LogVerdict | GameError, Fingerprints | None]:
    """Return the verdict on a log alone, and its fingerprints if it can be compared with others.

    A log can if the verdict is no finding, or if it is a contest's, which is no match in any case.
    If the rules of a game fail, their error takes the place of the verdict.
    """
    try:
        if summary := streaming_verify.verified(path):
            return _verified(path, summary)
        return _examine_strictly(path)
    except GameError as error:
        return GameError(f"{path}: {error}"), None
    except MemoryError:
        return LogVerdict(str(path), "corrupt", "it takes more memory than there is"), None


def _examine_strictly(path: LogPath) -> tuple[LogVerdict, Fingerprints | None]:
    """Do the same with the strict reader, and a replay that describes the first difference."""
    from replay.rerun import first_divergence

    name = str(path)
    try:
        log = read(path)
    except LogError as error:
        if isinstance(error, IncompleteLog) and error.log and error.log.kind == "contest":
            return _examine_contest(path)
        return LogVerdict(name, error.verdict, error.found, error.line), None
    except OSError as error:
        raise_exhaustion(error)
        return LogVerdict(name, "corrupt", f"cannot be read: {error.strerror}"), None
    if log.kind == "contest":
        return _examine_contest(path)
    events = len(log.events)
    if log.imported:
        if log.kind == "match" and _has_commitment(home(path) / TOURNAMENT):
            reason = "an imported log, in a tournament that committed to a seed"
            return LogVerdict(name, "forged", reason, 1, events), None
        fingerprints = Fingerprints(matches={} if log.kind == "tournament" else None, imported=True)
        reason = "seen elsewhere, nothing to re-run"
        faults = counts_in_log(log)
        return LogVerdict(name, "imported", reason, None, events, faults=faults), fingerprints
    committed, revealed = log.start["seed_commitment"], seal.commitment(log.seal["seed"])
    if committed != revealed:
        reason = f"the log committed to a seed with the hash {committed}, this one has {revealed}"
        return LogVerdict(name, "forged", reason, events, events), None
    if divergence := first_divergence(log):
        reason = divergence.reason
        return LogVerdict(name, "diverged", reason, divergence.line, events, divergence), None
    return _verified(path, LogSummary.of(log))


def _examine_contest(path: LogPath) -> tuple[LogVerdict, Fingerprints | None]:
    """Do the same for a contest's log, without its stages."""
    verdict = check_contest(path, {}, ())
    return verdict, A_CONTEST if verdict.verdict not in ("corrupt", "unsupported") else None


def _verified(path: LogPath, summary: LogSummary) -> tuple[LogVerdict, Fingerprints]:
    events = summary.seal["events"] + 1
    notes = exposed(summary.seal["seed"]) + _left_out(summary.start)
    reason = f"{events} events follow from seed and answers{notes}"
    faults = counts_by_seat(summary.start, summary.faults) if summary.faults else NO_FAULTS
    # Many matches have the same number of events: their verdicts share one text.
    verdict = LogVerdict(str(path), "verified", intern(reason), None, events, faults=faults)
    return verdict, summary.fingerprints()


def exposed(seed: str) -> str:
    """Return the warning that a commitment to a short ``seed`` hides nothing, or nothing.

    The warning continues a sentence.
    """
    digits = seal.significant_digits(seed)
    if digits >= seal.MIN_DIGITS:
        return ""
    many = "1 significant digit" if digits == 1 else f"{digits} significant digits"
    return f"; the commitment hid nothing: the seed has only {many}"


def _left_out(start: Mapping[str, Any]) -> str:
    """Return the note that not all pairs of entrants play each other, or nothing."""
    if "pairings" not in start:
        return ""
    every = math.comb(len(start["entrants"]), 2)
    return f"; {len(start['pairings'])} of {counted(every, 'pair')} of entrants play"


def _has_commitment(tournament: LogPath) -> bool:
    """Return whether the first line of the log at ``tournament`` has a commitment, valid or not."""
    try:
        return COMMITMENT.search(first_line(tournament)) is not None
    except (OSError, LogError):
        return False


def _check_links(
    result: Result, matches: FingerprintsByFile, given: Container[LogPath]
) -> LogVerdict:
    """Check a log that is named as a tournament's against the logs of its matches."""
    path, verdict, fingerprints = result
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
    fingerprints = _examine(log)[1]
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
    if _is_closed(home / MATCHES):
        return lambda match: False
    around = _with_ancestors(home / MATCHES)
    if absolute(path) not in given or any(folder in given for folder in around):
        expected = path.name == TOURNAMENT or (home / MATCHES).exists()
        return lambda match: expected
    return lambda match: bool(matches) and not match.exists()


def _is_closed(folder: LogPath) -> bool:
    """Return whether the user may not look into a folder; its own verdict says so."""
    return isinstance(folder, Path) and folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK)
