"""Ratings: how strong a bot is, judged match by match against the strength of its opponents.

Weng and Lin's Bayesian approximation (A Bayesian Approximation Method for Online Ranking, JMLR 12,
2011) for the Bradley-Terry model, from the library openskill: all pairs of a match are compared,
and a bot moves by the mean over its pairs, so that a match of sixty moves nobody sixty times as far
as a match of two; ties are halves. A bot here is its files, which never change: no drift is added
to sigma, and nothing keeps it from falling, so that late matches weigh little more than early ones.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from openskill.models import BradleyTerryPart, BradleyTerryPartRating

from audit.leaderboard import objects, prepare, shortened, table, wrapped
from audit.query import Result
from audit.tables import Database
from schema.errors import NothingToDo

FORMAT = "koth-rating/1"
ALL = "all games"

NOTE = (
    "mu: strength after Weng and Lin (Bradley-Terry, every pair of a match); a new bot has 25. "
    "sigma: how uncertain it is; a new bot has 8.3333. ordinal: mu - 3 sigma, what the bot is "
    "almost surely worth; bots are ranked by it. Numbers compare within a pool: bots that matches "
    "link."
)

COLUMNS = ("pool", "rank", "name", "matches", "mu", "sigma", "ordinal", "bot")

EVERYBODY = 1 << 30
"""As a window over the seats of a match: all of them."""

Bot = tuple[str, str]
"""Name, and hash of its files."""
Match = list[tuple[Bot, int]]
"""Who sat there, and the rank of each; lower is better, equal is a tie."""


def ratings(database: Database) -> dict[str, Result]:
    """The ratings by game, and of all games together where there are several, best first.

    All matches that count, in order of tournament and match id: neither the order of the files nor
    what else was read changes a number. Raises NothingToDo when no match counts.
    """
    matches = _matches(database)
    games = sorted({game for game, _ in matches})
    if not games:
        raise NothingToDo(
            "no match here counts (came to an end, and is not void); ratings need matches."
        )
    found = {game: rate(match for one, match in matches if one == game) for game in games}
    return found if len(games) == 1 else found | {ALL: rate(match for _, match in matches)}


def rate(matches: Iterable[Match]) -> Result:
    """The ratings after ``matches``, one after the other."""
    model = BradleyTerryPart(window_size=EVERYBODY, tau=0.0, gamma=_undamped)
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
        rated.update((bot, one) for bot, [one] in zip(bots, teams, strict=True))
    ordinals = {bot: round(one.ordinal(), 4) for bot, one in rated.items()}
    rows: list[tuple[object, ...]] = []
    for number, pool in enumerate(_largest_first(pools), 1):
        best_first = sorted(pool, key=lambda bot: (-ordinals[bot], bot))
        places = [ordinals[bot] for bot in best_first]
        rows += [
            (
                *(number, places.index(ordinals[bot]) + 1, bot[0], played[bot]),
                *(round(rated[bot].mu, 4), round(rated[bot].sigma, 4), ordinals[bot], bot[1]),
            )
            for bot in best_first
        ]
    return Result(COLUMNS, rows)


def as_text(found: Mapping[str, Result], *, full_hash: bool = False) -> str:
    """A title and a table for each; then what the numbers mean. Hashes in full or shortened."""
    results = list(found.values())
    shown = results if full_hash else shortened(results)
    tables = zip(found, shown, strict=True)
    text = "".join(f"{game}, rating\n\n{table(result)}\n" for game, result in tables)
    return f"{text}{wrapped(NOTE)}\n"


def as_json(found: Mapping[str, Result]) -> str:
    """``{"format":"koth-rating/1","games":{"coup":[{…},…]},"all":[…],"note":"…"}``.

    ``all`` is there if there are several games.
    """
    value: dict[str, object] = {
        "format": FORMAT,
        "games": {game: objects(result) for game, result in found.items() if game != ALL},
    }
    if ALL in found:
        value["all"] = objects(found[ALL])
    return json.dumps(value | {"note": NOTE}, ensure_ascii=False, indent=1) + "\n"


def _matches(database: Database) -> list[tuple[str, Match]]:
    """The matches that count, in order, each with its game."""
    prepare(database)
    rows = database.connection.execute(
        "SELECT log, game, name, bot, "
        "rank() OVER (PARTITION BY log ORDER BY won DESC, score DESC) "
        "FROM seats() WHERE counts ORDER BY tournament, attempt_of(match), "
        "TRY_CAST(split_part(match, '-', 2) AS BIGINT), match, game, seal, log, seat"
    ).fetchall()
    return [
        (game, [((name, bot), rank) for _, _, name, bot, rank in seats])
        for (_, game), seats in groupby(rows, key=itemgetter(0, 1))
    ]


def _undamped(*match: object) -> float:
    """Weng and Lin's gamma, by which sigma falls."""
    return 1.0


def _link(pools: dict[Bot, set[Bot]], bots: Sequence[Bot]) -> None:
    """Make one pool of those that ``bots`` are in."""
    if not pools.get(bots[0], set()).issuperset(bots):
        pool = set(bots).union(*(pools.get(bot, ()) for bot in bots))
        pools.update(dict.fromkeys(pool, pool))


def _largest_first(pools: Mapping[Bot, set[Bot]]) -> list[set[Bot]]:
    """Each pool once."""
    distinct = {id(pool): pool for pool in pools.values()}.values()
    return sorted(distinct, key=lambda pool: (-len(pool), min(pool)))
