"""Unfinished tournaments, with the number of their matches that are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from schema.log_path import printable
from schema.words import counted

if TYPE_CHECKING:
    from audit.tables import Database
    from games.table import Schedule
    from schema.reader import Log


@dataclass(frozen=True)
class Unfinished:
    """One tournament whose log has no seal."""

    path: str
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

    return [entry for path in unfinished(database) if (entry := _read(database, path))]


def ranking_note(tournaments: Sequence[Unfinished]) -> str:
    """Return the note below the standings of unfinished tournaments."""
    return f"{'; '.join(map(str, tournaments))}. Until then ranks are by score per game."


def _read(database: Database, path: str) -> Unfinished | None:
    from replay.partial_log import read_partial
    from schema import discovery
    from schema.errors import LogError, UsageError

    try:
        log = read_partial(discovery.resolve(Path(path)))
    except (LogError, UsageError, OSError):
        return None
    if log.kind != "tournament":
        return None
    tournament = str(log.start["tournament"])
    [(played,)] = database.connection.execute(
        "SELECT count(DISTINCT seal) FROM matches WHERE tournament = ?", [tournament]
    ).fetchall()
    return Unfinished(path, tournament, played, _planned(log))


def _planned(log: Log) -> int:
    """Return the number of matches that the rules plan before the first is played."""
    from games.table import StopRules, TournamentTable, drive_rules
    from schema.dice import Dice
    from schema.errors import GameError

    if any(event["type"] == "voided" for event in log.events):
        return 0  # a new attempt plans more matches
    names = [entrant["name"] for entrant in log.start["entrants"]]
    table = TournamentTable(names, log.settings(), Dice("0" * 64), lambda event, clause: None)

    def stop(schedule: Schedule) -> list[object]:
        raise StopRules

    try:
        drive_rules(log.version.tournament_rules()(table), stop)
    except StopRules:
        return table.planned
    except GameError:
        pass
    return 0
