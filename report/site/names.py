"""File names for names that bots and matches choose.

A short name of small letters, digits, hyphens and underscores is its own file name. Any other name
becomes its readable part, a dot, and 32 hex digits of its SHA-256. Neither form contains what a
path, a URL or Windows treats specially, and no two names differ in case only.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from pathlib import PurePosixPath

PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?")
"""Names that are their own file names, unless they are reserved."""

RESERVED = frozenset(
    {"con", "prn", "aux", "nul", "index"}
    | {f"{device}{number}" for device in ("com", "lpt") for number in range(10)}
)
"""Names of devices of Windows, and the name of a folder's own page."""

LONGEST = 40
"""Maximum characters of the readable part."""

DIGITS = 32
"""Number of hex digits: 128 bits, so that nobody can choose two names with equal ones."""


@lru_cache(maxsize=4096)
def file_name(name: str) -> str:
    """Return a file name without suffix; different names have different ones."""
    if PLAIN.fullmatch(name) and name not in RESERVED:
        return name
    readable = re.sub(r"[^a-z0-9]+", "-", name[: 4 * LONGEST].lower())[:LONGEST].strip("-")
    if not readable or readable in RESERVED:
        readable = "named"
    return f"{readable}.{sha256(name.encode(errors='surrogatepass')).hexdigest()[:DIGITS]}"


def pair_name(name: str, other: str) -> str:
    """Return a file name for two names, in any order."""
    return "~".join(map(file_name, sorted((name, other))))


def safe_path(path: str) -> str:
    """Return a relative path with each part as a file name; the suffix ``.jsonl`` remains."""
    *folders, name = PurePosixPath(path).parts
    stem = name.removesuffix(".jsonl")
    return "/".join([*map(file_name, folders), file_name(stem) + name[len(stem) :]])
