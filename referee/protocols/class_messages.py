"""The messages to a worker of class bots, and the parts of a step."""

from __future__ import annotations

import marshal
from typing import Any


def framed(message: Any) -> bytes:
    """Return a message for the worker. Every interpreter reads version 2 of the format."""
    data = marshal.dumps(message, 2)
    return len(data).to_bytes(4, "little") + data


def parts_of(construct: bool, select: bool) -> list[str]:
    """Return the parts of a step, in any of which a bot can fail (SU-9)."""
    parts = ["load", "construct"] if construct else ["update"]
    return [*parts, "select"] if select else parts
