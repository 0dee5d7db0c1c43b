"""Names of bots that look alike."""

from __future__ import annotations

import re
import unicodedata

INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Marks, fillers and variation selectors without ink, which Python counts as printable."""


def folded(name: str) -> str:
    """Return a name without its case and its encoding; names that look alike have the same."""
    return unicodedata.normalize("NFKC", name).casefold()
