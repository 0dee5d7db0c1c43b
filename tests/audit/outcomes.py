"""Logs with only players and results, for tests of statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from schema import registry, seal
from schema.events import FORMAT
from tests import factories
from tests.audit import contest
from tests.factories import SEED, Events


def match(
    path: Path,
    scores: Mapping[str, int],
    game: str = "coins",
    number: int = 0,
    *,
    tournament: str = "spring",
    reason: str = "rounds_played",
    winners: Sequence[str] | None = None,
    bots: Mapping[str, str] | None = None,
) -> Path:
    """A match that ended with these scores by name; unless said, all with the most win.

    Matches share their dice only if tournament and number are the same.
    """
    seed = seal.match_seed(SEED, f"{tournament}/{number}")
    most = max(scores.values())
    won = [n for n in scores if scores[n] == most] if winners is None else winners
    names = list(scores)
    players = [
        {"seat": seat, "name": name, "bot": (bots or {}).get(name, factories.BOT)}
        for seat, name in enumerate(names)
    ]
    events: Events = [
        {
            "type": "match_started",
            **_head(game, tournament),
            "match": f"1-{number:06}",
            "players": players,
            "settings": registry.card(game).settings({}).model_dump(),
            "seed_commitment": seal.commitment(seed),
        },
        {
            "type": "match_finished",
            "reason": reason,
            "scores": list(scores.values()),
            "winners": [names.index(name) for name in won],
        },
    ]
    return factories.write(path, events, seed)


def series(
    folder: Path,
    results: Sequence[tuple[int, int]],
    bots: Mapping[str, str] | None = None,
) -> Path:
    """Matches of Coins between Anna and Ben, with these scores, in a new folder."""
    folder.mkdir()
    for number, scores in enumerate(results):
        scored = dict(zip(("Anna", "Ben"), scores, strict=True))
        match(folder / f"{number}.jsonl", scores=scored, number=number, bots=bots)
    return folder


def final_table(
    path: Path,
    game: str,
    lines: Mapping[str, tuple[int, int]],
    tournament: str = "old",
) -> Path:
    """The log of an imported tournament that has only its final table: score and games by name."""
    events: Events = [
        {
            "type": "tournament_started",
            **_head(game, tournament),
            "entrants": [
                {"entrant": n, "name": name, "bot": seal.NO_FILES} for n, name in enumerate(lines)
            ],
            "settings": registry.card(game).settings({}).model_dump(),
            "source": "imported",
        },
        {
            "type": "tournament_finished",
            "standings": [
                {"rank": n + 1, "entrant": n, "score": score, "games": games}
                for n, (score, games) in enumerate(lines.values())
            ],
        },
    ]
    path.write_bytes(contest.sealed(events, ""))
    return path


def _head(game: str, tournament: str) -> dict[str, Any]:
    rules = registry.card(game).rules
    return {"format": FORMAT, "game": game, "rules": rules, "tournament": tournament}
