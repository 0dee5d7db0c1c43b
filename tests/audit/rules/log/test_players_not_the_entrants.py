"""The rule ``log/players_not_the_entrants``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.matches["1-000000"][0]["players"][1]["name"] = "Dora"
    logs.seal("1-000000")
    return logs


@doctored
def _nobody() -> Contest:
    logs = contest()
    game = logs.played[0]
    game.update(seats=game["seats"][:1], scores=game["scores"][:1], winners=[0])
    return logs


def test_players_not_the_entrants() -> None:
    """A player under another name is found, and a player without an entrant."""
    assert fired(_changed) == {"log/players_not_the_entrants"}
    assert "log/players_not_the_entrants" in fired(_nobody)
