"""The rule ``coins/something_voided``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import tournament
from tests.audit.contest import Contest
from tests.audit.holding import fired


def test_something_voided(tmp_path: Path) -> None:
    """An attempt that was voided is found."""

    def doctor(logs: Contest) -> None:
        voided = {"type": "voided", "attempt": 1, "matches": 3, "reason": "disqualified"}
        logs.events.insert(-1, voided)

    assert fired(tmp_path, tournament(), doctor) == {"coins/something_voided"}
