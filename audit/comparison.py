"""Is one bot better than another? Judged by the matches in which both sat, paired by match.

Everything here is exact or in closed form; nothing is drawn at random. Sources: the sign test
(Conover, Practical Nonparametric Statistics, 3.4); Clopper and Pearson, Biometrika 26 (1934), whose
interval leaves out one half just when the test decides; Noether, JASA 82 (1987), for the number of
matches that the sign test needs to tell a stated share.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from statistics import NormalDist

from audit.leaderboard import beginning, prepare, wrapped
from audit.query import Result
from audit.result_format import as_table
from audit.tables import Database
from schema.errors import NothingToDo, UsageError
from schema.log_path import printable
from schema.registry import suggest

FORMAT = "koth-comparison/1"
LEVEL = 0.05
"""A verdict is given below this p; intervals are those of 95 %."""
POWER = 0.8
"""How probably the further matches tell a stated share."""
SHARES = (0.55, 0.6, 0.7)
"""Stated shares of the matches that are no tie."""
STATED = 0.6
"""The one of them that ``further`` is about."""
INTEGERS = 1000
"""Up to so many signs p is computed in integers; beyond, in floating point to nine digits."""

METHOD = (
    "p: exact two-sided sign test, ties left out. share, low, high: how often A was ahead where "
    "one of the two was, with the 95 % interval of Clopper and Pearson. difference: A's score "
    "less B's, per match, with Student's 95 % interval; none if all differences are equal. "
    "Further matches: Noether's formula for the sign test at 5 %, and the ties seen so far."
)


@dataclass(frozen=True)
class Bot:
    """A name, and the hash of its files."""

    name: str
    bot: str

    def __str__(self) -> str:
        return f"{self.name}@{self.bot[:8]}"


@dataclass(frozen=True)
class ScoreDifference:
    """The mean of A's score less B's, per match, with its 95 % interval if there is one."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Meetings:
    """Matches in which both sat. Ahead is who won while the other did not, or else scored more."""

    ahead: int
    """How often A was ahead."""
    behind: int
    ties: int
    difference: ScoreDifference | None
    """None for several games together: their scores have no common unit."""

    @property
    def matches(self) -> int:
        """How many."""
        return self.ahead + self.behind + self.ties

    @property
    def share(self) -> float | None:
        """How often A was ahead, of the matches in which one of the two was."""
        return self.ahead / (self.ahead + self.behind) if self.ahead + self.behind else None

    @property
    def p(self) -> float:
        """How likely it is that equals come out at least as far apart."""
        return sign_test(self.ahead, self.behind)

    def needed(self, share: float = STATED) -> int | None:
        """How many fresh matches tell with 80 % probability that one is ahead in this share.

        As many of them are taken to be ties as here. None if all were.
        """
        decided = self.ahead + self.behind
        if not decided:
            return None
        return math.ceil(Fraction(matches_needed(share) * self.matches, decided))


@dataclass(frozen=True)
class Comparison:
    """A against B."""

    a: Bot
    b: Bot
    games: dict[str, Meetings]
    """By game, for those in which they met."""
    together: Meetings
    """All of them."""

    @property
    def better(self) -> Bot | None:
        """Who is better, if that is decided."""
        if self.together.p >= LEVEL:
            return None
        return self.a if self.together.ahead > self.together.behind else self.b

    @property
    def further(self) -> int | None:
        """How many further matches tell a share of 60 %; 0 if the two are told apart already.

        They are judged by themselves: a test of all matches after a look at some of them would
        find a difference between equals more often than in 5 %.
        """
        return 0 if self.better is not None else self.together.needed()


def compare(database: Database, first: str, second: str) -> Comparison:
    """Compare two bots, each given as NAME, or as NAME@HASH where several have the name.

    Raises UsageError for a bot that is not here, and NothingToDo for two that never met.
    """
    prepare(database)
    a, b = _bot(database, first), _bot(database, second)
    if a == b:
        raise UsageError(f"{a} cannot be compared with itself; name two bots.")
    rows = database.connection.execute(
        "SELECT game, a.won::INT - b.won::INT, a.score::HUGEINT - b.score "
        "FROM seats() AS a JOIN seats() AS b USING (log, game) "
        "WHERE a.counts AND b.counts "
        "AND a.name = $a AND a.bot = $a_bot AND b.name = $b AND b.bot = $b_bot ORDER BY game",
        {"a": a.name, "a_bot": a.bot, "b": b.name, "b_bot": b.bot},
    ).fetchall()
    if not rows:
        raise NothingToDo(
            f"{a} and {b} never sat in one match that counts. `--rating` sets them in relation "
            "through other bots, if there are any that both met."
        )
    games = {
        game: _meetings(database, [(won, score) for _, won, score in found])
        for game, found in groupby(rows, key=itemgetter(0))
    }
    every = games.values()
    together = Meetings(
        sum(one.ahead for one in every),
        sum(one.behind for one in every),
        sum(one.ties for one in every),
        None,
    )
    return Comparison(a, b, games, together)


def sign_test(ahead: int, behind: int) -> float:
    """The exact two-sided p-value of so many signs each way, when both are equally likely."""
    most, n = max(ahead, behind), ahead + behind
    if n > INTEGERS:
        return min(1.0, 2 * _at_least(most, n, 0.5))
    return min(1.0, sum(math.comb(n, k) for k in range(most, n + 1)) * 2 / (1 << n))


def share_interval(ahead: int, behind: int) -> tuple[float, float]:
    """The 95 % interval of Clopper and Pearson of the share ``ahead / (ahead + behind)``."""
    n = ahead + behind
    return _lowest(ahead, n), 1 - _lowest(behind, n)


def matches_needed(share: float) -> int:
    """How many matches that are no tie give the sign test 80 % power, if one wins this share.

    Noether's formula, (z₀.₉₇₅ + z₀.₈)² ÷ (4 (share − ½)²), rounded up. ``share`` is not ½.
    """
    normal = NormalDist()
    z = normal.inv_cdf(1 - LEVEL / 2) + normal.inv_cdf(POWER)
    return math.ceil((z / (2 * share - 1)) ** 2)


def as_text(found: Comparison) -> str:
    """The table, the verdict, and how it was reached."""
    parts = [
        f"A is {printable(str(found.a))}, B is {printable(str(found.b))}; where both sat:\n\n",
        f"{as_table(_table(found))}\n",
        *(f"{wrapped(printable(line))}\n" for line in (*_verdict(found), *_contradictions(found))),
        f"\n{wrapped(METHOD)}\n",
    ]
    return "".join(parts)


def as_json(found: Comparison) -> str:
    """``{"format":"koth-comparison/1","a":{…},"b":{…},"games":{"coup":{…}},"all":{…}, …}``.

    ``verdict`` is ``a``, ``b`` or ``not decided``: who is better.
    """
    verdicts = {None: "not decided", found.a: "a", found.b: "b"}
    value = {
        "format": FORMAT,
        "a": {"name": found.a.name, "bot": found.a.bot},
        "b": {"name": found.b.name, "bot": found.b.bot},
        "games": {game: _numbers(one) for game, one in found.games.items()},
        "all": _numbers(found.together),
        "verdict": verdicts[found.better],
        "level": LEVEL,
        "power": POWER,
        "stated_share": STATED,
        "matches_needed": found.together.needed(),
        "matches_needed_by_share": {f"{one}": found.together.needed(one) for one in SHARES},
        "further_matches": found.further,
        "method": METHOD,
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _bot(database: Database, word: str) -> Bot:
    """The bot that ``word`` names."""
    rows = database.connection.execute("SELECT DISTINCT name, bot FROM seats() ORDER BY ALL")
    bots = [Bot(*row) for row in rows.fetchall()]
    name, _, hash = word.rpartition("@")
    named = [bot for bot in bots if bot.name == word] or [
        bot for bot in bots if bot.name == name and hash and bot.bot.startswith(hash)
    ]
    if len(named) == 1:
        return named[0]
    if named:
        hashes = [bot.bot for bot in named]
        choice = ", ".join(f"{bot.name}@{beginning(bot.bot, hashes)}" for bot in named)
        raise UsageError(f"'{word}' is the name of {len(named)} bots here; say which: {choice}.")
    names = list(dict.fromkeys(bot.name for bot in bots))
    raise UsageError(f"no bot '{word}' sat in a match here.{suggest(word, names)}")


def _meetings(database: Database, found: Sequence[tuple[int, int]]) -> Meetings:
    """From what the two differ by in each match: in winning (-1 to 1), and in score."""
    signs = [won or score for won, score in found]
    ahead, behind = sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)
    scores = [score for _, score in found]
    return Meetings(ahead, behind, len(found) - ahead - behind, _difference(database, scores))


def _difference(database: Database, scores: Sequence[int]) -> ScoreDifference:
    n, total = len(scores), sum(scores)
    mean = total / n
    # In integers up to here, so that the order of the matches is of no account.
    variance = Fraction(n * sum(one * one for one in scores) - total * total, n * max(1, n - 1))
    [(margin,)] = database.connection.execute(
        "SELECT student_margin(?, ?)", [math.sqrt(variance), n]
    ).fetchall()
    return ScoreDifference(
        mean, *((None, None) if margin is None else (mean - margin, mean + margin))
    )


def _at_least(k: int, n: int, p: float) -> float:
    """The probability of ``k`` or more of ``n``, each with probability ``p``; k is at least n p."""
    term = math.exp(
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        + k * math.log(p) + (n - k) * math.log1p(-p)
    )  # fmt: skip
    total = 0.0
    while term > total * 2**-60:
        total += term
        k += 1
        term *= (n - k + 1) / k * p / (1 - p)
    return total


def _lowest(k: int, n: int) -> float:
    """The least probability at which ``k`` or more of ``n`` are not too unlikely."""
    if k == 0:
        return 0.0
    low, high = 0.0, k / n
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if _at_least(k, n, middle) > LEVEL / 2 else (middle, high)
    return low


def _numbers(one: Meetings) -> dict[str, object]:
    low, high = share_interval(one.ahead, one.behind)
    value: dict[str, object] = {
        "matches": one.matches,
        "ahead": one.ahead,
        "behind": one.behind,
        "ties": one.ties,
        "share": None if one.share is None else round(one.share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "p": float(f"{one.p:.4g}"),
    }
    if one.difference is not None:
        found = one.difference
        value |= {
            "difference": round(found.mean, 4),
            "difference_low": None if found.low is None else round(found.low, 4),
            "difference_high": None if found.high is None else round(found.high, 4),
        }
    return value


def _table(found: Comparison) -> Result:
    lines = [{"game": game, **_numbers(one)} for game, one in found.games.items()]
    columns = tuple(lines[0])
    if len(lines) > 1:
        lines.append({"game": "all games", **_numbers(found.together)})
    return Result(columns, [tuple(line.get(name) for name in columns) for line in lines])


def _verdict(found: Comparison) -> list[str]:
    """Who is better, with the share and its interval; and how many further matches would tell."""
    one = found.together
    p = f"p = {one.p:.4f}" if one.p >= 0.0001 else "p < 0.0001"
    decided = one.ahead + one.behind
    low, high = share_interval(one.ahead, one.behind)
    if found.better is not None:
        other = found.b if found.better == found.a else found.a
        most, (low, high) = max((one.ahead, (low, high)), (one.behind, (1 - high, 1 - low)))
        return [
            f"{found.better} is better than {other}: ahead in {most} of {decided} matches that "
            f"were no tie, {p}; {_percent(most / decided)} (95 % interval: {_percent(low)} to "
            f"{_percent(high)})."
        ]
    if one.share is None:
        ties = "the match was a tie" if one.matches == 1 else f"all {one.matches} matches were ties"
        return [f"Not decided: {ties}."]
    needed = {share: one.needed(share) for share in SHARES}
    others = ", ".join(f"{needed[share]} for {share:.0%}" for share in SHARES if share != STATED)
    return [
        f"Not decided: A was ahead in {one.ahead} of {decided} matches that were no tie, {p}; "
        f"{_percent(one.share)} (95 % interval: {_percent(low)} to {_percent(high)}).",
        f"If one of the two is ahead in {STATED:.0%} of such matches in the long run, about "
        f"{found.further} further matches, judged by themselves, show it with a probability of "
        f"{POWER:.0%} ({others}).",
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _contradictions(found: Comparison) -> list[str]:
    """Where who was ahead more often has clearly the lower score."""
    lines = []
    for game, one in found.games.items():
        gap = one.difference
        if gap is None or gap.low is None or gap.high is None or one.ahead == one.behind:
            continue
        if (one.ahead > one.behind and gap.high < 0) or (one.ahead < one.behind and gap.low > 0):
            more, less = (found.b, found.a) if gap.mean < 0 else (found.a, found.b)
            lines.append(
                f"But in {game} {more} scores more than {less}, although less often ahead."
            )
    return lines
