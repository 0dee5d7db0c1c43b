"""The rule ``coup/reply_out_of_place``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_reply_out_of_place(tmp_path: Path) -> None:
    """A pass to an Assassination is found."""
    log = turn("A[_'<=0]\n")
    log.turn[1]["appended"] = "p"
    log.cut(log.turn[1])
    assert fired(tmp_path, log) == {"coup/reply_out_of_place"}
