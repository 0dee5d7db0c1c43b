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

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, TypeVar

from replay.errors import ReplayError
from replay.verify import Verdict
from schema import tree
from schema.bundle import Bundle, is_bundle, replacing
from schema.errors import LogError, UsageError
from schema.folder import CHECKPOINT, MATCHES, TOURNAMENT, place
from schema.note import (
    MAX_BYTES,
    Checkpoint,
    NoteError,
    PrivateKey,
    Proof,
    PublicKey,
    checked_name,
    split,
    verified,
)
from schema.place import Place
from schema.reader import IncompleteLog, read
from schema.registry import suggest
from schema.seal import hex_digest

OWN = "tournament"
"""What stands for the tournament's own log where others are named by their match."""
DECIDED = ("corrupt", "unsupported", "incomplete", "forged")
"""Verdicts that no checkpoint makes worse."""
PLAYED = re.compile(rb'^\{"seq":\d+,"type":"match_played","match":"([0-9]+-[0-9]+)"', re.MULTILINE)
SEALED = re.compile(
    rb'\{"seq":(\d+),"type":"match_sealed",(?:"seed":"[0-9a-f]{64}",)?"events":\1,'
    rb'"sha256":"([0-9a-f]{64})"\}\n'
)

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


# --- Keys ----------------------------------------------------------------------------------------


def public_key(word: str) -> PublicKey:
    """The key that is ``word``, or that lies in the file of this name. Raises UsageError."""
    with suppress(NoteError):
        return PublicKey.parse(word)
    try:
        text = _key_text(Path(word))
    except OSError:
        raise UsageError(
            "--key: expected a public key (NAME+8 hex digits+base64, as `koth keygen` prints it) "
            "or a file that holds one, found neither."
        ) from None
    try:
        return PublicKey.parse(text)
    except NoteError as error:
        raise UsageError(f"{word}: no public key: {error}. Take another copy.") from None


def _proof_in(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"--proof: {file}: cannot be read: {error.strerror}.") from None


def private_key(file: Path) -> PrivateKey:
    """The key in ``file``. Raises UsageError, also where the file lies within a tournament."""
    _check_outside(file)
    try:
        return PrivateKey.parse(_key_text(file))
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}.") from None
    except NoteError as error:
        raise UsageError(f"{file}: no private key: {error}. `koth keygen` makes one.") from None


def make_key(name: str, file: Path) -> PublicKey:
    """A new key: its private part in ``file``, for its owner only, the public one in ``file.pub``.

    Raises UsageError.
    """
    try:
        key = PrivateKey.generate(name)
    except NoteError as error:
        raise UsageError(f"{error}.") from None
    _check_outside(file)
    public = file.with_name(f"{file.name}.pub")
    for path in (file, public):
        if path.is_symlink() or path.exists():
            raise UsageError(
                f"{path}: expected no file there, found one; a key is never overwritten. "
                "Choose another name."
            )
    _write_key(file, key.text(), 0o600)
    _write_key(public, str(key.public), 0o644)
    return key.public


def _write_key(file: Path, text: str, mode: int) -> None:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except OSError as error:
        raise UsageError(f"{file}: cannot be made: {error.strerror}.") from None
    with open(descriptor, "w") as opened:  # noqa: PTH123
        opened.write(f"{text}\n")
        opened.flush()
        os.fsync(descriptor)


def _key_text(file: Path) -> str:
    with file.open("rb") as opened:
        return opened.read(MAX_BYTES).decode("utf-8", "replace").removesuffix("\n")


def _check_outside(file: Path) -> None:
    """Whoever gets a tournament's folder must not get the key with it."""
    for folder in Path(os.path.realpath(file)).parents:
        if (folder / TOURNAMENT).exists():
            raise UsageError(
                f"{file}: expected a key outside of the tournament's folder {folder}, found it "
                "inside. Keep keys elsewhere."
            )


# --- Sign and prove ------------------------------------------------------------------------------


def sign(
    folder: Path, key: PrivateKey, origin: str, again: bool = False
) -> tuple[Checkpoint, bool]:
    """Write the checkpoint of the tournament in ``folder``; it, and whether it is new.

    One that ``key`` has signed already, over the same, stays as it is; any other is replaced only
    ``again``. Raises UsageError, LogError, CheckpointError and OSError.
    """
    try:
        checked_name(origin)
    except NoteError as error:
        raise UsageError(f"--origin: {error}.") from None
    if not (folder / TOURNAMENT).is_file():
        raise UsageError(f"{folder}: expected a tournament's folder, found no {TOURNAMENT} there.")
    _check_chain(folder)
    hashes = list(entries(folder).values())
    checkpoint = Checkpoint(origin, len(hashes), tree.root(hashes))
    target = folder / CHECKPOINT
    if target.exists() and not again:
        with suppress(NoteError):
            if verified(_content(target), key.public) == checkpoint.text:
                return checkpoint, False
        raise UsageError(
            f"{target}: expected none, or this one, found another checkpoint. Who has seen it may "
            "hold you to it; --replace replaces it."
        )
    with replacing(target) as path, path.open("wb") as file:
        file.write(key.sign(checkpoint.text))
        file.flush()
        os.fsync(file.fileno())
    return checkpoint, True


def prove(path: Path, match: str, target: Path) -> tuple[int, int]:
    """Write the proof that a match, or the tournament's own log, is in the checkpoint.

    ``path`` is a tournament's folder or bundle, ``match`` an id, or ``tournament``. Returns the
    index, and the size of the tree. Raises UsageError, LogError, CheckpointError and OSError.
    """
    tournament = Bundle(path).root if is_bundle(path) else place(path)
    at = tournament / CHECKPOINT
    if not (tournament / TOURNAMENT).exists():
        raise UsageError(f"{path}: expected a tournament, found no {TOURNAMENT} there.")
    if not at.exists():
        raise UsageError(f"{at}: expected a checkpoint, found none. Make it with `koth sign`.")
    if target.exists():
        raise UsageError(f"{target}: expected no file there, found one. Choose another name.")
    read(tournament / TOURNAMENT)
    found, note = entries(tournament), _content(at)
    if match not in found:
        raise UsageError(
            f"{path}: there is no match '{match}'; expected an id such as 1-000000, or {OWN}."
            f"{suggest(match, list(found))}"
        )
    try:
        _check_files(_opened(note, None), found)
    except CheckpointError as error:
        raise CheckpointError(f"{path}: {error}. Nothing can be proved with it.") from None
    index = list(found).index(match)
    proof = Proof(index, tree.inclusion(list(found.values()), index), note)
    try:
        with replacing(target) as temporary:
            temporary.write_bytes(proof.data)
    except OSError as error:
        raise UsageError(f"{target}: cannot be made: {error.strerror}.") from None
    return index, len(found)


def entries(tournament: Place) -> dict[str, bytes]:
    """The entries of a tournament's tree, in order: the hash of each match's file, then its own.

    By match id, and ``tournament``. Its log must have been read strictly before. Raises OSError,
    LogError and CheckpointError.
    """
    log = tournament / TOURNAMENT
    matches = {match: _digest(_match_log(log, match)) for match in _matches(log)}
    return {**matches, OWN: _digest(log)}


def _matches(log: Place) -> list[str]:
    """The ids of the matches that a tournament's log has, in its order."""
    return [match.decode() for match in PLAYED.findall(log.read_bytes())]


def _match_log(log: P, match: str) -> P:
    """Where a match's log lies, by that of its tournament."""
    return log.parent / MATCHES / f"{match}.jsonl"


def _check_chain(folder: Path) -> None:
    """Whether there are the matches that the tournament's log names, by their seals, and no more.

    That everything follows from the seed and the answers is left to ``koth verify``.
    """
    log = folder / TOURNAMENT
    try:
        found = read(log)
    except IncompleteLog as error:
        raise CheckpointError(
            f"{log}: expected a sealed tournament, found that {error.found}. "
            "Finish it before you sign it."
        ) from None
    if found.kind != "tournament":
        raise CheckpointError(f"{log}: expected the log of a tournament, found that of a match.")
    seals = {
        _match_log(log, str(event["match"])): event["seal"]
        for event in found.events
        if event["type"] == "match_played"
    }
    for match, expected in seals.items():
        _check_seal(match, expected)
    if extra := sorted({*(folder / MATCHES).rglob("*.jsonl")} - {*seals}):
        raise CheckpointError(
            f"{extra[0]}: expected no such match in this tournament, found its log. "
            "Move it elsewhere."
        )


def _check_seal(match: Path, expected: object) -> None:
    try:
        data = match.read_bytes()
    except FileNotFoundError:
        raise CheckpointError(
            f"{match}: expected the log of this match, found none. Put it back before you sign."
        ) from None
    end = data.rfind(b"\n", 0, -1) + 1
    sealed = SEALED.fullmatch(data[end:])
    if sealed is None or not sealed[2].decode() == expected == hex_digest(data[:end]):
        raise CheckpointError(
            f"{match}: expected the log that {TOURNAMENT} has with the seal {expected}, found "
            "another. `koth verify` tells more."
        )


# --- Verify --------------------------------------------------------------------------------------


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
            yield from (_match_log(log, match) for match in _matches(log))


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
    checkpoint = _opened(_content(at), pinned)
    _check_files(checkpoint, entries(tournament))
    return "" if pinned is None else f"; {checkpoint.size} files signed by {pinned.key.name}"


def _proven(log: Place, data: bytes, pinned: Pinned) -> str:
    """What is to be said of a log that the proof in ``data`` shows to be signed."""
    try:
        proof = Proof.parse(data)
    except NoteError as error:
        raise CheckpointError(f"proof: {error}") from None
    checkpoint = _opened(proof.checkpoint, pinned)
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


def _opened(note: bytes, pinned: Pinned | None) -> Checkpoint:
    """The checkpoint in a note, held against what is pinned."""
    try:
        checkpoint = Checkpoint.parse(verified(note, pinned.key) if pinned else split(note)[0])
    except NoteError as error:
        raise CheckpointError(f"checkpoint: {error}") from None
    if pinned is not None and checkpoint.origin != pinned.origin:
        found = repr(checkpoint.origin[:80])
        raise CheckpointError(f"checkpoint: expected the origin {pinned.origin!r}, found {found}")
    return checkpoint


def _check_files(checkpoint: Checkpoint, found: dict[str, bytes]) -> None:
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


def _content(file: Place) -> bytes:
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
