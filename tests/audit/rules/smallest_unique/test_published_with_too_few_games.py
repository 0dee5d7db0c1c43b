"""The rule ``smallest_unique/published_with_too_few_games``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.imported_logs import SMALLEST_UNIQUE, broken

RULE = "smallest_unique/published_with_too_few_games"


def test_published_with_too_few_games(tmp_path: Path) -> None:
    """A bot with fewer games than the minimum is a finding."""
    fewer = SMALLEST_UNIQUE.replace("0.1550 (310/2000)", "0.1515 (15/99)")
    enough = SMALLEST_UNIQUE.replace("0.1550 (310/2000)", "0.1500 (15/100)")
    assert broken(RULE, tmp_path, enough, fewer) == [("at least 100 games of Bot9", "99")]
