"""The verdict on one log alone, without the logs of its tournament."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from sys import intern
from typing import Any

from replay import streaming_verify
from replay.faults import NO_FAULTS, counts_by_seat, counts_in_log
from replay.log_verdict import LogVerdict
from replay.tournament_links import Fingerprints, LogSummary
from schema import seal
from schema.discovery import TOURNAMENT, home
from schema.errors import GameError, LogError
from schema.files import first_line
from schema.log_path import LogPath
from schema.reader import IncompleteLog, read
from schema.system_errors import raise_exhaustion
from schema.words import counted

COMMITMENT = re.compile(rb'"seed_commitment"\s*:')
"""The key of a commitment in the first line of a log, also of a line that is not JSON."""

A_CONTEST = Fingerprints()
"""Those of a contest's log that can be read."""

Examined = tuple[LogVerdict | GameError, Fingerprints | None]
"""The verdict on a log alone, and its fingerprints if it can be compared with others.

A log can if the verdict is no finding, or if it is a contest's, which is no match in any case. If
the rules of a game fail, their error takes the place of the verdict.
"""


def examine(path: LogPath) -> Examined:
    """Return the verdict on the log at ``path``; for a contest, without its stages."""
    try:
        if summary := streaming_verify.verified(path):
            return _verified(path, summary)
        return examine_strictly(path)
    except GameError as error:
        return GameError(f"{path}: {error}"), None
    except MemoryError:
        return LogVerdict(str(path), "corrupt", "it takes more memory than there is"), None


def examine_strictly(path: LogPath) -> tuple[LogVerdict, Fingerprints | None]:
    """Do the same with the strict reader, and a replay that describes the first difference."""
    from replay.rerun import first_divergence

    name = str(path)
    try:
        log = read(path)
    except LogError as error:
        if isinstance(error, IncompleteLog) and error.log and error.log.kind == "contest":
            return examine_contest(path)
        return LogVerdict(name, error.verdict, error.found, error.line), None
    except OSError as error:
        raise_exhaustion(error)
        return LogVerdict(name, "corrupt", f"cannot be read: {error.strerror}"), None
    if log.kind == "contest":
        return examine_contest(path)
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


def examine_contest(path: LogPath) -> tuple[LogVerdict, Fingerprints | None]:
    """Do the same for a contest's log, without its stages."""
    from replay import contest  # most logs need none of what it loads

    verdict = contest.check(path, {}, ())
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
