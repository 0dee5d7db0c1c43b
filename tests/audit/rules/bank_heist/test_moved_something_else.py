"""The rule ``bank_heist/moved_something_else``."""

from __future__ import annotations

from typing import get_args

import pytest

from games.bank_heist.events import Why
from tests.audit.bank_heists import Heist, doctored, fired, heist
from tests.audit.together import Change

MOVES_WINNINGS = ("heist", "intel", "deposit", "withdraw", "false_finger")


@doctored
def _changed() -> Heist:
    log = heist(why="guard", what="guards")
    del log.event(why="guard", what="guards")["bank"]
    return log


def _moving_another(why: str) -> Change:
    @doctored
    def change() -> Heist:
        log = heist(why=why)
        moved = log.event(why=why)
        moved["what"] = "employed" if why in MOVES_WINNINGS else "winnings"
        moved.pop("bank", None)
        return log

    return change


CHANGES = {why: _moving_another(why) for why in get_args(Why)}


def test_moved_something_else() -> None:
    """A guard at no bank is found."""
    assert fired(_changed) == {"bank_heist/moved_something_else"}


@pytest.mark.parametrize("why", CHANGES)
def test_no_step_moves_another_kind_of_amount(why: str) -> None:
    """A step of the settlement that moves what it never moves is found."""
    assert "bank_heist/moved_something_else" in fired(CHANGES[why])
