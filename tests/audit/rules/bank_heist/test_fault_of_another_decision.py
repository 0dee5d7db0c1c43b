"""The rule ``bank_heist/fault_of_another_decision``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.audit.bank_heists import Heist, doctored, fired, heist


def crash(ask: str, **fields: str) -> Heist:
    """Return a heist with a crash at ``ask``, of which the log has these fields instead."""
    log = heist(type="fault", ask=ask, kind="crash")
    log.event(type="fault", ask=ask, kind="crash").update(fields)
    return log


@doctored
def _changed() -> Heist:
    return crash("action", kind="illegal")


@doctored
def _tampered() -> Heist:
    return crash("bet", kind="tampered")


@doctored
def _bet_carried_on() -> Heist:
    return crash("bet", penalty="carry on")


@doctored
def _action_under_the_clause_of_bets() -> Heist:
    return crash("action", clause="BH-6")


def test_fault_of_another_decision() -> None:
    """A fault of an action that is recorded as one of a bet is found."""
    assert fired(_changed) == {"bank_heist/fault_of_another_decision"}


@pytest.mark.parametrize("change", [_tampered, _bet_carried_on, _action_under_the_clause_of_bets])
def test_kind_penalty_and_clause_of_a_fault(change: Callable[[], Heist]) -> None:
    """A fault of a bet or an action with a kind, a penalty or a clause of another one is found."""
    assert fired(change) == {"bank_heist/fault_of_another_decision"}
