"""Numbers with nouns, for messages."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 log``, ``2 logs``, ``1,000 matches``."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}{'es' if noun.endswith(('ch', 's', 'x')) else 's'}"
