"""The rule ``coup/cards_not_dealt_once``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n")
    log.insert(log.first("dealt"), after=log.first("dealt"))
    return log


@doctored
def _never() -> Doctored:
    log = turn("I\n")
    log.drop(log.first("dealt"))
    return log


@doctored
def _late() -> Doctored:
    log = turn("I\n")
    dealt = log.first("dealt")
    log.drop(dealt)
    log.insert(dealt, after=log.first("answered"))
    return log


@doctored
def _early() -> Doctored:
    log = turn("I\n")
    log.insert(log.first("coins_moved"), after=log.first("dealt"))
    return log


def test_cards_not_dealt_once() -> None:
    """A second deal is found."""
    assert fired(_changed) == {"coup/cards_not_dealt_once"}


@pytest.mark.parametrize("changed", [_never, _late, _early])
def test_no_deal_at_the_start(changed: Callable[[], Doctored]) -> None:
    """A match without a deal, or with a call before it or an effect after it, is found."""
    assert "coup/cards_not_dealt_once" in fired(changed)
