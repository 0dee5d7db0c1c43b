"""``koth verify``: check that logs follow from their seeds and answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import typer

from koth.cli import progress
from koth.cli.inputs import warn, warn_without_logs
from koth.cli.options import (
    Cluster,
    Format,
    Jobs,
    Key,
    Origin,
    Paths,
    Proof,
    Shared,
    SinceOption,
    TextOrJson,
)
from koth.cli.output import say, stdout
from koth.workers import check, workers
from schema.errors import GameError, UsageError

if TYPE_CHECKING:
    from replay.log_verdict import LogVerdict
    from replay.signatures.contest_checkpoint import Since
    from replay.signatures.signer import ExpectedSigner
    from schema.executor import Mapper
    from schema.log_path import LogPath

KEYS = "Give --key and --origin for that."
"""The remedy for a signature that was not checked."""


def verify(
    paths: Paths,
    jobs: Jobs = None,
    cluster: Cluster = None,
    shared: Shared = None,
    format: Format = TextOrJson.TEXT,
    key: Key = None,
    origin: Origin = None,
    proof: Proof = None,
    since: SinceOption = None,
) -> None:
    """Re-run logs by the rules, and compare every event.

    With --since, PATH is a contest, or the proof of `koth prove --from` instead.
    """
    from replay import verdicts
    from schema.discovery import CONTEST

    check(jobs, cluster, shared)
    signer, earlier = _expected(key, origin, proof, since)
    if earlier and verdicts.are_consistency_proofs(paths):
        checked = verdicts.check_proofs(paths, earlier, signer)
        _print(checked, paths, format)
        if signer is None:
            _warn_of_unchecked(paths)
        raise typer.Exit(0 if all(verdict.fine for verdict in checked) else 1)
    if earlier:
        verdicts.check_one_contest(paths)
    warn_without_logs(paths)
    contests = [path for path in paths if (path / CONTEST).is_file()]
    if contests and format is TextOrJson.TEXT and proof is None:
        with workers(jobs, cluster, shared) as mapper:
            fine = _print_in_parts(paths, mapper, signer, earlier)
        raise typer.Exit(0 if fine else 1)
    logs = verdicts.logs_to_verify(paths, signer)
    with workers(jobs, cluster, shared) as mapper, progress.bar("verify") as show:
        checked, error = verdicts.examine(paths, logs, signer, mapper, show, earlier)
    _print(checked, paths, format)
    warn(verdicts.unchecked(logs, signer, KEYS))
    if error:
        raise error
    raise typer.Exit(0 if all(verdict.fine for verdict in checked) else 1)


def _expected(
    key: str | None, origin: str | None, proof: Path | None, since: list[Path] | None
) -> tuple[ExpectedSigner | None, Since]:
    """Return the signer and the earlier checkpoints that the options name."""
    if not since and key is None and origin is None and proof is None:
        return None, ()  # signatures are not imported, which saves a tenth of a small run
    from replay.signatures.signer import ExpectedSigner, read_since

    if since and proof is not None:
        raise UsageError("--since: is for a contest, and --proof for one log; give one of them.")
    signer = ExpectedSigner.of(key, origin, proof)
    return signer, read_since(since or [], signer)


def _print(verdicts: Sequence[LogVerdict], paths: Sequence[Path], format: TextOrJson) -> None:
    from replay import verdict_render

    if format is TextOrJson.JSON:
        say(verdict_render.verdicts_json(verdicts))
    else:
        verdict_render.write_verdicts(verdicts, stdout(), paths)


def _print_in_parts(
    paths: Sequence[Path], mapper: Mapper, signer: ExpectedSigner | None, since: Since
) -> bool:
    """Print the verdicts on contests stage by stage, and return whether none is a finding."""
    from replay import verdict_render
    from replay.errors import RulesFailed
    from replay.parts import parts
    from replay.signatures.verification import check_signatures, checkpoints

    unchecked: dict[LogPath, None] = {}
    failures: list[GameError] = []
    done, fine = 0, True
    with TemporaryFile("w+", encoding="utf-8", errors="surrogateescape") as file:
        written = verdict_render.VerdictsText(file, paths)
        with progress.bar("verify") as show:
            for logs, examined in parts(paths, mapper):
                verdicts: list[LogVerdict] = []
                try:
                    for verdict in examined:
                        verdicts.append(verdict)
                        show(done + len(verdicts), done + len(logs))
                except GameError as error:
                    failures.append(error)
                done += len(verdicts)
                unchecked |= dict.fromkeys(checkpoints(logs) if signer is None else ())
                for verdict in check_signatures(logs, verdicts, signer, since):
                    fine = fine and verdict.fine
                    written.add(verdict)
        written.end()
        file.seek(0)
        copyfileobj(file, stdout())
    _warn_of_unchecked([*unchecked])
    if failures:
        raise RulesFailed(failures) from failures[0]
    return fine


def _warn_of_unchecked(checkpoints: Sequence[LogPath]) -> None:
    """Print that the signatures of these files were not checked, if there are any."""
    from replay.signatures.verification import unchecked

    warn(unchecked(checkpoints, KEYS))
