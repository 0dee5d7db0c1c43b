"""The rule ``log/pairings_not_those_missing``."""

from __future__ import annotations

from tests.audit.contests import doctored, doctored_stage, fired
from tests.contests import Events


@doctored
def _without_the_first_stage(events: Events) -> None:
    events[:] = [event for event in events if event.get("stage") != 1]


def test_pairings_not_those_missing() -> None:
    """A contest without its first stage has pairings that nobody played."""
    assert fired(_without_the_first_stage) == {
        "log/chain_seed_not_in_the_chain",
        "log/pairings_not_those_missing",
        "log/stage_not_in_the_contest",
        "log/stage_not_played_by_those_in",
        "log/stage_out_of_order",
        "log/stage_without_missing_matches",
    }


_ALL_ANEW = doctored_stage(3, lambda events: events[0].pop("pairings"))


def test_pairings_played_anew() -> None:
    """A stage of all pairings is found if some were in an earlier stage."""
    assert "log/pairings_not_those_missing" in fired(_ALL_ANEW)


_TOURNAMENTS = doctored(lambda events: events[0].update(plays="tournaments"))


def test_stage_of_all_with_pairings() -> None:
    """A contest that plays whole tournaments, with stages that leave out pairs, is found."""
    assert "log/pairings_not_those_missing" in fired(_TOURNAMENTS)


def _list_all(events: Events) -> None:
    commitment = events[0].pop("seed_commitment")
    events[0] |= {"pairings": [[0, 1], [0, 2], [1, 2]], "seed_commitment": commitment}


_ALL_LISTED = doctored_stage(1, _list_all)


def test_list_of_all_pairings() -> None:
    """A stage that lists all its pairs, instead of none, is found."""
    assert fired(_ALL_LISTED) == {"log/pairings_not_those_missing"}
