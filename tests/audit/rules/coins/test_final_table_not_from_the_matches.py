"""The rule ``coins/final_table_not_from_the_matches``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, tournament
from tests.audit.contest import Contest


@doctored
def _changed() -> Contest:
    logs = tournament()
    logs.standings[2]["score"] += 1
    return logs


@doctored
def _exchanged() -> Contest:
    logs = tournament()
    logs.standings.reverse()
    return logs


@doctored
def _doubled() -> Contest:
    logs = tournament()
    logs.standings.append(logs.standings[-1])
    return logs


def test_final_table_not_from_the_matches() -> None:
    """A sum that is too high is found, and a line above a better one."""
    assert fired(_changed) == {"coins/final_table_not_from_the_matches"}
    assert fired(_exchanged) == {"coins/final_table_not_from_the_matches"}
    assert fired(_doubled) == {"coins/final_table_not_from_the_matches"}
