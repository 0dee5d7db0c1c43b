"""The rule ``smallest_unique/scores_not_the_rounds_won``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_scores_not_the_rounds_won(tmp_path: Path) -> None:
    """A point too many is found."""
    log = failed("select")
    log.first("match_finished")["scores"][0] += 1
    assert fired(tmp_path, log) == {"smallest_unique/scores_not_the_rounds_won"}
