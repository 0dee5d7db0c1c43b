"""The rule ``bank_heist/fault_of_another_decision``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="fault", ask="action", kind="crash")
    log.event(type="fault", ask="action", kind="crash")["kind"] = "illegal"
    return log


@doctored
def _tampered() -> Heist:
    log = heist(type="fault", ask="bet", kind="crash")
    log.event(type="fault", ask="bet", kind="crash")["kind"] = "tampered"
    return log


@doctored
def _bet_carried_on() -> Heist:
    log = heist(type="fault", ask="bet", kind="crash")
    log.event(type="fault", ask="bet", kind="crash")["penalty"] = "carry on"
    return log


@doctored
def _action_under_the_clause_of_bets() -> Heist:
    log = heist(type="fault", ask="action", kind="crash")
    log.event(type="fault", ask="action", kind="crash")["clause"] = "BH-6"
    return log


def test_fault_of_another_decision() -> None:
    """A fault of an action that is recorded as one of a bet is found."""
    assert fired(_changed) == {"bank_heist/fault_of_another_decision"}


@pytest.mark.parametrize("change", [_tampered, _bet_carried_on, _action_under_the_clause_of_bets])
def test_kind_penalty_and_clause_of_a_fault(change: Callable[[], Heist]) -> None:
    """A fault of a bet or an action with a kind, a penalty or a clause of another one is found."""
    assert fired(change) == {"bank_heist/fault_of_another_decision"}
