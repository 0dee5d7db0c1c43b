"""The rule ``bank_heist/final_table_not_the_sums``."""

from __future__ import annotations

from tests.audit.bank_heists import doctored, fired, series
from tests.audit.contest import Contest


@doctored
def _changed() -> Contest:
    logs = series()
    logs.standings[0]["score"] += 1
    return logs


@doctored
def _exchanged() -> Contest:
    logs = series()
    logs.standings.reverse()
    return logs


@doctored
def _doubled() -> Contest:
    logs = series()
    logs.standings.append(logs.standings[-1])
    return logs


def test_final_table_not_the_sums() -> None:
    """A sum that is one credit too high is found, and a line above a better one."""
    assert fired(_changed) == {"bank_heist/final_table_not_the_sums"}
    assert fired(_exchanged) == {"bank_heist/final_table_not_the_sums"}
    assert fired(_doubled) == {"bank_heist/final_table_not_the_sums"}
