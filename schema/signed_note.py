"""Signed notes, checkpoints and proofs: short texts that other tools can verify, too.

    spring.example/2026                                         origin: the name of the tree
    13                                                          number of leaves
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=                root hash

    — spring.example/2026 Az3grlgtzPICa5OS8npVmf1Myq/5IZ…       signature

The formats are those of c2sp.org/signed-note, c2sp.org/tlog-checkpoint and c2sp.org/tlog-proof. A
consistency proof is written as in c2sp.org/tlog-witness, where a log sends it to a witness. The
keys are those of Go's golang.org/x/mod/sumdb/note. Signatures are Ed25519 (RFC 8032).
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from typing import TYPE_CHECKING

from schema.errors import KothError
from schema.merkle import HASH_BYTES

if TYPE_CHECKING:  # slow to import, and only keys need it
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PROOF_HEADER = "c2sp.org/tlog-proof@v1"
OLD = "old "
"""The beginning of a consistency proof."""
MAX_BYTES = 1_000_000
"""Maximum bytes of a note or a proof."""
MAX_SIGNATURES = 100
MAX_NAME_BYTES = 255
ED25519 = b"\1"
"""The signature type, the first byte of an encoded key."""
ID_BYTES, KEY_BYTES = 4, 32

KEY = re.compile(r"([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)")
PRIVATE = "PRIVATE+KEY+"
SIGNATURE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)")
NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")


class NoteError(KothError):
    """Raised for a text of another form, and for a note that lacks the expected signature."""

    exit_code = 1


# --- Keys ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PublicKey:
    """A key that verifies signatures; ``str`` gives its text, ``<name>+<key id>+<base64>``."""

    name: str
    key: bytes = field(repr=False)
    """32 bytes, as in RFC 8032."""

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """Parse a key. Raises NoteError, which does not repeat the text."""
        name, id, key = _parse_key(text)
        public = cls(name, key)
        if public.id.hex() != id:
            raise NoteError("expected the id of this name and key, found another: it was changed")
        return public

    @property
    def id(self) -> bytes:
        """Four bytes that identify the key, the first of each of its signatures; not a proof."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.key).digest()[:ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{_encode(ED25519 + self.key)}"

    def verifies(self, text: str, signature: bytes) -> bool:
        """Return whether ``signature`` is the key's signature of ``text``."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(signature, text.encode())
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True)
class PrivateKey:
    """A key that signs; its text is ``PRIVATE+KEY+<name>+<key id>+<base64>``."""

    name: str
    seed: bytes = field(repr=False)
    """32 bytes, as in RFC 8032."""

    @classmethod
    def generate(cls, name: str) -> PrivateKey:
        """Return a new random key. Raises NoteError if ``name`` is not valid."""
        return cls(checked_name(name), token_bytes(KEY_BYTES))

    @classmethod
    def parse(cls, text: str) -> PrivateKey:
        """Parse a key. Raises NoteError, which does not repeat the text."""
        if not text.startswith(PRIVATE):
            raise NoteError(f"expected a private key ({PRIVATE}…), found something else")
        name, id, seed = _parse_key(text.removeprefix(PRIVATE))
        private = cls(name, seed)
        if private.public.id.hex() != id:
            raise NoteError("expected the id of this name and key, found another: it was changed")
        return private

    @property
    def public(self) -> PublicKey:
        """The key that verifies its signatures."""
        return PublicKey(self.name, self._key().public_key().public_bytes_raw())

    def text(self) -> str:
        """Return the secret text, which ``str`` does not show."""
        return f"{PRIVATE}{self.name}+{self.public.id.hex()}+{_encode(ED25519 + self.seed)}"

    def sign(self, text: str) -> bytes:
        """Return the note of ``text``, which must end in LF; equal texts give equal notes."""
        signature = _encode(self.public.id + self._key().sign(text.encode()))
        return f"{text}\n— {self.name} {signature}\n".encode()

    def _key(self) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.seed)


def checked_name(name: str) -> str:
    """Return ``name`` if it is valid for a key. Raises NoteError."""
    if not (name.isprintable() and 1 <= len(name.encode()) <= MAX_NAME_BYTES) or {*" +"} & {*name}:
        raise NoteError(
            f"expected a name of 1 to {MAX_NAME_BYTES} bytes without white space and plus signs, "
            f"such as example.com/spring, found {_quoted(name)}"
        )
    return name


def _parse_key(text: str) -> tuple[str, str, bytes]:
    """Return the name, the id and the 32 bytes of a key. Raises NoteError."""
    parts = KEY.fullmatch(text)
    if parts is None:
        raise NoteError("expected a key, NAME+8 hex digits+base64, found something else")
    key = _decode(parts[3])
    if len(key) != 1 + KEY_BYTES or not key.startswith(ED25519):
        raise NoteError(f"expected an Ed25519 key of {KEY_BYTES} bytes, found another")
    return checked_name(parts[1]), parts[2], key[1:]


# --- Notes ---------------------------------------------------------------------------------------


def split_note(note: bytes) -> tuple[str, list[tuple[str, bytes]]]:
    """Return the text of a note, and its signatures as (name, key id + signature), not verified.

    Raises NoteError.
    """
    if len(note) > MAX_BYTES:
        raise NoteError(f"expected a signed note, found more than {MAX_BYTES} bytes")
    try:
        decoded = note.decode()
    except UnicodeDecodeError:
        raise NoteError("expected a signed note, found bytes that are not UTF-8") from None
    if any(char < " " for char in set(decoded) - {"\n"}):
        raise NoteError("expected a signed note, found a control character (CR?) in it")
    text, empty, lines = decoded.rpartition("\n\n")
    if not empty or not lines.endswith("\n"):
        raise NoteError("expected a text, an empty line and whole signature lines, found others")
    signatures = [_parse_signature(line) for line in lines.removesuffix("\n").split("\n")]
    if len(signatures) > MAX_SIGNATURES:
        raise NoteError(f"expected up to {MAX_SIGNATURES} signatures, found {len(signatures)}")
    return text + "\n", signatures


def verify_note(note: bytes, key: PublicKey) -> str:
    """Return the text of a note that ``key`` has signed; signatures by other keys are ignored.

    Raises NoteError.
    """
    text, signatures = split_note(note)
    own = [
        signature[ID_BYTES:]
        for name, signature in signatures
        if (name, signature[:ID_BYTES]) == (key.name, key.id)
    ]
    if not own:
        names = ", ".join(f"{name}+{signed[:ID_BYTES].hex()}" for name, signed in signatures)
        raise NoteError(
            f"expected a signature by {key.name}+{key.id.hex()}, found those by {_quoted(names)}"
        )
    for signature in own:
        if not key.verifies(text, signature):
            raise NoteError(
                f"expected the signature of this text by {key.name}+{key.id.hex()}, found another: "
                "the text or the signature was changed"
            )
    return text


def _parse_signature(line: str) -> tuple[str, bytes]:
    """Return the name, and key id + signature, in a line of a note. Raises NoteError."""
    parts = SIGNATURE.fullmatch(line)
    if parts is None:
        raise NoteError(f"expected a signature, — NAME base64, found {_quoted(line)}")
    signature = _decode(parts[2])
    if len(signature) <= ID_BYTES:
        raise NoteError("expected a signature, found only the id of a key")
    return parts[1], signature


# --- Checkpoints and proofs ----------------------------------------------------------------------


@dataclass(frozen=True)
class Checkpoint:
    """The name, the size and the root hash of a Merkle tree."""

    origin: str
    size: int
    root: bytes

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Parse the text of a note; lines after the third are ignored. Raises NoteError."""
        lines = text.removesuffix("\n").split("\n")
        if len(lines) < 3 or not all(lines):
            raise NoteError("expected a checkpoint of origin, size and root, found other lines")
        return cls(lines[0], _number("a size", lines[1]), _hash(lines[2]))

    @property
    def text(self) -> str:
        """The text to sign."""
        return f"{self.origin}\n{self.size}\n{_encode(self.root)}\n"


@dataclass(frozen=True)
class Proof:
    """A proof that a tree has an entry: its index, the hashes up to the root, and a checkpoint."""

    index: int
    hashes: Sequence[bytes]
    checkpoint: bytes
    """The signed note."""
    extra: bytes = b""
    """Data of the application."""

    @classmethod
    def parse(cls, data: bytes) -> Proof:
        """Parse a proof. Raises NoteError."""
        (header, *lines), checkpoint = _split_proof(data)
        if header != PROOF_HEADER:
            raise NoteError(f"expected a proof ({PROOF_HEADER}), found something else")
        extra = b""
        if lines and lines[0].startswith("extra "):
            extra = _decode(lines.pop(0).removeprefix("extra "))
        if not lines or not lines[0].startswith("index "):
            raise NoteError("expected the line `index N` in the proof, found none")
        index, *hashes = lines
        number = _number("an index", index.removeprefix("index "))
        return cls(number, [_hash(line) for line in hashes], checkpoint, extra)

    @property
    def data(self) -> bytes:
        """The bytes of a proof file."""
        extra = [f"extra {_encode(self.extra)}"] if self.extra else []
        return _join_proof([PROOF_HEADER, *extra, f"index {self.index}"], self)


@dataclass(frozen=True)
class ConsistencyProof:
    """A proof that a tree extends an earlier one: the size of that, hashes, and a checkpoint."""

    old: int
    hashes: Sequence[bytes]
    checkpoint: bytes
    """The signed note of the later tree."""

    @classmethod
    def parse(cls, data: bytes) -> ConsistencyProof:
        """Parse a proof. Raises NoteError."""
        (header, *hashes), checkpoint = _split_proof(data)
        if not header.startswith(OLD):
            raise NoteError("expected a consistency proof (old SIZE), found something else")
        old = _number("a size", header.removeprefix(OLD))
        return cls(old, [_hash(line) for line in hashes], checkpoint)

    @property
    def data(self) -> bytes:
        """The bytes of a proof file."""
        return _join_proof([f"{OLD}{self.old}"], self)


def _split_proof(data: bytes) -> tuple[list[str], bytes]:
    """Return the lines above the empty line, and the note below it; one empty line if malformed."""
    head, empty, checkpoint = data.partition(b"\n\n")
    if len(data) > MAX_BYTES or not empty or not head.isascii():
        return [""], b""
    return head.decode().split("\n"), checkpoint


def _join_proof(head: Sequence[str], proof: Proof | ConsistencyProof) -> bytes:
    lines = [*head, *map(_encode, proof.hashes), ""]
    return "".join(f"{line}\n" for line in lines).encode() + proof.checkpoint


def _number(name: str, text: str) -> int:
    if not NUMBER.fullmatch(text):
        raise NoteError(f"expected {name}, decimal without leading zeros, found {_quoted(text)}")
    return int(text)


def _hash(text: str) -> bytes:
    hash = _decode(text)
    if len(hash) != HASH_BYTES:
        raise NoteError(f"expected a hash of {HASH_BYTES} bytes, found {len(hash)}")
    return hash


def _encode(data: bytes) -> str:
    return b64encode(data).decode()


def _decode(text: str) -> bytes:
    """Decode canonical base64 (RFC 4648, section 4). Raises NoteError."""
    with suppress(ValueError):
        data = b64decode(text)
        if _encode(data) == text:
            return data
    raise NoteError("expected canonical base64, found something else")


def _quoted(text: str) -> str:
    """Return untrusted text, cut and escaped for a message."""
    return repr(text if len(text) <= 80 else f"{text[:79]}…")
