"""The rule ``coins/coins_not_counted``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    count = log.first("counted")
    count["points"] = log.before(count, "acted")["points"]
    end = log.first("match_finished")
    end["scores"] = count["points"]
    end["winners"] = [n for n, own in enumerate(end["scores"]) if own == max(end["scores"])]
    return log


def test_coins_not_counted() -> None:
    """A count that leaves the coins out is found."""
    assert fired(_changed) == {"coins/coins_not_counted", "coins/whole_game_does_not_add_up"}
