"""The key and the origin that a verifier expects, and the checkpoints that they sign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from replay.errors import ReplayError
from replay.signatures.keys import public_key
from schema.errors import UsageError
from schema.files import open_regular
from schema.log_path import LogPath
from schema.signed_note import (
    MAX_BYTES,
    Checkpoint,
    NoteError,
    PublicKey,
    split_note,
    verify_note,
)
from schema.system_errors import raise_system_error


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
            missing = "a key" if key is None else "an origin"
            raise UsageError(
                f"expected {missing} too, found none: the verifier names both the key and the "
                "origin that it signs for."
            )
        if not origin or not origin.isprintable():
            raise UsageError(f"origin: expected printable text, found {origin!r}.")
        return cls(public_key(key), origin, None if proof is None else _read_proof(proof))


def _read_proof(file: Path) -> bytes:
    try:
        return read_note(file)
    except OSError as error:
        raise_system_error(error)
        raise UsageError(f"proof: {file}: cannot be read: {error.strerror}.") from None


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


def read_note(file: LogPath) -> bytes:
    """Return the start of a file, one byte more than a note may have.

    Raises OSError and LogError.
    """
    with open_regular(file) as opened:
        return opened.read(MAX_BYTES + 1)


def read_since(
    files: Sequence[Path], signer: ExpectedSigner | None
) -> list[tuple[str, Checkpoint]]:
    """Return the checkpoints in files that a verifier kept, with the names of the files.

    Raises UsageError for a file that has none, or one that ``signer`` did not sign.
    """
    checkpoints = []
    for file in files:
        try:
            checkpoints.append((str(file), open_checkpoint(read_note(file), signer)))
        except OSError as error:
            raise_system_error(error)
            raise UsageError(f"--since: {file}: cannot be read: {error.strerror}.") from None
        except CheckpointError as error:
            raise UsageError(f"--since: {file}: {error}.") from None
    return checkpoints
