"""The rule ``smallest_unique/fault_without_a_new_attempt``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_fault_without_a_new_attempt(tmp_path: Path) -> None:
    """A void for a reason that there is not is found."""

    def doctor(logs: Contest) -> None:
        next(e for e in logs.events if e["type"] == "voided")["reason"] = "rain"

    assert fired(tmp_path, tournament(), doctor) == {"smallest_unique/fault_without_a_new_attempt"}
