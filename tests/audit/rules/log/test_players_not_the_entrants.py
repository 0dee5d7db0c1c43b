"""The rule ``log/players_not_the_entrants``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.matches["1-000000"][0]["players"][1]["name"] = "Dora"
    logs.seal("1-000000")
    return logs


def test_players_not_the_entrants() -> None:
    """A player under another name is found."""
    assert fired(_changed) == {"log/players_not_the_entrants"}
