"""The rule ``coup/final_table_not_from_the_matches``."""

from __future__ import annotations

from pathlib import Path

from games.table import Match, Result
from tests.audit.contest import Contest, contest, doctored, fired
from tests.audit.together import findings_of
from tests.factories import tournament_events, write


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.standings[0]["score"] += 1
    return logs


@doctored
def _huge() -> Contest:
    logs = contest()
    for match in logs.played:
        match["scores"] = [2**63 - 1] * 2
    return logs


@doctored
def _exchanged() -> Contest:
    logs = contest()
    logs.standings.reverse()
    return logs


@doctored
def _doubled() -> Contest:
    logs = contest()
    logs.standings.append(logs.standings[-1])
    return logs


def test_final_table_not_from_the_matches() -> None:
    """A final table with a point too many is found, and one with two lines exchanged."""
    assert fired(_changed) == {"coup/final_table_not_from_the_matches"}
    assert fired(_exchanged) == {"coup/final_table_not_from_the_matches"}
    assert fired(_doubled) == {"coup/final_table_not_from_the_matches"}


def test_an_entrant_without_a_match_shares_the_rank_of_others_without_points(
    tmp_path: Path,
) -> None:
    """In a stage, a bot that has no missing pair ranks like a bot that lost all its matches."""

    def first_wins(match: Match) -> Result:
        first = match.seats.index(0)
        return Result("eliminated", (1 - first, first), (first,), (), "0" * 64)

    log = tmp_path / "log.jsonl"
    write(log, tournament_events(first_wins, ["anna", "bert", "cleo"], pairings=[(0, 1)]))
    assert not findings_of("coup/final_table_not_from_the_matches", log)


def test_scores_whose_sum_needs_more_than_64_bits() -> None:
    """The rule runs nevertheless, so that such a log does not end the audit of the others."""
    assert "coup/final_table_not_from_the_matches" in fired(_huge)
