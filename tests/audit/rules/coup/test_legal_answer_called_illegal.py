"""The rule ``coup/legal_answer_called_illegal``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, failing, fired, turn, with_player
from tests.factories import answer, scripted


@doctored
def _changed() -> Doctored:
    log = failing(answer("X"))
    log.first("fault")["appended"] = "F"
    return log


@doctored
def _exchange() -> Doctored:
    log = turn("Ep\n")
    call = log.turn[2]
    log.cut(call)
    fault = {"kind": "illegal", "clause": "CP-17", "penalty": "forfeit"}
    fault |= {field: call[field] for field in ("ask", "output", "appended")}
    log.events[log.place(call)] = {"type": "fault", "seat": call["seat"], **fault}
    winner = 1 - call["seat"]
    scores = [1 - winner, winner]
    log.events[-1].update(reason="forfeit", scores=scores, winners=[winner])
    return log


@doctored
def _choice() -> Doctored:
    return with_player(scripted("E", "p", "\n"))


@doctored
def _cut() -> Doctored:
    log = failing(answer("X"))
    log.first("fault").update(appended="F", cut=["output"])
    return log


def test_legal_answer_called_illegal() -> None:
    """A legal answer that was rejected is found, and a legal choice in an Exchange."""
    assert fired(_changed) == {"coup/legal_answer_called_illegal"}
    assert fired(_exchange) == {"coup/legal_answer_called_illegal"}


def test_an_illegal_choice_after_a_legal_addition() -> None:
    """A forfeit for a choice of no cards, after a legal newline, is not found."""
    assert fired(_choice) == set()


def test_an_answer_that_the_log_does_not_show_in_full() -> None:
    """A legal addition beside an output that was cut is not called legal."""
    assert fired(_cut) == {"coup/oversize_overlooked", "log/raw_bytes_misrecorded"}
