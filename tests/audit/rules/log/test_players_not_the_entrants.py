"""The rule ``log/players_not_the_entrants``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_players_not_the_entrants(tmp_path: Path) -> None:
    """A player under another name is found."""
    logs = contest()
    logs.matches["1-000000"][0]["players"][1]["name"] = "Dora"
    logs.seal("1-000000")
    assert fired(tmp_path, logs) == {"log/players_not_the_entrants"}
