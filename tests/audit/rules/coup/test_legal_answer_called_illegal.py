"""The rule ``coup/legal_answer_called_illegal``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, failing, fired, with_player
from tests.factories import answer, scripted


@doctored
def _changed() -> Doctored:
    log = failing(answer("X"))
    log.first("fault")["appended"] = "F"
    return log


@doctored
def _choice() -> Doctored:
    return with_player(scripted("E", "p", "\n"))


def test_legal_answer_called_illegal() -> None:
    """A legal answer that was rejected is found."""
    assert fired(_changed) == {"coup/legal_answer_called_illegal"}


def test_an_illegal_choice_after_a_legal_addition() -> None:
    """A forfeit for a choice of no cards, after a legal newline, is not found."""
    assert fired(_choice) == set()
