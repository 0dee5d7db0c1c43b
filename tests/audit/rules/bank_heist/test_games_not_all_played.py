"""The rule ``bank_heist/games_not_all_played``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.bank_heists import Heist, doctored, fired, heist
from tests.audit.together import report_on


@doctored
def _changed() -> Heist:
    log = heist()
    log.double(log.events[1])
    return log


@doctored
def _undrawn() -> Heist:
    log = heist()
    log.drop(log.events[1])
    return log


def test_games_not_all_played() -> None:
    """A second drawing of the number of games is found, and that there is none."""
    assert fired(_changed) == {"bank_heist/games_not_all_played"}
    assert fired(_undrawn) == {"bank_heist/games_not_all_played"}


def test_games_without_room_are_not_examined(tmp_path: Path) -> None:
    """A short log that starts two hundred games of four hundred players is refused by the first."""
    log = heist()
    log.events[0]["players"] = [
        log.events[0]["players"][0] | {"seat": seat, "name": f"player{seat}"} for seat in range(400)
    ]
    log.events[-1]["scores"] = [0] * 400
    start = log.event(type="game_started")
    log.events[2:-1] = [start | {"number": number} for number in range(200)]
    log.write(tmp_path)
    findings = report_on(tmp_path).findings
    assert len(findings) < 2_000
    [finding] = [f for f in findings if f.rule.id == "bank_heist/games_not_all_played"]
    assert finding.found.endswith("200 games")
