"""Keys that sign checkpoints: made, and read from what a person gives."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from schema.discovery import TOURNAMENT
from schema.errors import UsageError
from schema.files import open_regular, write_new
from schema.signed_note import MAX_BYTES, NoteError, PrivateKey, PublicKey


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
        write_new(file, f"{text}\n".encode(), mode)
    except OSError as error:
        raise UsageError(f"{file}: cannot be made: {error.strerror}.") from None


def _key_text(file: Path) -> str:
    with open_regular(file) as opened:
        return opened.read(MAX_BYTES).decode("utf-8", "replace").removesuffix("\n")


def _check_outside(file: Path) -> None:
    """Whoever gets a tournament's folder must not get the key with it."""
    for folder in Path(os.path.realpath(file)).parents:
        if (folder / TOURNAMENT).exists():
            raise UsageError(
                f"{file}: expected a key outside of the tournament's folder {folder}, found it "
                "inside. Keep keys elsewhere."
            )
