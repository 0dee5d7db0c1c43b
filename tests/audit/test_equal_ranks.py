"""Entrants that share a rank are in the order of their numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.table import Match, Result
from replay.verify import verify
from tests.audit.together import findings_of
from tests.corpus.honest import imported, sealed_without_seed
from tests.factories import Events, tournament_events, write

RULES = {
    "bank_heist": "bank_heist/final_table_not_the_sums",
    "coins": "coins/final_table_not_from_the_matches",
    "coup": "coup/final_table_not_from_the_matches",
    "smallest_unique": "smallest_unique/final_table_not_from_the_matches",
}
SETTINGS: dict[str, dict[str, Any]] = {"smallest_unique": {"seats": 3}}


def without_points(match: Match) -> Result:
    """A match in which nobody has a point."""
    return Result("played", (0,) * len(match.seats), (), (), "0" * 64)


def all_first(game: str) -> Events:
    """A tournament in which three entrants share the first rank."""
    names = ["anna", "bert", "cleo"]
    events = tournament_events(without_points, names, game=game, **SETTINGS.get(game, {}))
    assert [line["rank"] for line in events[-1]["standings"]] == [1, 1, 1]
    return events


@pytest.mark.parametrize("game", RULES)
def test_equal_ranks_in_another_order(game: str, tmp_path: Path) -> None:
    """A log is diverged, and a finding, if lines of its final table with one rank are exchanged."""
    events = all_first(game)
    log = write(tmp_path / "log.jsonl", events)
    assert (verify(log).verdict, findings_of(RULES[game], log)) == ("verified", [])
    events[-1]["standings"].reverse()
    write(log, events)
    assert verify(log).verdict == "diverged"
    assert {finding.found[-14:] for finding in findings_of(RULES[game], log)} == {", out of order"}


def test_equal_ranks_of_an_imported_table(tmp_path: Path) -> None:
    """An imported match of Bank Heist was printed with equal credits in any order."""
    events = all_first("bank_heist")
    events[-1]["standings"].reverse()
    log = tmp_path / "log.jsonl"
    log.write_bytes(sealed_without_seed(imported(events)))
    assert not findings_of(RULES["bank_heist"], log)
