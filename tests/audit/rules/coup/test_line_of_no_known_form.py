"""The rule ``coup/line_of_no_known_form``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_line_of_no_known_form(tmp_path: Path) -> None:
    """A line that goes on after its end is found."""
    log = turn("I\n")
    log.turn[0]["appended"] = "I\nI\n"
    assert fired(tmp_path, log) == {
        "coup/line_of_no_known_form",
        "coup/income_undeserved",
        "coup/reply_out_of_place",
    }
