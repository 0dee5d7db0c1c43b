"""Names of bots that look alike."""

from __future__ import annotations

import unicodedata


def folded(name: str) -> str:
    """Return a name without its case and its encoding; names that look alike have the same."""
    return unicodedata.normalize("NFKC", name).casefold()
