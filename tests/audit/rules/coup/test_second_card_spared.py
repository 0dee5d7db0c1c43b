"""The rule ``coup/second_card_spared``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import ending, fired


def test_second_card_spared(tmp_path: Path) -> None:
    """A card that a false Contessa kept is found."""
    log = ending("Asq[_'<=0]", lambda log: log.events[-2]["cause"] == "assassination")
    log.drop(log.events[-2])
    log.cut(log.events[-2])
    assert fired(tmp_path, log) == {"coup/second_card_spared"}
