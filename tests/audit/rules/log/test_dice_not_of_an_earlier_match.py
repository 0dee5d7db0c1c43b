"""The rule ``log/dice_not_of_an_earlier_match``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired

RULE = "log/dice_not_of_an_earlier_match"


def _first_with_dice_of(match: str) -> Contest:
    logs = contest()
    first = logs.events[1]
    logs.events[1] = {"type": "match_played", "match": first["match"], "dice": match, **first}
    return logs


@doctored
def _own() -> Contest:
    return _first_with_dice_of("1-000000")


@doctored
def _later() -> Contest:
    return _first_with_dice_of("1-000001")


def test_dice_not_of_an_earlier_match() -> None:
    """A match that is said to share its own dice is found, or those of a later one."""
    assert fired(_own) == {RULE}
    assert fired(_later) == {
        "coup/pairs_do_not_share_dice",
        RULE,
        "log/seed_not_the_tournaments",
    }
