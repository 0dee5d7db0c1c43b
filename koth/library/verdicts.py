"""Verify logs: ``koth.verify``."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from pathlib import Path

from koth.library import html
from koth.library.paths import (
    AnyPath,
    AnyPaths,
    as_int,
    as_path,
    as_paths,
    as_text,
    instance,
    raises_koth_errors,
)
from koth.workers import workers
from replay import render, verdict_render, verdicts
from replay.faults import Counts, sum_counts
from replay.log_verdict import LogVerdict
from replay.rerun import Divergence
from replay.signatures.signer import ExpectedSigner

__all__ = ["LogVerdict", "Verdict", "verify"]


@dataclass(frozen=True)
class Verdict:
    """The verdict on a log, or on all logs of a folder, a bundle or an archive.

    ``str()`` is the text that ``koth verify`` prints.
    """

    logs: tuple[LogVerdict, ...]
    """The verdict on each log, in the order of the command; at least one."""
    paths: tuple[Path, ...] = field(default=(), repr=False)
    """The paths that were verified."""

    @property
    def worst(self) -> LogVerdict:
        """The verdict on the log with the worst verdict; the first of several."""
        return verdicts.worst(self.logs)

    @property
    def verdict(self) -> str:
        """``verified`` or ``imported`` if nothing is wrong, else the worst verdict on a log."""
        return self.worst.verdict

    @property
    def reason(self) -> str:
        """The reason of the worst verdict; for several logs, with numbers and the log's path."""
        return verdicts.reason(self.logs)

    @property
    def fine(self) -> bool:
        """Whether no log has a finding."""
        return all(log.fine for log in self.logs)

    @property
    def counts(self) -> dict[str, int]:
        """Number of logs by verdict."""
        return verdict_render.counts(self.logs)

    @property
    def divergence(self) -> Divergence | None:
        """The first event of the worst log that the rules do not recompute, if it diverges."""
        return self.worst.divergence

    @property
    def faults(self) -> Counts:
        """Number of faults by bot and kind; a fault breaks no rule."""
        return sum_counts(log.faults for log in self.logs)

    @property
    def json(self) -> str:
        """The verdict as ``koth-verify/1``."""
        return verdict_render.verdicts_json(self.logs)

    def __str__(self) -> str:
        return verdict_render.verdicts_text(self.logs, self.paths)

    def _repr_html_(self) -> str:
        findings = [log for log in self.logs if not log.fine]
        rows = [
            (html.strong(log.verdict), html.text(_place(log)), html.text(log.reason))
            for log in findings[: html.SHOWN]
        ]
        divergence, several = self.divergence, len(self.logs) > 1
        summary = verdict_render.totals(self.counts) if several else self.reason
        return html.block(
            f"{html.strong(self.verdict)} {html.text(summary)}",
            "" if several else html.text(_place(self.worst)),
            html.table(("verdict", "log", "reason"), rows) if several and rows else "",
            html.omitted(len(findings)),
            _difference(divergence) if divergence else "",
            html.text(render.summary(self.faults)) if self.faults else "",
            fine=self.fine,
        )


@raises_koth_errors
def verify(
    path: AnyPaths,
    *,
    key: AnyPath | None = None,
    origin: str | None = None,
    proof: AnyPath | None = None,
    jobs: int = 1,
) -> Verdict:
    """Run logs again by the rules and compare every event; return the verdict.

    ``path`` is a log, a folder, a bundle, an archive, or several of them. ``key`` (a public key as
    text or as a file), ``origin`` and ``proof`` (a file of ``koth prove``) require a signature.
    ``jobs`` is the number of processes; more than one needs a guard ``if __name__ == "__main__"``
    in a script.

    A log that does not verify is no error: it gets a verdict (:mod:`replay.verify`). A signature
    that is not checked, because no key is given, is named in a warning. Raises KothError if there
    is no log, or if the rules of a game fail.
    """
    paths, number = as_paths(path), as_int(jobs, "jobs")
    signer = ExpectedSigner.of(
        None if key is None else as_text(key, "key"),
        instance(origin, str | None, "origin", "a str"),
        None if proof is None else as_path(proof, "proof"),
    )
    logs = verdicts.logs_to_verify(paths, signer)
    with workers(number) as mapper:
        checked, error = verdicts.examine(paths, logs, signer, mapper)
    if error:
        raise error
    for note in verdicts.unchecked(logs, signer, "Give key and origin for that."):
        warnings.warn(note, stacklevel=3)
    return Verdict(tuple(checked), tuple(paths))


def _place(log: LogVerdict) -> str:
    return log.path if log.line is None else f"{log.path}:{log.line}"


def _difference(divergence: Divergence) -> str:
    rows = [
        (html.strong("recorded"), html.code(divergence.recorded)),
        (html.strong("recomputed"), html.code(divergence.recomputed)),
    ]
    whole = "\n".join(verdict_render.divergence_lines(divergence))
    return html.table((), rows) + html.details("both events", f"<pre>{html.lines(whole)}</pre>")
