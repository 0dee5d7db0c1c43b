"""The standings of a contest after one of its stages, and the bots that are not in them yet."""

from __future__ import annotations

from pathlib import Path

from audit.leaderboard import prepare
from audit.tables import Database
from schema.discovery import CONTEST
from schema.errors import LogError, NothingToDo, UsageError
from schema.words import counted, first_names


def check_one(database: Database, folder: Path) -> None:
    """Raise UsageError unless the logs in ``folder`` are those of one contest and its stages.

    Raises LogError if the log of the contest, or the bundle that holds it, could not be read.
    """
    check_single(database, folder)
    contest = database.execute(
        "SELECT path, finished FROM contests JOIN logs USING (log)"
    ).fetchone()
    if contest is None:
        unread = database.execute(
            "SELECT path, verdict, reason FROM unread "
            "WHERE parse_filename(path) = $name OR path = $bundle",
            {"name": CONTEST, "bundle": str(folder)},
        ).fetchone()
        if unread is not None:
            path, verdict, reason = unread
            found = f"expected the log of a contest, found it {verdict}: {reason}"
            raise LogError(Path(path), None, found)
        raise UsageError(f"{folder}: expected a contest, found none. `koth contest new` makes one.")
    path, finished = contest
    if finished and database.logs + database.unread == 1:
        raise UsageError(f"{path}: expected the folder of a contest, found only its log.")
    [(other,)] = database.rows(
        """
        SELECT min(path) FROM raw.logs
        WHERE kind <> 'contest' AND NOT EXISTS (
            FROM stages JOIN raw.logs AS own ON own._log = stages.log
            WHERE raw.logs.folder = stage_folder(own.folder, stages.stage)
        )
        """
    )
    if other is not None:
        raise UsageError(f"{other}: expected the log of a stage of the contest, found another.")


def check_single(database: Database, folder: Path) -> None:
    """Raise UsageError if the logs in ``folder`` are of several contests, or copies of one."""
    rows = database.execute("SELECT path FROM contests JOIN logs USING (log) ORDER BY path")
    paths = [path for (path,) in rows.fetchall()]
    if len(paths) > 1:
        raise UsageError(
            f"{folder}: expected one contest, found {len(paths)}: {first_names(paths)}. Name the "
            "folder of one, or move the other logs away."
        )


def count_until(database: Database, stage: int | None) -> None:
    """Let the matches up to ``stage`` count, or those of all finished stages.

    Raises NothingToDo without a finished stage, and UsageError if ``stage`` is not finished.
    """
    [(finished, closed)] = database.rows(
        "SELECT coalesce(max(finished), 0), bool_or(closed) FROM contests"
    )
    if not finished:
        hint = "It was closed without any." if closed else "`koth contest run` plays one."
        raise NothingToDo(f"no stage of this contest is finished. {hint}")
    if stage is not None and stage > finished:
        number = counted(finished, "finished stage")
        raise UsageError(f"--at: expected one of {number}, found {stage}.")
    set_stage(database, stage)


def set_stage(database: Database, stage: int | None) -> None:
    """Let the matches of finished stages up to ``stage`` count, also if a forged log lacks some."""
    database.execute("SET VARIABLE stage = $stage::BIGINT", {"stage": stage})


def waiting(database: Database) -> str:
    """Return a clause about the bots whose current versions are not in the standings yet.

    The next stage plays their matches. It is empty for a closed contest, for an earlier stage, and
    without any stage.
    """
    prepare(database)
    rows = database.rows(
        """
        SELECT name, finished FROM entries JOIN contests USING (log)
        WHERE ended IS NULL AND NOT closed AND finished > 0 AND getvariable('stage') IS NULL
            AND (log, name, bot) NOT IN (SELECT (log, name, bot) FROM standing())
        ORDER BY seq
        """
    )
    if not rows:
        return ""
    names = first_names([name for name, _ in rows])
    return f"matches of {names} are missing: this is the table after stage {rows[0][1]}"


def has_seed(database: Database) -> bool:
    """Return whether the contest has a seed for another stage."""
    [(left,)] = database.rows("SELECT bool_or(finished < seeds) FROM contests")
    return bool(left)
