"""The results that a tournament may record, and those that no match can have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.table import Match, Result
from tests.audit.together import findings_of
from tests.factories import tournament_events, write
from tests.sampling import sampled

CRASH, TAMPERED = (1, "crash"), (1, "tampered")

RESULTS: dict[str, tuple[dict[str, Any], list[Any], list[Any]]] = {
    "coup": (
        {"rounds": 20},
        [
            ("drawn", (0, 0), (), ()),
            ("eliminated", (1, 0), (0,), ()),
            ("eliminated", (0, 1), (1,), ()),
            ("forfeit", (1, 0), (0,), (CRASH,)),
            ("forfeit", (0, 1), (1,), ((0, "tampered"),)),
        ],
        [
            ("agreed", (0, 0), (), ()),
            ("drawn", (0, 0), (0,), ()),
            ("drawn", (0, 0), (), (CRASH,)),
            ("eliminated", (0, 1), (0,), ()),
            ("eliminated", (1, 0), (0, 1), ()),
            ("eliminated", (1, 0), (0,), (CRASH,)),
            ("forfeit", (0, 1), (0,), (CRASH,)),
            ("forfeit", (1, 0), (0, 1), (CRASH,)),
            ("forfeit", (1, 0), (0,), ()),
            ("forfeit", (1, 0), (0,), (CRASH, CRASH)),
            ("forfeit", (0, 1), (1,), (CRASH,)),
        ],
    ),
    "coins": (
        {"games": 20},
        [
            ("rounds_played", (5, 2), (0,), (CRASH,)),
            ("centre_empty", (3, 3), (0, 1), ()),
        ],
        [
            ("void", (5, 2), (0,), ()),
            ("rounds_played", (5, 2), (1,), ()),
            ("rounds_played", (5, 2), (0,), (TAMPERED,)),
        ],
    ),
    "smallest_unique": (
        {"games_per_entrant": 20, "seats": 2, "rounds": 5},
        [
            ("played", (4, 1), (0,), ()),
            ("played", (0, 0), (0, 1), ()),
        ],
        [
            ("drawn", (0, 0), (0, 1), ()),
            ("played", (4, 1), (1,), ()),
            ("played", (4, 2), (0,), ()),
            ("played", (4, -1), (0,), ()),
            ("void", (0, 0), (), ()),
            ("played", (4, 1), (0,), (CRASH,)),
        ],
    ),
    "bank_heist": (
        {"matches": 20},
        [
            ("played", (240, 7), (0,), (CRASH,)),
            ("played", (0, 0), (0, 1), ()),
            ("played", (10**15, 0), (0,), ()),
        ],
        [
            ("void", (240, 7), (0,), ()),
            ("played", (240, 7), (1,), ()),
            ("played", (240, 240), (0,), ()),
            ("played", (240, -1), (0,), ()),
            ("played", (10**15 + 1, 0), (0,), ()),
        ],
    ),
}
"""By game: the settings, the possible results and the impossible ones."""

RULES = {"bank_heist": "bank_heist/recorded_winners_without_the_most"}
"""The rule of a game in which it has another name."""


@pytest.mark.parametrize("game", sampled({game: game for game in RESULTS}, ["coup", "bank_heist"]))
def test_only_impossible_results_are_findings(tmp_path: Path, game: str) -> None:
    """The rule finds each result that no match can have, and none that a match can have."""
    settings, possible, impossible = RESULTS[game]
    results = iter([*possible, *impossible])
    played: dict[str, Any] = {}

    def play(match: Match) -> Result:
        played[match.id] = next(results, possible[0])
        reason, scores, winners, faults = played[match.id]
        return Result(reason, scores, winners, faults, "0" * 64)

    write(tmp_path / "log.jsonl", tournament_events(play, ["anna", "bert"], game=game, **settings))
    rule = RULES.get(game, f"{game}/recorded_result_impossible")
    found = [finding.match for finding in findings_of(rule, tmp_path) if finding.match]
    assert [played[match] for match in found] == impossible
