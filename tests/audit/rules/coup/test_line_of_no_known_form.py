"""The rule ``coup/line_of_no_known_form``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n")
    log.turn[0]["appended"] = "I\nI\n"
    return log


def test_line_of_no_known_form() -> None:
    """A line that goes on after its end is found."""
    assert fired(_changed) == {
        "coup/line_of_no_known_form",
        "coup/income_undeserved",
        "coup/reply_out_of_place",
    }
