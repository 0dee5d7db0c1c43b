"""The rule ``coins/centre_not_from_the_dice``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_centre_not_from_the_dice(tmp_path: Path) -> None:
    """A centre of one coin less than the dice give, but possible, is found."""
    log = still()
    for event in log.events:
        if "centre" in event:
            event["centre"] -= 1
    assert fired(tmp_path, log) == {"coins/centre_not_from_the_dice"}
