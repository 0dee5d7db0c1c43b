"""``koth report``: write a match or a tournament as one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from koth.cli import inputs, progress
from koth.cli.options import Key, LocalJobs, Origin, Proof, Seat
from koth.cli.output import note
from koth.workers import check_jobs, workers
from schema.errors import UsageError
from schema.files import write_new


def report(
    path: Annotated[
        Path,
        typer.Argument(
            help="The log of a match, or the folder, log or bundle of a tournament.", metavar="PATH"
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="A new file for the page.", metavar="FILE")
    ],
    seat: Seat = None,
    jobs: LocalJobs = 1,
    key: Key = None,
    origin: Origin = None,
    proof: Proof = None,
) -> None:
    """Write a match or a tournament as one page.

    The logs are replayed and audited first. A browser opens the page from disk, without a network.
    With --seat, the page of a match has no audit and no board, because they show what is hidden.
    """
    from replay.signatures.signer import ExpectedSigner
    from replay.verdicts import logs_to_verify
    from report.one_page import one_page, seat_page

    check_jobs(jobs)
    if seat is not None:
        _check_unsigned(key=key, origin=origin, proof=proof)
    signer = ExpectedSigner.of(key, origin, proof)
    if proof is not None:
        logs_to_verify([path], signer)
    inputs.check_new_file(output)
    if seat is not None:
        write_new(output, seat_page(path, seat).encode())
        note(f"{output} is written.")
        return
    with workers(jobs) as mapper, progress.bar("report") as show:
        page, clean = one_page(path, mapper, show, signer)
    write_new(output, page.encode())
    findings = "" if clean else " The page lists the findings."
    note(f"{output} is written.{findings}")
    raise typer.Exit(0 if clean else 1)


def _check_unsigned(**options: object) -> None:
    """Raise UsageError if an option asks for a signature, which is over all of a log."""
    for option, used in options.items():
        if used is not None:
            raise UsageError(f"--{option}: does not go with --seat; `koth verify` checks it.")
