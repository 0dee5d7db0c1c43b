"""Seeds, commitments, seals, and the hash of a bot."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256

from schema.errors import UsageError

MAX_BYTES = 300
"""Maximum bytes of the line of a seal, rounded up."""

MAX_BOT_BYTES = 16 << 20
"""Maximum bytes of all files of a bot."""

TYPED_DIGITS = 32
"""Minimum hex digits of a seed that a user chooses."""
MIN_DIGITS = 24
"""Minimum significant hex digits of a seed that nobody can guess: 96 bits.

It is below ``TYPED_DIGITS`` because random seeds can begin with zeros: of those with 32 digits, one
in 2³⁶ has fewer.
"""


def hex_digest(data: bytes) -> str:
    """Return the SHA-256 of ``data`` as 64 hex digits."""
    return sha256(data).hexdigest()


def commitment(seed: str) -> str:
    """Return the commitment that is published before the match: SHA-256 of the seed's hex text."""
    return hex_digest(seed.encode())


def tournament_id(seed_commitment: str) -> str:
    """Return the default id of a tournament: 16 hex digits of its seed commitment."""
    return seed_commitment[:16]


def match_seed(tournament_seed: str, match: str, dice: str | None = None) -> str:
    """Return the seed of one match, or of the match ``dice`` if the two share their dice.

    It reveals neither the tournament's seed nor other seeds.
    """
    return hex_digest(f"{tournament_seed}:match:{dice or match}".encode())


def bot_seed(seed: str, seat: int, decision: int | None = None) -> str:
    """Return the value of ``KOTH_BOT_SEED`` for a decision (from 0), or for the whole match."""
    label = f"bot/{seat}" if decision is None else f"bot/{seat}/{decision}"
    return hex_digest(f"{seed}:{label}".encode())


def full_seed(word: str, source: str) -> str:
    """Return a seed of 64 hex digits: ``word`` with leading zeros.

    Raises UsageError, which names the ``source`` of ``word``, if it is not 1 to 64 hex digits.
    """
    if not re.fullmatch(r"[0-9a-fA-F]{1,64}", word):
        raise UsageError(f"{source}: expected 1 to 64 hex digits (0-9, a-f), found '{word}'.")
    return word.lower().zfill(64)


def significant_digits(seed: str) -> int:
    """Return the number of hex digits after the leading zeros of a seed."""
    return len(seed.lstrip("0"))


def bot_hash(files: Mapping[str, bytes], command: Sequence[str] = (), class_name: str = "") -> str:
    """Return the hash of a bot: the SHA-256 of a listing with one line for each part of the bot.

    The first lines are those of ``sha256sum`` for its files, sorted by name (C locale); ``files``
    maps the path inside the bot's folder to the content. A line ``command`` has the words as a JSON
    array, a line ``class`` the name as a JSON string. An empty argument has no line. So the hash of
    a single file is that of ``sha256sum taxman.py | sha256sum``.
    """
    lines = [_sha256sum_line(name, files[name]) for name in sorted(files)]
    if command:
        lines.append(f"command {_json(list(command))}\n")
    if class_name:
        lines.append(f"class {_json(class_name)}\n")
    return hex_digest("".join(lines).encode(errors="surrogateescape"))


def _sha256sum_line(name: str, content: bytes) -> str:
    """Return a line of ``sha256sum``, which escapes a name that contains a line break."""
    escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    mark = "\\" if escaped != name else ""
    return f"{mark}{hex_digest(content)}  {escaped}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


NO_FILES = bot_hash({})
"""The hash of a bot whose files are not known."""
