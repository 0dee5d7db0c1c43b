"""A question of the rules, as fields for programs and as words for people."""

from __future__ import annotations

from typing import Any

from games.table import Ask, JointAsk
from schema.reader import Log


def question_fields(ask: Ask | JointAsk) -> dict[str, Any]:
    """Return the question as JSON values; ``seat`` is None if all seats are asked."""
    return {
        "seat": ask.seat if isinstance(ask, Ask) else None,
        "ask": ask.name,
        "observation": ask.observation._asdict(),
        "legal": ask.legal,
    }


def addressee(log: Log, ask: Ask | JointAsk) -> str:
    """Return whom the rules ask: ``seat 0 (player0)`` or ``all seats``."""
    return "all seats" if isinstance(ask, JointAsk) else seat_text(log, ask.seat)


def seat_text(log: Log, seat: int) -> str:
    """Return a seat with the name of its player: ``seat 0 (player0)``."""
    return f"seat {seat} ({log.start['players'][seat]['name']})"
