"""The rule ``smallest_unique/too_few_games_misjudged``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired, set_everywhere
from tests.audit.unique_games import tournament


def test_too_few_games_misjudged(tmp_path: Path) -> None:
    """A final table although somebody played too few games is found."""

    def doctor(logs: Contest) -> None:
        set_everywhere(logs, min_games_per_entrant=7)

    assert fired(tmp_path, tournament(), doctor) == {"smallest_unique/too_few_games_misjudged"}
