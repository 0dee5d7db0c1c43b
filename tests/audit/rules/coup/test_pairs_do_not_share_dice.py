"""The rule ``coup/pairs_do_not_share_dice``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired
from tests.audit.tournament_factory import set_everywhere


@doctored
def _claimed() -> Contest:
    logs = contest()
    set_everywhere(logs, mirrored=1)
    return logs


@doctored
def _concealed() -> Contest:
    logs = contest(mirrored=1)
    set_everywhere(logs, mirrored=0)
    return logs


@doctored
def _of_another_match() -> Contest:
    logs = contest(mirrored=1)
    logs.played[2]["dice"] = "1-000001"
    return logs


def test_pairs_do_not_share_dice() -> None:
    """A mirrored tournament in which each match has its own dice is found."""
    assert fired(_claimed) == {"coup/pairs_do_not_share_dice"}


def test_shared_dice_against_the_settings() -> None:
    """Dice that are shared in a tournament that is not mirrored are found."""
    assert fired(_concealed) == {"coup/pairs_do_not_share_dice"}


def test_dice_of_another_match() -> None:
    """The dice of another match than the pair's first are found, also by the seed."""
    assert fired(_of_another_match) == {
        "coup/pairs_do_not_share_dice",
        "log/seed_not_the_tournaments",
    }
