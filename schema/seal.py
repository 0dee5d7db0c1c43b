"""Seeds, commitments, seals, and the hash of a bot."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

ENOUGH = 32
"""Fewest significant hex digits of a seed that nobody can find by trying: 128 bits."""


def hex_digest(data: bytes) -> str:
    """SHA-256 of ``data`` as 64 hex digits."""
    return sha256(data).hexdigest()


def commitment(seed: str) -> str:
    """What is published of a seed before the match: the SHA-256 of its hex text."""
    return hex_digest(seed.encode())


def tournament_id(seed_commitment: str) -> str:
    """The name of a tournament that nobody named: the head of its seed commitment."""
    return seed_commitment[:16]


def match_seed(tournament_seed: str, match: str) -> str:
    """The seed of one match of a tournament; one-way, so that it tells nothing of the others."""
    return hex_digest(f"{tournament_seed}:match:{match}".encode())


def bot_seed(seed: str, seat: int, decision: int | None = None) -> str:
    """What a bot gets as ``KOTH_BOT_SEED``: per decision (from 0), or once per match."""
    label = f"bot/{seat}" if decision is None else f"bot/{seat}/{decision}"
    return hex_digest(f"{seed}:{label}".encode())


def significant(seed: str) -> int:
    """The number of a seed's hex digits after its leading zeros.

    A random seed of 64 digits has fewer than ``ENOUGH`` with a chance of 1 in 2¹³².
    """
    return len(seed.lstrip("0"))


def files_hash(files: Mapping[str, bytes]) -> str:
    """SHA-256 of what ``sha256sum`` prints for files, sorted by name as in the C locale.

    ``files`` maps the path inside the bot's folder to the content. For one file the hash is
    ``sha256sum taxman.py | sha256sum``.
    """
    return bot_hash(files)


def bot_hash(files: Mapping[str, bytes], command: Sequence[str] = (), class_name: str = "") -> str:
    """The hash of a bot: SHA-256 of its listing, a text of one line for each part of the bot.

    First come the lines of ``sha256sum`` for its files, then ``command`` with the words as a JSON
    array, then ``class`` with the name as a JSON string. The last two lines are left out when the
    arguments are empty.
    """
    lines = [_listed(name, files[name]) for name in sorted(files)]
    if command:
        lines.append(f"command {_json(list(command))}\n")
    if class_name:
        lines.append(f"class {_json(class_name)}\n")
    return hex_digest("".join(lines).encode(errors="surrogateescape"))


def _listed(name: str, content: bytes) -> str:
    """A line of ``sha256sum``; it escapes a name that would break its lines."""
    escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    mark = "\\" if escaped != name else ""
    return f"{mark}{hex_digest(content)}  {escaped}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
