"""Leaderboards: every game scores its matches with a query of its own."""

from __future__ import annotations

import duckdb

from audit.errors import AuditError
from audit.query import Result
from audit.tables import Database
from schema import registry


def leaderboard(database: Database, game: str) -> Result:
    """The leaderboard of one game, best first. Raises AuditError when its query does not run."""
    path = registry.card(game).leaderboard
    try:
        cursor = database.connection.execute(path.read_text())
        columns = tuple(column[0] for column in cursor.description or ())
        return Result(columns, cursor.fetchall())
    except (OSError, duckdb.Error) as error:
        raise AuditError(f"{path}: this leaderboard does not run: {error}") from error


def leaderboards(database: Database) -> dict[str, Result]:
    """The leaderboards of all games that have a log here, by game."""
    return {game: leaderboard(database, game) for game in database.games}
