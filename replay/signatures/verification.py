"""Checkpoints: a tournament's files under one signature, and one of them shown without the others.

The tree of a checkpoint (:mod:`schema.merkle`) has an entry for each match, in the order in which
the tournament's log has them, and one for that log; an entry is the SHA-256, 32 bytes, of the whole
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from replay.errors import ReplayError
from replay.signatures.keys import public_key
from replay.verify import Verdict
from schema import merkle
from schema.discovery import CHECKPOINT, MATCHES, TOURNAMENT
from schema.discovery import home as home_of
from schema.errors import LogError, UsageError
from schema.files import LINE_BYTES, open_regular, sha256_of
from schema.log_path import LogPath
from schema.signed_note import MAX_BYTES, Checkpoint, NoteError, Proof, PublicKey, split, verified

OWN = "tournament"
"""What stands for the tournament's own log where others are named by their match."""
DECIDED = ("corrupt", "unsupported", "incomplete", "forged")
"""Verdicts that no checkpoint makes worse."""
UNREADABLE = ("corrupt", "unsupported", "incomplete")
"""Verdicts on a tournament's log of which nothing is taken, not even which matches it has."""
PLAYED = re.compile(rb'^\{"seq":\d+,"type":"match_played","match":"([0-9]+-[0-9]+)"')

P = TypeVar("P", bound=LogPath)


class CheckpointError(ReplayError):
    """Files that are not what a checkpoint, or a tournament's own log, says of them."""


@dataclass(frozen=True)
class ExpectedSigner:
    """What a verifier knows from elsewhere: the public key, and whose tree it is to sign."""

    key: PublicKey
    origin: str
    proof: bytes | None = None
    """Shows the one log to be signed, instead of the files around it."""

    @classmethod
    def of(
        cls, key: str | None, origin: str | None, proof: Path | None = None
    ) -> ExpectedSigner | None:
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
        return content(file)
    except OSError as error:
        raise UsageError(f"--proof: {file}: cannot be read: {error.strerror}.") from None


def entries(tournament: LogPath) -> dict[str, bytes]:
    """The entries of a tournament's tree, in order: the hash of each match's file, then its own.

    By match id, and ``tournament``. Its log must have been read strictly before. Raises OSError,
    LogError and CheckpointError.
    """
    log = tournament / TOURNAMENT
    matches = {match: _digest(match_log(log, match)) for match in _played(log)}
    return {**matches, OWN: _digest(log)}


def _played(log: LogPath) -> Iterator[str]:
    """The ids of the matches that a tournament's log has, in its order."""
    with open_regular(log) as file:
        while line := file.readline(LINE_BYTES):
            if match := PLAYED.match(line):
                yield match[1].decode()


def match_log(log: P, match: str) -> P:
    """Where a match's log lies, by that of its tournament."""
    return log.parent / MATCHES / f"{match}.jsonl"


def beside(logs: Iterable[LogPath]) -> list[LogPath]:
    """The checkpoints of the tournaments whose own logs are among ``logs``."""
    found = [log.parent / CHECKPOINT for log in logs if log.name == TOURNAMENT]
    return [at for at in found if _there(at)]


def held(
    logs: Sequence[LogPath], verdicts: Iterable[Verdict], pinned: ExpectedSigner | None
) -> list[Verdict]:
    """``verdicts`` on ``logs``, tournaments held against their checkpoints, or a log to its proof.

    When a key is pinned, a log that no valid checkpoint or proof covers is ``forged``: that it was
    signed, which is what was asked for, cannot be shown.
    """
    places = {str(log): log for log in logs}
    found = [(one, places[one.path]) for one in verdicts]
    if pinned is not None and pinned.proof is not None:
        proof = pinned.proof
        return [_with(one, _outcome(_proven, log, proof, pinned)) for one, log in found]
    signed = {
        log.parent: _outcome(_signed, log.parent, pinned)
        for one, log in found
        if log.name == TOURNAMENT and one.verdict not in UNREADABLE
    }
    covered = {
        match_log(home / TOURNAMENT, match)
        for home, outcome in signed.items()
        if pinned is not None and not outcome.wrong
        for match in _played(home / TOURNAMENT)
    }
    told = []
    for one, log in found:
        outcome = _Outcome()
        if log.name == TOURNAMENT:
            outcome = signed.get(log.parent, outcome)
        elif pinned is not None and log not in covered:
            outcome = _uncovered(signed.get(home_of(log)), pinned)
        told.append(_with(one, outcome))
    return told


@dataclass(frozen=True)
class _Outcome:
    """Result of holding a log against a checkpoint or proof."""

    added: str = ""
    """What is added to the reason for its verdict."""
    wrong: str = ""
    """Why the log is forged; empty if it is not."""


def _outcome(check: Callable[..., str], *arguments: object) -> _Outcome:
    try:
        return _Outcome(check(*arguments))
    except CheckpointError as error:
        return _Outcome(wrong=str(error))
    except (LogError, OSError) as error:
        return _Outcome(wrong=f"expected to read what was signed, found {error}")


def _uncovered(tournament: _Outcome | None, pinned: ExpectedSigner) -> _Outcome:
    """That nothing shows a log to be signed; ``tournament`` is the outcome of its tournament."""
    expected = f"not shown to be signed: expected a checkpoint by {pinned.key.name} that covers it"
    if tournament is not None and tournament.wrong:
        return _Outcome(wrong=f"{expected}, that of its tournament is missing or not valid")
    told = "found none; name its tournament's folder, or give --proof"
    return _Outcome(wrong=f"{expected}, {told}")


def _with(verdict: Verdict, outcome: _Outcome) -> Verdict:
    """``verdict``, unless it is worse already, with what came of the signature."""
    if verdict.verdict in DECIDED:
        return verdict
    if outcome.wrong:
        return replace(verdict, verdict="forged", reason=outcome.wrong, line=None)
    return replace(verdict, reason=f"{verdict.reason}{outcome.added}")


def _signed(tournament: LogPath, pinned: ExpectedSigner | None) -> str:
    """What is to be said of a tournament that its checkpoint, if it has one, is about."""
    at = tournament / CHECKPOINT
    if not _there(at):
        if pinned is None:
            return ""
        raise CheckpointError(f"checkpoint: missing; expected one signed by {pinned.key.name}")
    checkpoint = opened(content(at), pinned)
    check_files(checkpoint, entries(tournament))
    return "" if pinned is None else f"; {checkpoint.size} files signed by {pinned.key.name}"


def _proven(log: LogPath, data: bytes, pinned: ExpectedSigner) -> str:
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
    if not merkle.is_included(entry, index, size, proof.hashes, checkpoint.root):
        raise CheckpointError(
            f"proof: expected to find this file, SHA-256 {entry.hex()}, as number {index} of the "
            f"{size} signed ones, found another file there"
        )
    return f"; number {index} of {size} files signed by {pinned.key.name}"


def opened(note: bytes, pinned: ExpectedSigner | None) -> Checkpoint:
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
    root = merkle.root(list(found.values()))
    if checkpoint.root != root:
        raise CheckpointError(
            f"checkpoint: expected the root of these files, {root.hex()}, found "
            f"{checkpoint.root.hex()}: some file is another than when it was signed"
        )


def _there(at: LogPath) -> bool:
    try:
        return at.exists()
    except (OSError, LogError):
        return False


def _digest(file: LogPath) -> bytes:
    try:
        return sha256_of(file)
    except FileNotFoundError:
        told = "missing; the checkpoint counts it among its files"
        raise CheckpointError(f"{file}: {told}") from None


def content(file: LogPath) -> bytes:
    """The head of a file, as long as any note may be and more. Raises OSError and LogError."""
    with open_regular(file) as opened:
        return opened.read(MAX_BYTES + 1)
