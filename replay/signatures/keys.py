"""Makes the keys that sign checkpoints, and reads those that a user names."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from schema.discovery import CONTEST, TOURNAMENT
from schema.errors import UsageError
from schema.files import making, open_regular, write_new
from schema.signed_note import MAX_BYTES, NoteError, PrivateKey, PublicKey
from schema.system_errors import raise_system_error


def public_key(word: str) -> PublicKey:
    """Return the key that is ``word``, or that the file ``word`` holds. Raises UsageError."""
    with suppress(NoteError):
        return PublicKey.parse(word.strip())  # the text of a key's file ends with a newline
    try:
        text = _key_text(Path(word))
    except OSError as error:
        raise_system_error(error)
        raise UsageError(
            "key: expected a public key (NAME+8 hex digits+base64, as `koth keygen` prints it) "
            "or a file that holds one, found neither."
        ) from None
    try:
        return PublicKey.parse(text)
    except NoteError as error:
        raise UsageError(f"{word}: no public key: {error}. Take another copy.") from None


def private_key(file: Path) -> PrivateKey:
    """Return the key in ``file``.

    Raises UsageError, also if it is in the folder of a tournament or a contest.
    """
    _check_outside(file)
    try:
        return PrivateKey.parse(_key_text(file))
    except OSError as error:
        raise_system_error(error)
        raise UsageError(f"{file}: cannot be read: {error.strerror}.") from None
    except NoteError as error:
        raise UsageError(f"{file}: no private key: {error}. `koth keygen` makes one.") from None


def make_key(name: str, file: Path) -> PublicKey:
    """Make a key: write its private part to ``file`` (mode 0600), the public one to ``file.pub``.

    Both files are written, or none.

    Raises UsageError if the name is not valid, or a file exists or cannot be written.
    """
    try:
        key = PrivateKey.generate(name)
    except NoteError as error:
        raise UsageError(f"{error}.") from None
    _check_outside(file)
    public = Path(f"{file}.pub")
    for path in (file, public):
        if path.is_symlink() or path.exists():
            raise UsageError(
                f"{path}: expected no file there, found one; a key is never overwritten. "
                "Choose another name."
            )
    _write_key(file, key.text(), 0o600)
    try:
        _write_key(public, str(key.public), 0o644)
    except BaseException:  # nobody has the public key, and a second run would find the private one
        file.unlink()
        raise
    return key.public


def _write_key(file: Path, text: str, mode: int) -> None:
    with making(file, "cannot be written"):
        write_new(file, f"{text}\n".encode(), mode)


def _key_text(file: Path) -> str:
    with open_regular(file) as opened:
        return opened.read(MAX_BYTES).decode("utf-8", "replace").rstrip("\r\n")


def _check_outside(file: Path) -> None:
    """Refuse a key in a folder that may be handed to others. Raises UsageError."""
    for folder in Path(os.path.realpath(file)).parents:
        for name, noun in ((TOURNAMENT, "tournament"), (CONTEST, "contest")):
            if (folder / name).exists():
                raise UsageError(
                    f"{file}: expected a key outside of the {noun}'s folder {folder}, found it "
                    "inside. Keep keys elsewhere."
                )
