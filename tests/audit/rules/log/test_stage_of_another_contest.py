"""The rule ``log/stage_of_another_contest``."""

from __future__ import annotations

from tests.audit.contests import doctored, doctored_stage, fired

_CONTEST = doctored(lambda events: events[0].update(contest="cap"))
_STAGE = doctored_stage(2, lambda events: events[0].update(tournament="cup/0009"))


def test_stage_of_another_contest() -> None:
    """A contest with another id than that in its stages is found, and a stage with another id."""
    assert fired(_CONTEST) == {"log/stage_of_another_contest"}
    assert fired(_STAGE) == {"log/match_of_another_tournament", "log/stage_of_another_contest"}
