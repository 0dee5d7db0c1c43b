"""The rule ``smallest_unique/played_with_too_few_entrants``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_played_with_too_few_entrants(tmp_path: Path) -> None:
    """Games for which not enough entrants were left are found."""

    def doctor(logs: Contest) -> None:
        out = next(event for event in logs.events if event["type"] == "disqualified")
        for entrant in (0, 2, 4, 5):
            logs.events.insert(logs.events.index(out), out | {"entrant": entrant})

    assert fired(tmp_path, tournament(), doctor) == {
        "smallest_unique/disqualified_not_those_at_fault",
        "smallest_unique/disqualified_seated_again",
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/played_with_too_few_entrants",
        "smallest_unique/seats_not_from_the_dice",
    }
