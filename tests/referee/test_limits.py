"""What the evidence says of limits is what is in force."""

from __future__ import annotations

from referee import limits


def test_class_bots_in_the_referees_own_process_have_no_limits() -> None:
    """Nothing is said to hold them; scripts have theirs at every level."""
    assert limits.in_force("none", "class", 1.0, False) == {}
    assert limits.in_force("none", "argv", 1.0, False) == limits.in_force(
        "process", "argv", 1.0, False
    )
