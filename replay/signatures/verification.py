"""Verifies signed checkpoints of tournaments, and proofs that one log belongs to a checkpoint.

A checkpoint is a signed note (c2sp.org/signed-note) in the format of c2sp.org/tlog-checkpoint: an
origin, a number of files, and the root of a Merkle tree over them (RFC 6962, section 2.1). Each
entry of the tree is the SHA-256 (32 bytes) of a whole file. The matches come first, in the order of
the tournament's log, and that log comes last. These are checked, in this order:

1. The checkpoint is a signed note, and the expected key signed it.
2. It names the expected origin, because a key may sign for several.
3. Its size is the number of files.
4. Its root is the root of the tree over these files. With a proof (c2sp.org/tlog-proof) instead:
   the proof leads from the one file to the root (RFC 6962, section 2.1.1).

Any failure makes the log ``forged``. Without an expected key, only 3 and 4 can be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from replay.errors import ReplayError
from replay.signatures.keys import public_key
from replay.verify import Verdict
from schema import merkle, tournament_tree
from schema.discovery import CHECKPOINT, TOURNAMENT
from schema.discovery import home as home_of
from schema.errors import LogError, UsageError
from schema.files import open_regular, sha256_of
from schema.log_path import LogPath
from schema.signed_note import (
    MAX_BYTES,
    Checkpoint,
    NoteError,
    Proof,
    PublicKey,
    split_note,
    verify_note,
)
from schema.tournament_tree import match_log, played

UNREADABLE = ("corrupt", "unsupported", "incomplete")
"""Verdicts on a tournament's log after which its list of matches is not read."""

FINAL = (*UNREADABLE, "forged")
"""Verdicts that no checkpoint changes."""


class CheckpointError(ReplayError):
    """Raised when files differ from those that a checkpoint or a tournament's log names."""


@dataclass(frozen=True)
class ExpectedSigner:
    """The public key and the origin that the verifier expects, known from another source."""

    key: PublicKey
    origin: str
    proof: bytes | None = None
    """The proof for a single log, instead of the files around it."""

    @classmethod
    def of(
        cls, key: str | None, origin: str | None, proof: Path | None = None
    ) -> ExpectedSigner | None:
        """Return the signer that these options name, or None without options.

        ``key`` is a key, or a file that holds one. Raises UsageError if an option is missing or
        not valid.
        """
        if key is None and origin is None and proof is None:
            return None
        if key is None or origin is None:
            missing = "--key" if key is None else "--origin"
            raise UsageError(
                f"expected {missing} too, found none: the verifier names both the key and the "
                "origin that it signs for."
            )
        if not origin or not origin.isprintable():
            raise UsageError(f"--origin: expected printable text, found {origin!r}.")
        return cls(public_key(key), origin, None if proof is None else _read_proof(proof))


def _read_proof(file: Path) -> bytes:
    try:
        return read_note(file)
    except OSError as error:
        raise UsageError(f"--proof: {file}: cannot be read: {error.strerror}.") from None


def entries(tournament: LogPath) -> dict[str, bytes]:
    """Return the hash of each file of a tournament, in the order of the tree.

    Raises OSError, LogError, and CheckpointError if a match is missing.
    """
    return tournament_tree.entries(tournament, _digest)


def checkpoints(logs: Iterable[LogPath]) -> list[LogPath]:
    """Return the checkpoints of the tournaments whose own logs are among ``logs``."""
    candidates = [log.parent / CHECKPOINT for log in logs if log.name == TOURNAMENT]
    return [checkpoint for checkpoint in candidates if _exists(checkpoint)]


def check_signatures(
    logs: Sequence[LogPath], verdicts: Iterable[Verdict], signer: ExpectedSigner | None
) -> list[Verdict]:
    """Check ``logs`` against their checkpoints or a proof, and return the resulting verdicts.

    ``verdicts`` are the verdicts on ``logs`` so far. With ``signer``, each log that no valid
    checkpoint or proof covers is ``forged``, because its signature cannot be shown.
    """
    by_path = {str(log): log for log in logs}
    pairs = [(verdict, by_path[verdict.path]) for verdict in verdicts]
    if signer is not None and signer.proof is not None:
        proof = signer.proof
        return [_apply(verdict, _run(_check_proof, log, proof, signer)) for verdict, log in pairs]
    tournaments = {
        log.parent: _run(_check_tournament, log.parent, signer)
        for verdict, log in pairs
        if log.name == TOURNAMENT and verdict.verdict not in UNREADABLE
    }
    covered = {
        match_log(home / TOURNAMENT, match)
        for home, outcome in tournaments.items()
        if signer is not None and not outcome.problem
        for match in played(home / TOURNAMENT)
    }
    results = []
    for verdict, log in pairs:
        outcome = _Outcome()
        if log.name == TOURNAMENT:
            outcome = tournaments.get(log.parent, outcome)
        elif signer is not None and log not in covered:
            outcome = _not_covered(tournaments.get(home_of(log)), signer)
        results.append(_apply(verdict, outcome))
    return results


@dataclass(frozen=True)
class _Outcome:
    """The outcome of checking one log or tournament."""

    note: str = ""
    """An addition to the reason of the verdict."""
    problem: str = ""
    """Why the log is forged; empty if it is not."""


def _run(check: Callable[..., str], *arguments: object) -> _Outcome:
    """Run a check that returns a note or raises an error."""
    try:
        return _Outcome(check(*arguments))
    except CheckpointError as error:
        return _Outcome(problem=str(error))
    except (LogError, OSError) as error:
        return _Outcome(problem=f"expected to read what was signed, found {error}")


def _not_covered(tournament: _Outcome | None, signer: ExpectedSigner) -> _Outcome:
    """Return the problem of a log without signature; ``tournament`` is its tournament's outcome."""
    expected = f"not shown to be signed: expected a checkpoint by {signer.key.name} that covers it"
    if tournament is not None and tournament.problem:
        return _Outcome(problem=f"{expected}, that of its tournament is missing or not valid")
    advice = "found none; name its tournament's folder, or give --proof"
    return _Outcome(problem=f"{expected}, {advice}")


def _apply(verdict: Verdict, outcome: _Outcome) -> Verdict:
    """Return ``verdict`` changed by the outcome, unless it is final."""
    if verdict.verdict in FINAL:
        return verdict
    if outcome.problem:
        return replace(verdict, verdict="forged", reason=outcome.problem, line=None)
    return replace(verdict, reason=f"{verdict.reason}{outcome.note}")


def _check_tournament(tournament: LogPath, signer: ExpectedSigner | None) -> str:
    """Check a tournament's files against its checkpoint, if it has one. Returns a note."""
    path = tournament / CHECKPOINT
    if not _exists(path):
        if signer is None:
            return ""
        raise CheckpointError(f"checkpoint: missing; expected one signed by {signer.key.name}")
    checkpoint = open_checkpoint(read_note(path), signer)
    check_files(checkpoint, entries(tournament))
    return "" if signer is None else f"; {checkpoint.size} files signed by {signer.key.name}"


def _check_proof(log: LogPath, data: bytes, signer: ExpectedSigner) -> str:
    """Check a log against the proof in ``data``. Returns a note."""
    try:
        proof = Proof.parse(data)
    except NoteError as error:
        raise CheckpointError(f"proof: {error}") from None
    checkpoint = open_checkpoint(proof.checkpoint, signer)
    entry, index, size = _digest(log), proof.index, checkpoint.size
    if index >= size:
        raise CheckpointError(
            f"proof: expected an index below the tree's size {size}, found {index}"
        )
    if not merkle.is_included(entry, index, size, proof.hashes, checkpoint.root):
        raise CheckpointError(
            f"proof: expected to find this file, SHA-256 {entry.hex()}, as number {index} of the "
            f"{size} signed ones, found another file there"
        )
    return f"; number {index} of {size} files signed by {signer.key.name}"


def open_checkpoint(note: bytes, signer: ExpectedSigner | None) -> Checkpoint:
    """Return the checkpoint in a note. Raises CheckpointError if ``signer`` did not sign it."""
    try:
        checkpoint = Checkpoint.parse(
            verify_note(note, signer.key) if signer else split_note(note)[0]
        )
    except NoteError as error:
        raise CheckpointError(f"checkpoint: {error}") from None
    if signer is not None and checkpoint.origin != signer.origin:
        origin = repr(checkpoint.origin[:80])
        raise CheckpointError(f"checkpoint: expected the origin {signer.origin!r}, found {origin}")
    return checkpoint


def check_files(checkpoint: Checkpoint, hashes: dict[str, bytes]) -> None:
    """Raise CheckpointError unless ``checkpoint`` is about the files with these ``hashes``."""
    if checkpoint.size != len(hashes):
        raise CheckpointError(
            f"checkpoint: expected a size of {len(hashes)}, as many files as there are, found "
            f"{checkpoint.size}"
        )
    root = merkle.root(list(hashes.values()))
    if checkpoint.root != root:
        raise CheckpointError(
            f"checkpoint: expected the root of these files, {root.hex()}, found "
            f"{checkpoint.root.hex()}: some file is another than when it was signed"
        )


def _exists(path: LogPath) -> bool:
    try:
        return path.exists()
    except (OSError, LogError):
        return False


def _digest(file: LogPath) -> bytes:
    try:
        return sha256_of(file)
    except FileNotFoundError:
        problem = "missing; the checkpoint counts it among its files"
        raise CheckpointError(f"{file}: {problem}") from None


def read_note(file: LogPath) -> bytes:
    """Return the start of a file, one byte more than a note may have.

    Raises OSError and LogError.
    """
    with open_regular(file) as opened:
        return opened.read(MAX_BYTES + 1)
