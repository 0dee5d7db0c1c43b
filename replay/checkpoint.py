"""Checkpoints: a tournament's files under one signature, and one of them shown without the others.

The tree of a checkpoint (:mod:`schema.tree`) has an entry for each match, in the order in which the
tournament's log has them, and one for that log; an entry is the SHA-256, 32 bytes, of the whole
file. What is checked, in this order:

1. the checkpoint is a signed note, and the pinned key signed it;
2. it is about the pinned origin: a key may sign for several;
3. its size is the number of files;
4. its root is that of the tree over the files as they lie there; or, with a proof, the proof leads
   from the one file to the root.

Whatever fails makes a log ``forged``. Without a pinned key only 3 and 4 can be checked.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, TypeVar

from replay.errors import ReplayError
from replay.keys import public_key
from replay.verify import Verdict
from schema import tree
from schema.errors import LogError, UsageError
from schema.folder import CHECKPOINT, MATCHES, TOURNAMENT
from schema.note import (
    MAX_BYTES,
    Checkpoint,
    NoteError,
    Proof,
    PublicKey,
    split,
    verified,
)
from schema.place import Place

OWN = "tournament"
"""What stands for the tournament's own log where others are named by their match."""
DECIDED = ("corrupt", "unsupported", "incomplete", "forged")
"""Verdicts that no checkpoint makes worse."""
PLAYED = re.compile(rb'^\{"seq":\d+,"type":"match_played","match":"([0-9]+-[0-9]+)"', re.MULTILINE)

P = TypeVar("P", bound=Place)


class CheckpointError(ReplayError):
    """Files that are not what a checkpoint, or a tournament's own log, says of them."""


@dataclass(frozen=True)
class Pinned:
    """What a verifier knows from elsewhere: the public key, and whose tree it is to sign."""

    key: PublicKey
    origin: str
    proof: bytes | None = None
    """Shows the one log to be signed, instead of the files around it."""

    @classmethod
    def of(cls, key: str | None, origin: str | None, proof: Path | None = None) -> Pinned | None:
        """What was given, or None; ``key`` is a key or a file that holds it. Raises UsageError."""
        if key is None and origin is None and proof is None:
            return None
        if key is None or origin is None:
            missing = "--key" if key is None else "--origin"
            raise UsageError(
                f"expected {missing} too, found none: the key and the origin that it signs for are "
                "both given by who verifies."
            )
        if not origin or not origin.isprintable():
            raise UsageError(f"--origin: expected printable text, found {origin!r}.")
        return cls(public_key(key), origin, None if proof is None else _proof_in(proof))


def _proof_in(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"--proof: {file}: cannot be read: {error.strerror}.") from None


def entries(tournament: Place) -> dict[str, bytes]:
    """The entries of a tournament's tree, in order: the hash of each match's file, then its own.

    By match id, and ``tournament``. Its log must have been read strictly before. Raises OSError,
    LogError and CheckpointError.
    """
    log = tournament / TOURNAMENT
    matches = {match: _digest(match_log(log, match)) for match in _played(log)}
    return {**matches, OWN: _digest(log)}


def _played(log: Place) -> list[str]:
    """The ids of the matches that a tournament's log has, in its order."""
    return [match.decode() for match in PLAYED.findall(log.read_bytes())]


def match_log(log: P, match: str) -> P:
    """Where a match's log lies, by that of its tournament."""
    return log.parent / MATCHES / f"{match}.jsonl"


def beside(logs: Iterable[Place]) -> list[Place]:
    """The checkpoints of the tournaments whose own logs are among ``logs``."""
    found = [log.parent / CHECKPOINT for log in logs if log.name == TOURNAMENT]
    return [at for at in found if _there(at)]


def held(
    logs: Sequence[Place], verdicts: Iterable[Verdict], pinned: Pinned | None
) -> list[Verdict]:
    """``verdicts`` on ``logs``, tournaments held against their checkpoints, or a log to its proof.

    When a key is pinned, a log that no checkpoint covers is ``forged``: that it was signed, which
    is what was asked for, cannot be shown.
    """
    places = {str(log): log for log in logs}
    covered = {str(log) for one in logs for log in _covered(one)} if pinned else set()
    return [
        one if one.verdict in DECIDED else _held(one, places[one.path], covered, pinned)
        for one in verdicts
    ]


def _covered(log: Place) -> Iterator[Place]:
    """The matches that the checkpoint of a tournament with this log, if it is one, is about."""
    if log.name == TOURNAMENT:
        with suppress(OSError, LogError):
            yield from (match_log(log, match) for match in _played(log))


def _held(verdict: Verdict, log: Place, covered: Container[str], pinned: Pinned | None) -> Verdict:
    said = ""
    try:
        if pinned is not None and pinned.proof is not None:
            said = _proven(log, pinned.proof, pinned)
        elif log.name == TOURNAMENT:
            said = _signed(log.parent, pinned)
        elif pinned is not None and str(log) not in covered:
            raise CheckpointError(
                f"expected a checkpoint signed by {pinned.key.name} that has this log, found none; "
                "name its tournament's folder, or give --proof"
            )
    except CheckpointError as error:
        return replace(verdict, verdict="forged", reason=str(error), line=None)
    except (LogError, OSError) as error:
        reason = f"expected to read what was signed, found {error}"
        return replace(verdict, verdict="forged", reason=reason, line=None)
    return replace(verdict, reason=f"{verdict.reason}{said}")


def _signed(tournament: Place, pinned: Pinned | None) -> str:
    """What is to be said of a tournament that its checkpoint, if it has one, is about."""
    at = tournament / CHECKPOINT
    if not _there(at):
        if pinned is None:
            return ""
        raise CheckpointError(f"expected a checkpoint signed by {pinned.key.name}, found none")
    checkpoint = opened(content(at), pinned)
    check_files(checkpoint, entries(tournament))
    return "" if pinned is None else f"; {checkpoint.size} files signed by {pinned.key.name}"


def _proven(log: Place, data: bytes, pinned: Pinned) -> str:
    """What is to be said of a log that the proof in ``data`` shows to be signed."""
    try:
        proof = Proof.parse(data)
    except NoteError as error:
        raise CheckpointError(f"proof: {error}") from None
    checkpoint = opened(proof.checkpoint, pinned)
    entry, index, size = _digest(log), proof.index, checkpoint.size
    if index >= size:
        raise CheckpointError(
            f"proof: expected an index below the tree's size {size}, found {index}"
        )
    if not tree.is_included(entry, index, size, proof.hashes, checkpoint.root):
        raise CheckpointError(
            f"proof: expected to find this file, SHA-256 {entry.hex()}, as number {index} of the "
            f"{size} signed ones, found another file there"
        )
    return f"; number {index} of {size} files signed by {pinned.key.name}"


def opened(note: bytes, pinned: Pinned | None) -> Checkpoint:
    """The checkpoint in a note, held against what is pinned."""
    try:
        checkpoint = Checkpoint.parse(verified(note, pinned.key) if pinned else split(note)[0])
    except NoteError as error:
        raise CheckpointError(f"checkpoint: {error}") from None
    if pinned is not None and checkpoint.origin != pinned.origin:
        found = repr(checkpoint.origin[:80])
        raise CheckpointError(f"checkpoint: expected the origin {pinned.origin!r}, found {found}")
    return checkpoint


def check_files(checkpoint: Checkpoint, found: dict[str, bytes]) -> None:
    """Whether ``checkpoint`` is about the entries ``found``. Raises CheckpointError."""
    if checkpoint.size != len(found):
        raise CheckpointError(
            f"checkpoint: expected a size of {len(found)}, as many files as there are, found "
            f"{checkpoint.size}"
        )
    root = tree.root(list(found.values()))
    if checkpoint.root != root:
        raise CheckpointError(
            f"checkpoint: expected the root of these files, {root.hex()}, found "
            f"{checkpoint.root.hex()}: some file is another than when it was signed"
        )


def _there(at: Place) -> bool:
    try:
        return at.exists()
    except (OSError, LogError):
        return False


def _digest(file: Place) -> bytes:
    with _open(file) as opened:
        return sha256(opened.read()).digest()


def content(file: Place) -> bytes:
    """The head of a file, as long as any note may be and more."""
    with _open(file) as opened:
        return opened.read(MAX_BYTES + 1)


def _open(file: Place) -> IO[bytes]:
    """A file that someone handed over: no pipe or device, which might have no end."""
    if isinstance(file, Path) and not file.is_file() and file.exists():
        raise CheckpointError(f"{file}: expected a file, found something else")
    try:
        return file.open("rb")
    except FileNotFoundError:
        raise CheckpointError(f"{file}: expected this file, found none") from None
