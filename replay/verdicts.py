"""Verify the logs at several paths with their signatures, and sum up the verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from replay import verdict_render
from replay.log_verdict import LogVerdict
from replay.verify import verify_all
from schema import discovery
from schema.errors import GameError, UsageError
from schema.executor import Mapper, Progress
from schema.logs import Logs

if TYPE_CHECKING:
    from replay.signatures.contest_checkpoint import Since
    from replay.signatures.signer import ExpectedSigner

WORST_FIRST = ("corrupt", "unsupported", "incomplete", "forged", "diverged", "imported", "verified")
"""The verdicts in the order of :mod:`replay.verify`."""


def worst(verdicts: Iterable[LogVerdict]) -> LogVerdict:
    """Return the worst verdict; the first of several. Raises ValueError if there is none."""
    return min(verdicts, key=lambda verdict: WORST_FIRST.index(verdict.verdict))


def reason(verdicts: Sequence[LogVerdict]) -> str:
    """Return the reason of the worst verdict; of several, with totals and the path of its log."""
    first = worst(verdicts)
    if len(verdicts) == 1:
        return first.reason
    totals = verdict_render.totals(verdict_render.counts(verdicts))
    return totals if first.fine else f"{totals}; {first.path}: {first.reason}"


def logs_to_verify(paths: Sequence[Path], signer: ExpectedSigner | None) -> Logs:
    """Return the logs at ``paths``.

    Raises UsageError if the signer has a proof, which is for one log, and there are several.
    """
    logs = discovery.logs(paths)
    if signer is not None and signer.proof is not None and len(logs) != 1:
        raise UsageError(f"proof: expected one log, found {len(logs)}.")
    return logs


def check_one_contest(paths: Sequence[Path]) -> None:
    """Raise UsageError unless ``paths`` have exactly one contest, and no proof beside it."""
    from replay.signatures.contest_checkpoint import is_consistency_proof

    for path in filter(is_consistency_proof, paths):
        raise UsageError(
            f"--since: expected a contest or proofs, found both; {path} is a proof. Verify "
            "them one after the other."
        )
    contests = [log for log in discovery.logs(paths) if log.name == discovery.CONTEST]
    if len(contests) != 1:
        raise UsageError(f"--since: expected one contest, found {len(contests)}.")


def are_consistency_proofs(paths: Iterable[Path]) -> bool:
    """Return whether the files at all ``paths`` begin like consistency proofs."""
    from replay.signatures.contest_checkpoint import is_consistency_proof

    return all(map(is_consistency_proof, paths))


def check_proofs(
    paths: Sequence[Path], since: Since, signer: ExpectedSigner | None
) -> list[LogVerdict]:
    """Return the verdicts on proofs that a contest was only continued. Raises OSError."""
    from replay.signatures.contest_checkpoint import check_consistency

    return [LogVerdict(str(path), *check_consistency(path, since, signer)) for path in paths]


def examine(
    paths: Sequence[Path],
    logs: Logs,
    signer: ExpectedSigner | None,
    mapper: Mapper,
    progress: Progress = lambda done, total: None,
    since: Since = (),
) -> tuple[list[LogVerdict], GameError | None]:
    """Return the verdicts on the ``logs`` at ``paths``, and the error of a game whose rules failed.

    A contest must extend the checkpoints ``since``. Raises that error if it leaves no verdict.
    """
    named = {discovery.resolve(path) for path in paths}
    verdicts: list[LogVerdict] = []
    failed: GameError | None = None
    try:
        for verdict in verify_all(logs, mapper, named):
            verdicts.append(verdict)
            progress(len(verdicts), len(logs))
    except GameError as error:
        if not verdicts:
            raise
        failed = error
    if signer is None and not _can_be_signed(logs):
        return verdicts, failed
    from replay.signatures.verification import check_signatures

    return check_signatures(logs, verdicts, signer, since), failed


def unchecked(logs: Logs, signer: ExpectedSigner | None, remedy: str) -> list[str]:
    """Return a sentence about signatures beside ``logs`` if no signer is given; or nothing."""
    if signer is not None or not _can_be_signed(logs):
        return []
    from replay.signatures import verification

    return verification.unchecked(verification.checkpoints(logs), remedy)


def _can_be_signed(logs: Logs) -> bool:
    """Return whether some of ``logs`` are of tournaments or contests, which have checkpoints."""
    signed = {discovery.TOURNAMENT, discovery.CONTEST}
    return not all(signed.isdisjoint(names) for _, names in logs.runs)
