"""The rule ``log/stage_of_another_contest``."""

from __future__ import annotations

from tests.audit.contests import found


def test_stage_of_another_contest() -> None:
    """A contest with another id than that in its stages is found, and a stage with another id."""
    assert found(lambda events: events[0].update(contest="cap")) == {"log/stage_of_another_contest"}
    assert found(lambda events: events[0].update(tournament="cup/0009"), stage=2) == {
        "log/match_of_another_tournament",
        "log/stage_of_another_contest",
    }
