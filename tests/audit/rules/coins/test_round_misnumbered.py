"""The rule ``coins/round_misnumbered``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.first("acted")["round"] = 2
    return log


def test_round_misnumbered() -> None:
    """A turn that bears the number of another round is found."""
    assert fired(_changed) == {"coins/round_misnumbered"}
