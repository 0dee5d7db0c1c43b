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
    from koth.library import verdicts as library
    from replay.signatures.verification import ExpectedSigner, checkpoints
    from schema.log_path import printable

    signer = ExpectedSigner.of(key, origin, proof)
    logs = library.logs_to_verify(paths, signer)
    with workers(jobs, cluster, shared) as mapper, progress.bar("verify") as show:
        verdict, error = library.examine(paths, logs, signer, mapper, show)
    print(verdict.json if format is TextOrJson.JSON else verdict)
    if signer is None and (unchecked := checkpoints(logs)):
        hint = "its signature was not checked. Give --key and --origin for that."
        more = f" and {len(unchecked) - 1} more" if len(unchecked) > 1 else ""
        print(f"koth: {printable(str(unchecked[0]))}{more}: {hint}", file=sys.stderr)
    if error:
        raise error
    raise typer.Exit(0 if verdict.fine else 1)
