"""Checks the log of a contest against checkpoints, and that checkpoints extend each other.

The entries of a contest's tree are the lines of its log, each with its LF. Lines are only appended.
So a checkpoint stays valid while the contest goes on, and any two checkpoints of one contest are
consistent (RFC 6962, section 2.1.2): the later tree begins with the entries of the earlier one.

A file of a stage is signed through two trees. The line ``stage_finished`` is an entry of the
contest's tree, and it has the size and the root of the tree over the files of its stage. The proof
of one file is that of this line (c2sp.org/tlog-proof). Its ``extra`` data is the proof of the file
in the same format, with the line in the place of a checkpoint.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from replay.signatures.signer import CheckpointError, ExpectedSigner, open_checkpoint, read_note
from schema import merkle, tournament_tree
from schema.discovery import (
    CHECKPOINT,
    CHECKPOINTS,
    CONTEST,
    STAGES,
    TOURNAMENT,
    absolute,
    files_below,
    stage_of,
)
from schema.errors import LogError
from schema.files import open_regular
from schema.log_path import LogPath
from schema.scan import read_log_bytes
from schema.signed_note import OLD, Checkpoint, ConsistencyProof, NoteError, Proof
from schema.words import counted

Since = Sequence[tuple[str, Checkpoint]]
"""Checkpoints with their names for messages."""

FINISHED = re.compile(
    rb'\{"seq":(\d{1,19}),"type":"stage_finished","stage":(\d{1,19}),"seed":"[0-9a-f]{64}",'
    rb'"files":(\d{1,19}),"root":"([0-9a-f]{64})"\}\n'
)

STAGE_NAME = re.compile("[0-9]{4}|[1-9][0-9]{4,18}")
"""The name of a stage's folder, which is its number."""


def lines(log: LogPath) -> list[bytes]:
    """Return the lines of a contest's log, without a partial last line.

    Raises OSError and LogError.
    """
    *whole, _ = read_log_bytes(log).split(b"\n")
    return [line + b"\n" for line in whole]


def check_extends(lines: Sequence[bytes], checkpoints: Since) -> None:
    """Check that each checkpoint is about the first of ``lines``. Raises CheckpointError.

    The error names the stages in which the lines differ from those that were signed: after the last
    checkpoint that fits, and up to the first that does not.
    """
    common = 0
    ordered = sorted(checkpoints, key=lambda pair: pair[1].size)
    roots = merkle.roots(lines, (checkpoint.size for _, checkpoint in ordered))
    for name, checkpoint in ordered:
        size = checkpoint.size
        if size > len(lines):
            stages = finished_stages(lines)
            rest = f"all after stage {stages[-1]} is missing" if stages else "no stage is left"
            raise CheckpointError(
                f"{name}: expected the {counted(size, 'line')} that were signed, found "
                f"{len(lines)}: {rest}"
            )
        if next(roots) != checkpoint.root:
            if size == common:  # an earlier checkpoint is about as many lines
                problem = f"a fork: it has {counted(size, 'line')} with another root"
                raise CheckpointError(f"{name}: {problem}")
            raise CheckpointError(
                f"{name}: expected lines {common + 1} to {size} as they were signed, found "
                f"others{_in_stages(finished_stages(lines[common:size]))}"
            )
        common = size


def _in_stages(stages: Sequence[int]) -> str:
    """Return ", in stage 2", or ", in stages 2 to 5"."""
    if not stages:
        return ""
    if len(stages) == 1:
        return f", in stage {stages[0]}"
    return f", in stages {stages[0]} to {stages[-1]}"


def finished_stages(lines: Sequence[bytes]) -> list[int]:
    """Return the numbers of the stages that end in these lines."""
    return [int(match[2]) for line in lines if (match := FINISHED.fullmatch(line))]


def kept(contest: LogPath, signer: ExpectedSigner | None) -> Since:
    """Return the checkpoints in the contest's folder ``checkpoints``.

    With ``signer``, those by others are left out. Raises CheckpointError, OSError and LogError.
    """
    checkpoints = []
    for name, path in files_below(contest / CHECKPOINTS):
        if name.isdecimal():
            try:
                checkpoint = open_checkpoint(read_note(path), signer)
                checkpoints.append((f"{CHECKPOINTS}/{name}", checkpoint))
            except CheckpointError as error:
                if signer is None:
                    remedy = "Move it elsewhere if it is no checkpoint"
                    raise CheckpointError(f"{path}: {error}. {remedy}") from None
    return checkpoints


# --- Stages --------------------------------------------------------------------------------------


def stage_folder(tournament: LogPath) -> tuple[LogPath, str] | None:
    """Return the folder of the contest of which ``tournament`` is a stage, and the stage's name."""
    if (tournament / CHECKPOINT).exists():  # it is signed without its contest
        return None
    stage = stage_of(tournament / TOURNAMENT)
    if stage is None or absolute(tournament) != absolute(stage[0] / STAGES / stage[1]):
        return None
    if not STAGE_NAME.fullmatch(stage[1]):
        return None
    return stage if (stage[0] / CONTEST).exists() else None


class SignedLines(NamedTuple):
    """The lines of a contest's log that its checkpoint covers."""

    lines: Sequence[bytes]
    ends: Mapping[int, int]
    """The index of the line ``stage_finished`` of each stage, by its number."""
    note: bytes
    """The signed note."""


def signed_lines(contest: LogPath, signer: ExpectedSigner | None) -> SignedLines:
    """Return the lines that the checkpoint of a contest covers.

    Raises CheckpointError, OSError and LogError.
    """
    path = contest / CHECKPOINT
    if not path.exists():
        expected = f"one signed by {signer.key.name}" if signer else "one. Run `koth sign` first"
        raise CheckpointError(f"checkpoint: missing in {contest}; expected {expected}")
    note, content = read_note(path), lines(contest / CONTEST)
    checkpoint = open_checkpoint(note, signer)
    check_extends(content, [("checkpoint", checkpoint)])
    signed, ends = content[: checkpoint.size], dict[int, int]()
    for index, line in enumerate(signed):
        if match := FINISHED.fullmatch(line):
            ends.setdefault(int(match[2]), index)
    return SignedLines(signed, ends, note)


def end_of_stage(signed: SignedLines, name: str, hashes: Sequence[bytes]) -> int:
    """Return the index of the line ``stage_finished`` of a stage with files of these ``hashes``.

    Raises CheckpointError if it is not signed, or names other files.
    """
    index = signed.ends.get(int(name))
    if index is None:
        raise CheckpointError(
            f"not shown to be signed: expected the end of stage {int(name)} among the "
            f"{len(signed.lines)} signed lines of the contest, found none. `koth sign` signs the "
            "others"
        )
    match = FINISHED.fullmatch(signed.lines[index])
    assert match is not None  # signed_lines has checked it
    _check_root(match, len(hashes), merkle.root(hashes))
    return index


def check_stage(contest: LogPath, name: str, signed: SignedLines) -> str:
    """Check the files of a stage against the ``signed`` lines of its contest. Returns a note.

    Raises CheckpointError, OSError and LogError.
    """
    hashes = list(tournament_tree.entries(contest / STAGES / name).values())
    end_of_stage(signed, name, hashes)
    return f"{len(hashes)} files of stage {int(name)}"


def _check_root(finished: re.Match[bytes], files: int, root: bytes) -> None:
    stage, expected = int(finished[2]), finished[4].decode()
    if (int(finished[3]), expected) != (files, root.hex()):
        raise CheckpointError(
            f"stage {stage}: expected the {int(finished[3])} files that were signed, with the root "
            f"{expected}, found {files} with {root.hex()}"
        )


# --- Proofs --------------------------------------------------------------------------------------


def proof_in_stage(proof: Proof) -> Proof | None:
    """Return the proof that a file is in a stage, if ``proof`` has one as its extra data."""
    try:
        inner = Proof.parse(proof.extra)
    except NoteError:
        return None
    return inner if FINISHED.fullmatch(inner.checkpoint) else None


def check_in_stage(entry: bytes, index: int, proof: Proof) -> str:
    """Check that a file with the SHA-256 ``entry`` is in the stage that ``proof`` ends with.

    ``index`` is that of the line ``stage_finished``. Returns a note. Raises CheckpointError.
    """
    finished = FINISHED.fullmatch(proof.checkpoint)
    assert finished is not None  # proof_in_stage has checked it
    seq, stage, files = int(finished[1]), int(finished[2]), int(finished[3])
    if seq != index:
        raise CheckpointError(f"proof: expected line {index + 1} of the contest, found {seq + 1}")
    root = bytes.fromhex(finished[4].decode())
    if not merkle.is_included(entry, proof.index, files, proof.hashes, root):
        raise CheckpointError(
            f"proof: expected to find this file, SHA-256 {entry.hex()}, as number {proof.index} of "
            f"the {files} files of stage {stage}, found another there"
        )
    return f"number {proof.index} of {files} files of stage {stage}"


def check_consistency(
    path: LogPath, since: Since, signer: ExpectedSigner | None
) -> tuple[str, str]:
    """Return the verdict and the reason on the consistency proof at ``path``.

    The proof must lead from the last of ``since`` to the checkpoint that it holds. Raises OSError.
    """
    name, old = max(since, key=lambda pair: pair[1].size)
    try:
        proof = ConsistencyProof.parse(read_note(path))
        new = open_checkpoint(proof.checkpoint, signer)
    except (NoteError, CheckpointError) as error:
        return "forged", str(error)
    if len(since) > 1:
        return "forged", f"expected one --since for a proof, found {len(since)}"
    if old.origin != new.origin:
        return "forged", f"expected the origin {old.origin!r:.80}, found {new.origin!r:.80}"
    if proof.old != old.size:
        return "forged", f"expected a proof from {old.size} lines, as {name} has, not {proof.old}"
    if old.size == new.size and old.root != new.root:
        return "forged", f"a fork: {name} has {new.size} lines with another root"
    if not merkle.is_consistent(old.size, new.size, proof.hashes, old.root, new.root):
        return "forged", f"a fork: its {new.size} lines do not begin with the {old.size} of {name}"
    by = f"; signed by {signer.key.name}" if signer else ""
    return "verified", f"its {new.size} lines begin with the {old.size} of {name}{by}"


def is_consistency_proof(path: LogPath) -> bool:
    """Return whether the file at ``path`` begins like a consistency proof."""
    try:
        with open_regular(path) as file:
            return file.read(len(OLD)) == OLD.encode()
    except (OSError, LogError):
        return False
