"""Messages to a fork server (:mod:`referee.in_bot.fork_server`)."""

from __future__ import annotations

import os
from collections.abc import Sequence


def framed(content: bytes) -> bytes:
    """Return a message, preceded by its length in four bytes."""
    return len(content).to_bytes(4, "big") + content


def joined(words: Sequence[str]) -> bytes:
    """Return the words of a request, separated by NUL. Raises ValueError if one contains NUL."""
    parts = [os.fsencode(word) for word in words]
    if any(b"\0" in part for part in parts):
        raise ValueError("embedded null byte")
    return b"\0".join(parts)
