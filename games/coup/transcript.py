"""Coup as it was written before Koth: a match's history file, and a tournament's final table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from games.standings import final_table
from schema.reader import Log


def of_match(log: Log) -> str:
    """The history at the end (CP-4): what the bots added to it, without what was rejected."""
    events = cast(Sequence[dict[str, Any]], log.events)
    return "".join(event.get("appended", "") for event in events if event["type"] == "answered")


def of_tournament(log: Log) -> str:
    """A line an entrant, best first: ``154 Calculator`` (CP-20)."""
    return "".join(f"{standing['score']} {name}\n" for name, standing in final_table(log))
