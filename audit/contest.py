"""The standings of a contest after one of its stages."""

from __future__ import annotations

from audit.tables import Database
from schema.errors import NothingToDo, UsageError
from schema.words import counted


def count_until(database: Database, stage: int | None) -> None:
    """Let the matches up to ``stage`` count, or those of all finished stages.

    Raises NothingToDo without a finished stage, and UsageError if ``stage`` is not finished.
    """
    [(contests, finished)] = database.execute(
        "SELECT count(*), coalesce(max(finished), 0) FROM contests"
    ).fetchall()
    if not contests:
        raise UsageError("expected a contest, found none. `koth contest new` makes one.")
    if not finished:
        raise NothingToDo("no stage of this contest is finished. `koth contest run` plays one.")
    if stage is not None and stage > finished:
        number = counted(finished, "finished stage")
        raise UsageError(f"--at: expected one of {number}, found {stage}.")
    database.execute("SET VARIABLE stage = $stage::BIGINT", {"stage": stage})
