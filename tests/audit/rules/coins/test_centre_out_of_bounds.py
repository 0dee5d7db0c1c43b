"""The rule ``coins/centre_out_of_bounds``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_centre_out_of_bounds(tmp_path: Path) -> None:
    """A centre that no dice can give is found."""
    log = still()
    for event in log.events:
        if "centre" in event:
            event["centre"] += 4
    assert fired(tmp_path, log) == {"coins/centre_not_from_the_dice", "coins/centre_out_of_bounds"}
