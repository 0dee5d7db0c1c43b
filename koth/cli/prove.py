"""``koth prove``: prove that one log is signed, or that a contest was only continued."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from koth.cli.output import say, stdout


def prove(
    path: Annotated[
        Path,
        typer.Argument(
            help="The log of a match, or the folder or bundle of a signed tournament or contest.",
            metavar="PATH",
        ),
    ],
    match: Annotated[
        str | None,
        typer.Argument(
            help="In a tournament: a match's id, such as 1-000017, or its number, or `tournament` "
            "for its own log. In a contest with the stage before it, as in 2/1-000017.",
            metavar="MATCH",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            help="A new file for the proof. Default with --from: standard output.",
            metavar="FILE",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help="The public key, as text or as a file; FILE becomes a new folder with all files "
            "that a contestant needs.",
            metavar="VKEY",
        ),
    ] = None,
    old: Annotated[
        Path | None,
        typer.Option("--from", help="An earlier checkpoint of the contest.", metavar="CHECKPOINT"),
    ] = None,
    new: Annotated[
        Path | None,
        typer.Option(
            "--to", help="A later checkpoint. Default: that of the contest.", metavar="CHECKPOINT"
        ),
    ] = None,
) -> None:
    """Prove that one log is signed, or that one checkpoint of a contest extends another.

    `koth verify LOG --proof FILE` checks the proof without the other logs. With --key, FILE is a
    folder for the contestant: log, evidence, proof, public key, and instructions.

    With --from, `koth verify FILE --since CHECKPOINT` checks the proof without the contest.
    """
    from replay import proof_folder
    from replay.signatures import signing
    from schema.discovery import CONTEST, folder_at, match_log
    from schema.errors import UsageError
    from schema.words import typed_number

    if old is not None:
        if match is not None or key is not None:
            raise UsageError("--from: expected only --to and -o with it, found more.")
        _prove_consistency(path, old, new, output)
        return
    if new is not None:
        raise UsageError("--to: expected --from too, found none.")
    if output is None:
        raise UsageError("-o: expected a new file for the proof, found none.")
    if match is None:
        path, match = signing.tournament_of(path)
    elif typed_number(match) is not None or (folder_at(path) / CONTEST).exists():
        path, match = signing.tournament_of(Path(str(match_log(path, match))))
    if key is not None:
        say(f"{output}: {proof_folder.write(path, match, key, output)}")
        return
    index, size = signing.prove(path, match, output)
    say(f"{output}: proves that {match} is number {index} of {size} files")


def _prove_consistency(path: Path, old: Path, new: Path | None, output: Path | None) -> None:
    from replay.signatures import contest_signing
    from schema.files import making, write_new

    proof = contest_signing.prove_consistency(path, old, new)
    if output is None:
        stdout().buffer.write(proof.data)
        return
    with making(output, "cannot be written"):
        write_new(output, proof.data)
    say(f"{output}: proves that {new or 'the latest checkpoint'} extends {old}")
