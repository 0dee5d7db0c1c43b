"""Unfinished tournaments, with the number of their matches that are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schema.discovery import TOURNAMENT
from schema.errors import LogError
from schema.log_path import LogPath, path_text, printable
from schema.words import counted

if TYPE_CHECKING:
    from audit.tables import Database


@dataclass(frozen=True)
class Unfinished:
    """One tournament whose log has no seal."""

    path: str
    game: str
    tournament: str
    played: int
    """Number of its sealed matches."""
    planned: int
    """Number of matches that its rules plan; 0 if unknown."""

    def __str__(self) -> str:
        """Return ``tournament spring is not over: 45 of 840 matches played``."""
        played = f"{self.played} of {self.planned}" if self.planned else str(self.played)
        noun = counted(self.planned or self.played, "match").partition(" ")[2]
        return printable(f"tournament {self.tournament} is not over: {played} {noun} played")


def unfinished(database: Database) -> Sequence[Unfinished]:
    """Return the unfinished tournaments in ``database`` whose logs can be read."""
    from audit.leaderboard import unfinished

    paths = {*unfinished(database)}
    logs = [log for log in database.log_paths if log.name == TOURNAMENT and path_text(log) in paths]
    return [entry for log in logs if (entry := _read(database, log))]


def ranking_note(tournaments: Sequence[Unfinished]) -> str:
    """Return the note below the standings of unfinished tournaments."""
    games = ", ".join(sorted({tournament.game for tournament in tournaments}))
    return f"{'; '.join(map(str, tournaments))}. Until then ranks of {games} are by score per game."


def _read(database: Database, log_path: LogPath) -> Unfinished | None:
    from replay.partial_log import read_partial
    from replay.planned import planned_matches

    try:
        log = read_partial(log_path)
    except (LogError, OSError):
        return None
    if log.kind != "tournament":
        return None
    path, tournament = path_text(log_path), str(log.start["tournament"])
    [(played,)] = database.rows(
        "SELECT count(DISTINCT seal) FROM matches JOIN logs USING (log, tournament) "
        "WHERE tournament = ? AND starts_with(path, regexp_replace(?, '[^/]*$', 'matches/'))",
        [tournament, path],  # tournaments with equal seeds have equal ids
    )
    return Unfinished(path, log.card.name, tournament, played, planned_matches(log))
