"""The rule ``coins/coins_not_counted``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_coins_not_counted(tmp_path: Path) -> None:
    """A count that leaves the coins out is found."""
    log = busy()
    count = log.first("counted")
    count["points"] = log.before(count, "acted")["points"]
    end = log.first("match_finished")
    end["scores"] = count["points"]
    end["winners"] = [n for n, own in enumerate(end["scores"]) if own == max(end["scores"])]
    assert fired(tmp_path, log) == {"coins/coins_not_counted", "coins/whole_game_does_not_add_up"}
