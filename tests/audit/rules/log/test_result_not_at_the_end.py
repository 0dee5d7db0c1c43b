"""The rule ``log/result_not_at_the_end``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    events = logs.matches["1-000000"]
    events.append(events[-1])
    logs.seal("1-000000")
    return logs


@doctored
def _none() -> Contest:
    logs = contest()
    del logs.matches["1-000000"][-1]
    logs.seal("1-000000")
    return logs


@doctored
def _two_tables() -> Contest:
    logs = contest()
    logs.events.append(logs.events[-1])
    return logs


def test_result_not_at_the_end() -> None:
    """A second result of a match or a tournament is found, and a log without a result."""
    assert fired(_changed) == {"log/result_not_at_the_end"}
    assert "log/result_not_at_the_end" in fired(_two_tables)
    assert "log/result_not_at_the_end" in fired(_none)
