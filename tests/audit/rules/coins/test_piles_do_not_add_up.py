"""The rule ``coins/piles_do_not_add_up``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.first("acted")["flipped"][1] = 1
    return log


def test_piles_do_not_add_up() -> None:
    """A coin too many in a pile is found."""
    assert fired(_changed) == {"coins/piles_do_not_add_up"}
