"""``koth report``: a match or a tournament as one page."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import progress
from koth.cli.options import Jobs, Key, Origin, Proof
from koth.workers import workers

if TYPE_CHECKING:
    from replay.signatures.verification import ExpectedSigner
    from schema.log_path import LogPath


def report(
    path: Annotated[
        Path,
        typer.Argument(
            help="The log of a match, or a tournament: its folder, log or bundle.", metavar="PATH"
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="A new file for the page.", metavar="FILE")
    ],
    jobs: Jobs = 1,
    key: Key = None,
    origin: Origin = None,
    proof: Proof = None,
) -> None:
    """Write a match or a tournament as one page.

    A browser opens it from disk, without a network. What it shows is replayed and audited for it.
    """
    from replay.signatures.verification import ExpectedSigner
    from schema import discovery
    from schema.errors import UsageError
    from schema.files import write_new

    pinned = ExpectedSigner.of(key, origin, proof)
    place = discovery.resolve(path)
    if proof is not None and len(logs := discovery.logs([path])) != 1:
        raise UsageError(f"--proof: expected one log, found {len(logs)}.")
    _check_new(output)
    if _is_match(place):
        page, fine = _match(place, path, pinned)
    else:
        page, fine = _tournament(path, jobs, pinned)
    write_new(output, page.encode())
    more = "" if fine else " There are findings: it says which."
    print(f"koth: {output} is written.{more}", file=sys.stderr)
    raise typer.Exit(0 if fine else 1)


def _is_match(place: LogPath) -> bool:
    """Whether this is the log of one match, as far as its first line says."""
    from schema import reader
    from schema.bundle import SUFFIX
    from schema.files import first_line

    if place.is_dir() or place.name.endswith(SUFFIX):
        return False
    return reader.read_start(first_line(place), place).kind == "match"


def _match(place: LogPath, path: Path, pinned: ExpectedSigner | None) -> tuple[str, bool]:
    """The page of a match, and whether there is nothing to find fault with."""
    from audit import render, run_rules
    from audit.tables import open_database
    from replay import timeline
    from replay.signatures import verification
    from report import match

    with progress.bar("report") as shown:
        shown(0, 3)
        found = timeline.read(place)
        assert found.verdict is not None  # it was read from a file
        [verdict] = verification.check_signatures([place], [found.verdict], pinned)
        shown(1, 3)
        with open_database([path], current_only=True) as database:
            audit = json.loads(render.as_json(run_rules.audit(database)))
        shown(2, 3)
        fine = verdict.fine and not audit["findings"] and not audit["unread"]
        return match.page(found, verdict, audit), fine


def _tournament(path: Path, jobs: int | None, pinned: ExpectedSigner | None) -> tuple[str, bool]:
    """The page of a tournament, and whether there is nothing to find fault with."""
    from report import data, tournament

    with progress.bar("report") as shown, workers(jobs) as each:
        found = data.tournament(path, each, shown, pinned)
    fine = all(one.fine for one in found.verdicts)
    fine = fine and not found.audit.broken and not found.audit.unread
    return tournament.page(found), fine


def _check_new(output: Path) -> None:
    from schema.errors import UsageError

    if output.exists() or output.is_symlink():
        raise UsageError(f"-o {output}: there is something already; expected a new file.")
    if not output.absolute().parent.is_dir():
        raise UsageError(f"-o {output}: expected a folder to write it into, found none.")
