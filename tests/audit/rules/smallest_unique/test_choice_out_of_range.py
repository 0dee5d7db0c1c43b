"""The rule ``smallest_unique/choice_out_of_range``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, fired, played


@doctored
def _changed() -> Doctored:
    log = played()
    choices = log.first("round")["choices"]
    choices[choices.index(max(choices))] = 11
    return log


def test_choice_out_of_range() -> None:
    """A zero among the choices is found."""
    assert fired(_changed) == {"smallest_unique/choice_out_of_range"}
