"""``koth verify``: check that logs follow from their seeds and answers."""

from __future__ import annotations

import sys

import typer

from koth.cli import progress
from koth.cli.options import Cluster, Format, Jobs, Key, Origin, Paths, Proof, Shared, TextOrJson
from koth.workers import workers


def verify(
    paths: Paths,
    jobs: Jobs = None,
    cluster: Cluster = None,
    shared: Shared = None,
    format: Format = TextOrJson.TEXT,
    key: Key = None,
    origin: Origin = None,
    proof: Proof = None,
) -> None:
    """Re-run logs by the rules, and compare every event."""
    from replay import render
    from replay.signatures import verification
    from replay.verify import verify_all
    from schema import discovery
    from schema.errors import GameError, UsageError
    from schema.log_path import printable

    signer = verification.ExpectedSigner.of(key, origin, proof)
    logs = discovery.logs(paths)
    named = {discovery.resolve(path) for path in paths}
    if proof is not None and len(logs) != 1:
        raise UsageError(f"--proof: expected one log, found {len(logs)}.")
    verdicts = []
    failed: GameError | None = None
    with workers(jobs, cluster, shared) as mapper, progress.bar("verify") as show:
        try:
            for verdict in verify_all(logs, mapper, named):
                verdicts.append(verdict)
                show(len(verdicts), len(logs))
        except GameError as error:
            failed = error
    if failed and not verdicts:
        raise failed
    verdicts = verification.check_signatures(logs, verdicts, signer)
    if format is TextOrJson.JSON:
        print(render.verdicts_json(verdicts))
    else:
        print(render.verdicts_text(verdicts))
    if signer is None and (unchecked := verification.checkpoints(logs)):
        hint = "its signature was not checked. Give --key and --origin for that."
        more = f" and {len(unchecked) - 1} more" if len(unchecked) > 1 else ""
        print(f"koth: {printable(str(unchecked[0]))}{more}: {hint}", file=sys.stderr)
    if failed:
        raise failed
    raise typer.Exit(0 if all(verdict.fine for verdict in verdicts) else 1)
