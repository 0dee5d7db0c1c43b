"""Rate the strength of bots, match by match, relative to their opponents.

The method is Weng and Lin's Bayesian approximation of the Bradley-Terry model (A Bayesian
Approximation Method for Online Ranking, JMLR 12, 2011), from the library openskill. It compares
all pairs of a match; a tie counts one half. A bot's rating moves by the mean over its pairs, so a
match of sixty bots weighs as much as a match of two. A bot's files never change, so sigma gets no
drift and may fall without limit: late matches weigh little more than early ones.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from openskill.models import BradleyTerryPart, BradleyTerryPartRating

from audit.leaderboard import prepare, shortened, table, what_counts, wrapped
from audit.query import Result
from audit.result_format import objects
from audit.tables import Database
from schema.errors import NothingToDo

FORMAT = "koth-rating/1"
ALL = "all games"

NOTE = (
    "mu: Weng-Lin strength (Bradley-Terry, every pair of a match); a new bot has 25. sigma: the "
    "uncertainty of mu; a new bot has 8.3333. ordinal: mu - 3 sigma, a lower bound of the "
    "strength; bots are ranked by it. Numbers are comparable within a pool: bots linked by "
    "matches."
)

COLUMNS = ("pool", "rank", "name", "matches", "mu", "sigma", "ordinal", "bot")

ALL_SEATS = 1 << 30
"""A window size that covers all seats of a match."""

Bot = tuple[str, str]
"""A bot's name, and the hash of its files."""
Match = list[tuple[Bot, int]]
"""The bots of a match with their ranks; lower is better, equal is a tie."""


def ratings(database: Database) -> dict[str, Result]:
    """Return the ratings by game, and of all games together if there are several, best first.

    The first matches of all line-ups are rated first, then the second ones, and so on. So neither
    the order of the files nor the stages of a contest change a rating.
    Raises NothingToDo if no match counts.
    """
    matches = _matches(database)
    games = sorted({game for game, _ in matches})
    if not games:
        raise NothingToDo(f"no match counts, and ratings need matches. {what_counts(database)}")
    by_game = {game: rate(match for name, match in matches if name == game) for game in games}
    return by_game if len(games) == 1 else by_game | {ALL: rate(match for _, match in matches)}


def rate(matches: Iterable[Match]) -> Result:
    """Return the ratings after ``matches``, in their order."""
    model = BradleyTerryPart(window_size=ALL_SEATS, tau=0.0, gamma=_undamped)
    rated: dict[Bot, BradleyTerryPartRating] = {}
    played: Counter[Bot] = Counter()
    pools: dict[Bot, set[Bot]] = {}
    for match in matches:
        bots = [bot for bot, _ in match]
        played.update(bots)
        _link(pools, bots)
        teams = [[rated.get(bot) or model.rating()] for bot in bots]
        if len(teams) > 1:
            teams = model.rate(teams, ranks=[float(rank) for _, rank in match])
        rated.update((bot, rating) for bot, [rating] in zip(bots, teams, strict=True))
    return Result(COLUMNS, _rows(rated, played, pools))


def _rows(
    rated: Mapping[Bot, BradleyTerryPartRating],
    played: Mapping[Bot, int],
    pools: Mapping[Bot, set[Bot]],
) -> list[tuple[object, ...]]:
    """Return the table's rows, pool by pool, best first."""
    ordinals = {bot: round(rating.ordinal(), 4) for bot, rating in rated.items()}
    rows: list[tuple[object, ...]] = []
    for number, pool in enumerate(_largest_first(pools), 1):
        best_first = sorted(pool, key=lambda bot: (-ordinals[bot], bot))
        rank_of: dict[float, int] = {}
        for rank, bot in enumerate(best_first, 1):
            rank_of.setdefault(ordinals[bot], rank)
        rows += [
            (
                *(number, rank_of[ordinals[bot]], bot[0], played[bot]),
                *(round(rated[bot].mu, 4), round(rated[bot].sigma, 4), ordinals[bot], bot[1]),
            )
            for bot in best_first
        ]
    return rows


def as_text(by_game: Mapping[str, Result], *, full_hash: bool = False) -> str:
    """Return a title and a table for each game, and an explanation; with full or short hashes."""
    results = list(by_game.values())
    shown = results if full_hash else shortened(results)
    tables = zip(by_game, shown, strict=True)
    text = "".join(f"{game}, rating\n\n{table(result)}\n" for game, result in tables)
    return f"{text}{wrapped(NOTE)}\n"


def as_json(by_game: Mapping[str, Result]) -> str:
    """Return ``{"format":"koth-rating/1","games":{"coup":[{…},…]},"all":[…],"note":"…"}``.

    ``all`` is missing if only one game has matches.
    """
    value: dict[str, object] = {
        "format": FORMAT,
        "games": {game: objects(result) for game, result in by_game.items() if game != ALL},
    }
    if ALL in by_game:
        value["all"] = objects(by_game[ALL])
    return json.dumps(value | {"note": NOTE}, ensure_ascii=False, indent=1) + "\n"


def _matches(database: Database) -> list[tuple[str, Match]]:
    """Return the matches that count with their games, in order."""
    prepare(database)
    rows = database.rows(
        "SELECT log, game, name, bot, "
        "rank() OVER (PARTITION BY log ORDER BY won DESC, score DESC) "
        "FROM rated() ORDER BY round, lineup, game, seal, log, seat"
    )
    return [
        (game, [((name, bot), rank) for _, _, name, bot, rank in seats])
        for (_, game), seats in groupby(rows, key=itemgetter(0, 1))
    ]


def _undamped(*match: object) -> float:
    """Return Weng and Lin's gamma, the factor by which a match reduces sigma."""
    return 1.0


def _link(pools: dict[Bot, set[Bot]], bots: Sequence[Bot]) -> None:
    """Merge the pools of ``bots``, the smaller ones into the largest."""
    largest = max((pools.setdefault(bot, {bot}) for bot in bots), key=len)
    for bot in bots:
        if (pool := pools[bot]) is not largest:
            largest |= pool
            pools.update(dict.fromkeys(pool, largest))


def _largest_first(pools: Mapping[Bot, set[Bot]]) -> list[set[Bot]]:
    """Return each pool once, the largest first."""
    distinct = {id(pool): pool for pool in pools.values()}.values()
    return sorted(distinct, key=lambda pool: (-len(pool), min(pool)))
