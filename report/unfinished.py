"""Tournaments that are not over: how many of their matches are played."""

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
    """Its matches that are sealed."""
    planned: int
    """How many its rules mean to ask for; 0 if that is not known."""

    def __str__(self) -> str:
        """``spring is not over: 45 of 840 matches played.``"""
        played = f"{self.played} of {self.planned}" if self.planned else str(self.played)
        noun = counted(self.planned or self.played, "match").partition(" ")[2]
        return printable(f"tournament {self.tournament} is not over: {played} {noun} played")


def unfinished(database: Database) -> Sequence[Unfinished]:
    """The tournaments in ``database`` that are not over, as far as their logs can be read."""
    from audit.leaderboard import unfinished

    return [found for path in unfinished(database) if (found := _of(database, path))]


def told(tournaments: Sequence[Unfinished]) -> str:
    """What is said below a table of tournaments that are not over."""
    return f"{'; '.join(map(str, tournaments))}. Until then ranks are by score per game."


def _of(database: Database, path: str) -> Unfinished | None:
    from schema import discovery, reader
    from schema.errors import LogError, UsageError

    try:
        reader.read(discovery.place(Path(path)))
    except reader.IncompleteLog as error:
        log = error.log
    except (LogError, UsageError, OSError):
        return None
    if log is None or log.kind != "tournament":
        return None
    tournament = str(log.start["tournament"])
    [(played,)] = database.connection.execute(
        "SELECT count(DISTINCT seal) FROM matches WHERE tournament = ?", [tournament]
    ).fetchall()
    return Unfinished(path, tournament, played, _planned(log))


def _planned(log: Log) -> int:
    """How many matches the rules mean to ask for, before the first is played."""
    from games.table import StopRules, TournamentTable, drive_rules
    from schema.dice import Dice
    from schema.errors import GameError

    if any(event["type"] == "voided" for event in log.events):
        return 0  # they have asked for more since
    names = [entrant["name"] for entrant in log.start["entrants"]]
    table = TournamentTable(names, log.settings(), Dice("0" * 64), lambda event, clause: None)

    def leave(schedule: Schedule) -> list[object]:
        raise StopRules

    try:
        drive_rules(log.version.tournament_rules()(table), leave)
    except StopRules:
        return table.planned
    except GameError:
        pass
    return 0
