"""Seeds, commitments, seals, and the hash of a bot's files."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256


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


def files_hash(files: Mapping[str, bytes]) -> str:
    """The hash of a bot: SHA-256 of what ``sha256sum`` prints for its files, sorted by name.

    ``files`` maps the path inside the bot's folder to the content. For a bot of one file it is
    ``sha256sum taxman.py | sha256sum``; several are sorted as in the C locale.
    """
    return hex_digest(
        "".join(_listed(name, files[name]) for name in sorted(files)).encode(
            errors="surrogateescape"
        )
    )


def _listed(name: str, content: bytes) -> str:
    """A line of ``sha256sum``; it escapes a name that would break its lines."""
    escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    mark = "\\" if escaped != name else ""
    return f"{mark}{hex_digest(content)}  {escaped}\n"
