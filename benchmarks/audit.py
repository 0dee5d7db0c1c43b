"""Rounds audited per second: the rule of the winner, and all rules of the game, on an archive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from audit import views
from audit.rule import rules
from audit.run_rules import audit
from audit.tables import open_database
from benchmarks._packed import archive
from benchmarks.measure import Figure, at_least, in_turn, medians
from schema import registry

SIZE = 10_000_000
"""Rounds of ten choices each."""

QUICK = 1_000_000

WINNER = "smallest_unique/point_not_for_the_smallest_unique"

SCAN = "SELECT sum(list_sum(choices)) FROM smallest_unique_round"


def run(size: int) -> Iterator[Figure]:
    """Compare the winner's rule in one thread, and all rules in all threads, with a plain sum."""
    with archive(size) as (packed, rounds), open_database([packed], current_only=True) as database:
        database.execute("SET threads = 1")
        rule = next(rule for rule in rules("smallest_unique") if rule.id == WINNER).sql
        views.compute(database, registry.card("smallest_unique"), rule)
        works = {
            "winner": lambda: database.execute(rule).fetchall(),
            "scan": lambda: database.execute(SCAN).fetchall(),
        }
        taken = medians(in_turn(works))
        taken |= medians(in_turn({"all": lambda: _audit(packed)}, rounds=3))
    rates = {name: rounds / seconds for name, seconds in taken.items()}
    calibration = "sum of the choices, by one thread"
    goals = (at_least(5e6),)
    yield Figure(
        "the winner's rule, one thread",
        rates["winner"],
        "rounds/s",
        calibration,
        rates["scan"],
        goals,
    )
    yield Figure("koth audit, all rules", rates["all"], "rounds/s", calibration, rates["scan"])


def _audit(packed: Path) -> None:
    with open_database([packed], current_only=True) as database:
        assert audit(database).clean
