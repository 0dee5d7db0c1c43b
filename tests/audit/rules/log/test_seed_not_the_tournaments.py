"""The rule ``log/seed_not_the_tournaments``."""

from __future__ import annotations

import random

from tests.audit.contest import Contest, contest, doctored, fired
from tests.audit.doctored_logs import patient, with_player


@doctored
def _changed() -> Contest:
    logs = contest()
    other = with_player(patient(random.Random(3)), "1" * 64, max_calls=40, rounds=2).events
    started = logs.matches["1-000000"][0]
    started["seed_commitment"] = other[0]["seed_commitment"]
    logs.matches["1-000000"], logs.seeds["1-000000"] = [started, *other[1:]], "1" * 64
    for field in ("reason", "scores", "winners"):
        logs.played[0][field] = other[-1][field]
    logs.seal("1-000000")
    return logs


def test_seed_not_the_tournaments() -> None:
    """A match that was played with a seed of its own is found."""
    assert fired(_changed) == {"log/seed_not_the_tournaments"}
