"""The choices of a joint question, as integers."""

from __future__ import annotations

from functools import cache


@cache
def legal_integers(legal: tuple[str, ...]) -> frozenset[object]:
    """Return the legal answers to a joint question as integers."""
    return frozenset(map(int, legal))
