"""The rule ``coins/whole_game_does_not_add_up``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    for event in log.events:
        if "points" in event:
            event["points"][0] += 100
    end = log.first("match_finished")
    end["scores"][0] += 100
    end["winners"] = [0]
    return log


def test_whole_game_does_not_add_up() -> None:
    """A point given in a turn and kept to the end is found in the turn, and at the end."""
    assert fired(_changed) == {
        "coins/points_do_not_add_up",
        "coins/whole_game_does_not_add_up",
    }
