"""The rule ``bank_heist/settled_out_of_order``."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.audit.bank_heists import Heist, cut, doctored, fired, heist, pool
from tests.audit.together import findings_of


@doctored
def _changed() -> Heist:
    log = heist(why="heist")
    log.lower(log.above(log.event(why="heist")))
    return log


def test_settled_out_of_order() -> None:
    """Winnings that come before the bet are a finding."""
    assert fired(_changed) == {"bank_heist/settled_out_of_order"}


def neighbours(one: dict[str, Any], next: dict[str, Any]) -> object:
    """The kinds of two events, and whether both are about the same player."""
    kinds = [(event["type"], event.get("why"), event.get("what")) for event in (one, next)]
    return (*kinds, one.get("seat") == next.get("seat"))


def test_every_two_neighbours_that_change_places(tmp_path: Path) -> None:
    """Two events of a game in the wrong order are found, for each pair that follow each other."""
    matches: dict[object, tuple[Heist, int]] = {}
    for match in pool():
        for n, two in enumerate(pairwise(match.events[2:-1]), 2):
            key = neighbours(*two)
            if key not in matches or n < matches[key][1]:
                matches[key] = (match, n)
    for number, (match, n) in enumerate(matches.values()):
        types = [event["type"] for event in match.events]
        log = cut(match, types.index("game_finished", n + 1))
        log.lower(log.events[n])
        log.write(tmp_path / f"{number}")
    findings = findings_of("bank_heist/settled_out_of_order", tmp_path)
    found = {Path(finding.path).parent.name for finding in findings}
    assert found == {f"{number}" for number in range(len(matches))}
