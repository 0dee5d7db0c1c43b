"""The rule ``smallest_unique/choice_out_of_range``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, fired, played


def _with(number: int) -> Doctored:
    log = played()
    choices = log.first("round")["choices"]
    choices[choices.index(max(choices))] = number
    return log


@doctored
def _zero() -> Doctored:
    return _with(0)


@doctored
def _eleven() -> Doctored:
    return _with(11)


def test_choice_out_of_range() -> None:
    """A zero or an eleven among the choices is found."""
    assert fired(_zero) == {"smallest_unique/choice_out_of_range"}
    assert fired(_eleven) == {"smallest_unique/choice_out_of_range"}
