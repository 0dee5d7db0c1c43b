"""The number of matches that the rules of a tournament plan."""

from __future__ import annotations

from games.driving import next_question
from games.table import TournamentTable
from schema.dice import Dice
from schema.errors import GameError
from schema.reader import Log


def planned_matches(log: Log) -> int:
    """Return the number of matches that the rules plan before the first is played; 0 if unknown."""
    if any(event["type"] == "voided" for event in log.events):
        return 0  # a new attempt plans more matches
    names = [entrant["name"] for entrant in log.start["entrants"]]
    dice, pairings = Dice("0" * 64), log.start.get("pairings")
    table = TournamentTable(names, log.settings(), dice, lambda event, clause: None, pairings)
    try:
        next_question(log.version.tournament_rules()(table))
    except (StopIteration, GameError):
        return 0
    return table.planned
