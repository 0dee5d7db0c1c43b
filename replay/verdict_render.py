"""The verdicts on logs, as text for people and as versioned JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from typing import IO, TYPE_CHECKING

from replay import render
from replay.faults import Counts, sum_counts
from schema.log_path import path_text, shell_word
from schema.words import counted

if TYPE_CHECKING:
    from pathlib import Path

    from replay.log_verdict import LogVerdict
    from replay.rerun import Divergence

PATHS_SHOWN = 3
"""Maximum paths that a suggested command repeats."""

MOST_COUNTS = 10_000
"""Maximum counts of faults that are kept apart while logs are verified."""


def verdicts_json(verdicts: Sequence[LogVerdict]) -> str:
    """Return ``koth-verify/1``: one entry per log, and the number of logs by verdict."""
    logs = [
        asdict(v) | {"path": path_text(v.path), "reason": path_text(v.reason)} for v in verdicts
    ]
    return render.json("koth-verify/1", logs=logs, counts=counts(verdicts))


def counts(verdicts: Iterable[LogVerdict]) -> dict[str, int]:
    """Return the number of logs by verdict."""
    return dict(sorted(Counter(verdict.verdict for verdict in verdicts).items()))


def totals(counts: Mapping[str, int]) -> str:
    """Return the number of logs, and of each verdict: ``3 logs: 1 forged, 2 verified``."""
    parts = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items()))
    return f"{counted(sum(counts.values()), 'log')}: {parts}"


class VerdictsText:
    """Writes verdicts as text: one line per log, with the whole divergence if it diverges.

    ``paths`` are those that were verified, for the command that lists the faults.
    """

    def __init__(self, target: IO[str], paths: Sequence[Path]) -> None:
        self._target = target
        shown = 0 < len(paths) <= PATHS_SHOWN
        self._command = " ".join(
            ["koth faults", *(map(shell_word, paths) if shown else ("PATH…",))]
        )
        self._counts: Counter[str] = Counter()
        self._faults: list[Counts] = []

    def add(self, verdict: LogVerdict) -> None:
        """Write one verdict."""
        location = verdict.path if verdict.line is None else f"{verdict.path}:{verdict.line}"
        lines = [f"{verdict.verdict}  {location}: {verdict.reason}"]
        if verdict.divergence is not None:
            lines += divergence_lines(verdict.divergence)
        self._target.write(f"{render.text(lines)}\n")
        self._counts[verdict.verdict] += 1
        if verdict.faults:
            self._faults.append(verdict.faults)
        if len(self._faults) > MOST_COUNTS:
            self._faults = [sum_counts(self._faults)]

    def end(self) -> None:
        """Write the faults and the totals."""
        faults = sum_counts(self._faults)
        lines = [f"{render.summary(faults)}; see `{self._command}`"] if faults else []
        self._target.write(f"{render.text([*lines, totals(self._counts)])}\n")


def write_verdicts(verdicts: Iterable[LogVerdict], target: IO[str], paths: Sequence[Path]) -> None:
    """Write verdicts as text, then their faults and totals."""
    written = VerdictsText(target, paths)
    for verdict in verdicts:
        written.add(verdict)
    written.end()


def verdicts_text(verdicts: Iterable[LogVerdict], paths: Sequence[Path] = ()) -> str:
    """Return the same without the last line end."""
    target = StringIO()
    write_verdicts(verdicts, target, paths)
    return target.getvalue().removesuffix("\n")


def divergence_lines(divergence: Divergence) -> list[str]:
    """Return a divergence in full: both events, the events before them, and the state."""
    said = divergence.sentences
    return [
        f"  line {divergence.line}, event {divergence.seq}, field {divergence.field}",
        f"  recorded    {render.shown(divergence.recorded)}",
        f"  recomputed  {render.shown(divergence.recomputed)}",
        f"  clause      {divergence.clause or '(none)'}",
        "  the events before it:",
        *render.sentences_and_events(divergence.before, said),
        "  the event as recorded, and as recomputed:",
        *render.event_lines("recorded  ", said["recorded"], divergence.event_recorded, "    "),
        *render.event_lines("recomputed", said["recomputed"], divergence.event_recomputed, "    "),
        "  the state there:",
        *render.value_lines(divergence.state, "    "),
    ]
