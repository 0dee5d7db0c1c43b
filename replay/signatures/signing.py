"""Signs a tournament or a contest, and writes the proof that a file is among those signed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from replay.errors import no_tournament
from replay.signatures import contest_signing
from replay.signatures.completeness import check_complete
from replay.signatures.contest_checkpoint import stage_folder
from replay.signatures.signer import CheckpointError, open_checkpoint, read_note
from replay.signatures.verification import check_files, entries
from schema import merkle
from schema.discovery import (
    CHECKPOINT,
    CONTEST,
    EVIDENCE,
    TOURNAMENT,
    folder_at,
    home,
    log,
)
from schema.errors import UsageError
from schema.files import making, replacing, write_new
from schema.log_path import LogPath, path_text
from schema.reader import read
from schema.signed_note import Checkpoint, NoteError, PrivateKey, Proof, checked_name, verify_note
from schema.tournament_tree import TOURNAMENT_ENTRY
from schema.words import suggest


def sign(
    folder: Path, key: PrivateKey, origin: str, overwrite: bool = False
) -> tuple[Checkpoint, bool]:
    """Write the signed checkpoint of a tournament or a contest (c2sp.org/tlog-checkpoint).

    Returns the checkpoint, and whether it is new. An equal checkpoint that ``key`` has signed
    remains; any other is replaced only with ``overwrite``. Raises UsageError, LogError,
    CheckpointError and OSError.
    """
    try:
        checked_name(origin)
    except NoteError as error:
        raise UsageError(f"--origin: {error}.") from None
    if (folder / CONTEST).is_file():
        return contest_signing.sign(folder, key, origin, overwrite)
    if not (folder / TOURNAMENT).is_file():
        raise UsageError(f"{folder}: expected a tournament's folder, found no {TOURNAMENT} there.")
    check_complete(folder, folder)
    hashes = list(entries(folder).values())
    checkpoint = Checkpoint(origin, len(hashes), merkle.root(hashes))
    target = folder / CHECKPOINT
    if target.exists() and not overwrite:
        with suppress(NoteError):
            if verify_note(read_note(target), key.public) == checkpoint.text:
                return checkpoint, False
        raise UsageError(
            f"{target}: expected no checkpoint or an equal one, found another. People who have "
            "seen it may hold you to it; --replace replaces it."
        )
    with making(target, "cannot be written"), replacing(target, new=not overwrite) as path:
        path.write_bytes(key.sign(checkpoint.text))
    return checkpoint, True


def prove(path: Path, match: str, target: Path) -> tuple[int, int]:
    """Write the proof that a log belongs to the signed checkpoint of its tournament or contest.

    ``path`` is a tournament's folder or bundle. ``match`` is a match id, or ``tournament`` for its
    own log. The proof is an RFC 6962 inclusion proof in the format of c2sp.org/tlog-proof. Returns
    the index of the log, and the number of files. Raises UsageError, LogError, CheckpointError and
    OSError.
    """
    tournament = folder_at(path)
    checkpoint = tournament / CHECKPOINT
    stage = stage_folder(tournament)
    if not (tournament / TOURNAMENT).exists():
        raise no_tournament(path, tournament)
    if not (stage or checkpoint.exists()):
        raise UsageError(f"{checkpoint}: expected a checkpoint, found none. Run `koth sign` first.")
    if target.exists():
        raise UsageError(f"{target}: expected no file there, found one. Choose another name.")
    read(tournament / TOURNAMENT)
    hashes = entries(tournament)
    if match not in hashes:
        raise UsageError(
            f"{path}: no match '{match}'; expected an id such as 1-000000, or {TOURNAMENT_ENTRY}."
            f"{suggest(match, list(hashes))}"
        )
    index = list(hashes).index(match)
    try:
        proof = next(islice(_proofs(tournament, stage, hashes), index, None))
    except CheckpointError as error:
        raise CheckpointError(f"{path}: {error}. Nothing can be proved with it.") from None
    with making(target, "cannot be written"):
        write_new(target, proof.data)
    return index, len(hashes)


def proofs(tournament: LogPath) -> dict[str, Proof]:
    """Return the proofs of :func:`prove` for all logs of a tournament, by match id.

    There are none if neither the tournament nor its contest has a checkpoint. Raises LogError,
    CheckpointError and OSError.
    """
    stage = stage_folder(tournament)
    if not ((stage and (stage[0] / CHECKPOINT).exists()) or (tournament / CHECKPOINT).exists()):
        return {}
    read(tournament / TOURNAMENT)
    hashes = entries(tournament)
    return dict(zip(hashes, _proofs(tournament, stage, hashes), strict=True))


def _proofs(
    tournament: LogPath, stage: tuple[LogPath, str] | None, hashes: dict[str, bytes]
) -> Iterator[Proof]:
    """Yield the proof for each file of a tournament, or of a stage of a contest."""
    files = list(hashes.values())
    if stage:
        yield from contest_signing.proofs_in_stage(stage, files)
        return
    note = read_note(tournament / CHECKPOINT)
    check_files(open_checkpoint(note, None), hashes)
    for index, path in enumerate(merkle.inclusions(files)):
        yield Proof(index, path, note)


def tournament_of(path: Path) -> tuple[Path, str]:
    """Return the tournament of the log at ``path``, and the name of that log in :func:`prove`.

    Raises UsageError if it is a folder or evidence, or does not exist.
    """
    file = log(path)
    if file.parent.name == EVIDENCE and not (file.parent / CHECKPOINT).exists():
        raise UsageError(f"{path_text(path)}: expected a log, found evidence, which is not signed.")
    match = TOURNAMENT_ENTRY if file.name == TOURNAMENT else file.name.removesuffix(".jsonl")
    return Path(str(home(file))), match
