"""Transcripts of Coup in the forms used before Koth: a history file, and a final table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from games.standings import final_table
from schema.reader import Log


def of_match(log: Log) -> str:
    """Return the final history (CP-4): all actions that the bots added, without rejected ones."""
    events = cast(Sequence[dict[str, Any]], log.events)
    return "".join(event.get("appended", "") for event in events if event["type"] == "answered")


def of_tournament(log: Log) -> str:
    """Return one line per entrant, best first: ``154 Calculator`` (CP-20)."""
    return "".join(f"{standing['score']} {name}\n" for name, standing in final_table(log))
