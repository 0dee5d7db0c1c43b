"""The schedules of third-party rules are validated before they are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.table import Match
from referee.event_validation import EventValidator
from schema.errors import GameError
from tests.referee.bot_factory import CARD

FIRST = Match("1-000000", (0, 1))


def validated(*matches: Match) -> list[Match]:
    """Return the matches of a schedule of two entrants, validated."""
    return list(EventValidator(CARD, Path("tournament.jsonl")).matches(matches, 2))


def test_a_match_may_share_the_dice_of_an_earlier_one() -> None:
    """A schedule may name the dice of a match that it names before."""
    schedule = [FIRST, Match("1-000001", (1, 0), dice=FIRST.id)]
    assert validated(*schedule) == schedule


@pytest.mark.parametrize("dice", ["1-000001", "1-000002", "nonsense"])
def test_other_dice_are_refused(dice: str) -> None:
    """The dice of the match itself, of a later one or of none are refused by name."""
    later = Match("1-000002", (0, 1))
    says = f"match '1-000001': expected the dice of an earlier match, found those of '{dice}'"
    with pytest.raises(GameError, match=says):
        validated(FIRST, Match("1-000001", (1, 0), dice=dice), later)
