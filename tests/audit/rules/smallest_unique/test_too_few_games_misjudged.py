"""The rule ``smallest_unique/too_few_games_misjudged``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.tournament_factory import set_everywhere
from tests.audit.unique_games import doctored, fired, once, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    set_everywhere(logs, min_games_per_entrant=7)
    return logs


@doctored
def _enough() -> Contest:
    logs = once(7, 3, least=2)
    set_everywhere(logs, min_games_per_entrant=0)
    return logs


def test_too_few_games_misjudged() -> None:
    """A final table is a finding if an entrant played too few games, a void if all did enough."""
    assert fired(_changed) == {"smallest_unique/too_few_games_misjudged"}
    assert fired(_enough) == {"smallest_unique/too_few_games_misjudged"}
