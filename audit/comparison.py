"""Compare two bots by the matches in which both played, paired by match.

All results are exact or in closed form, without random numbers. Sources:

- the sign test: Conover, Practical Nonparametric Statistics, 3.4;
- the interval of a share: Clopper and Pearson, Biometrika 26 (1934). It excludes one half exactly
  when the sign test decides;
- the number of matches that the sign test needs: Noether, JASA 82 (1987).
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

from audit.leaderboard import prepare, short_hashes, table, what_counts, wrapped
from audit.query import Result
from audit.tables import Database
from schema.errors import NothingToDo, UsageError
from schema.log_path import printable
from schema.words import suggest

FORMAT = "koth-comparison/1"
LEVEL = 0.05
"""Significance level: one bot is better if p is below it; intervals are 95 %."""
POWER = 0.8
"""Probability with which the further matches show that a bot is ahead."""
SHARES = (0.55, 0.6, 0.7)
"""Assumed shares, among the matches that are no tie, of the better bot."""
STATED = 0.6
"""The assumed share for ``further``."""
INTEGERS = 1000
"""Maximum number of matches for integer arithmetic; above, p has nine correct digits."""

METHOD = (
    "p: exact two-sided sign test without ties. share, low, high: A's share of the matches that "
    "were no tie, with its 95 % Clopper-Pearson interval. difference: A's score minus B's per "
    "match, with its 95 % Student's t interval; none if all differences are equal. Matches that "
    "share their dice count as one, with the sum of their differences. Further "
    "matches: Noether's formula for the sign test at 5 %, with the share of ties so far."
)


@dataclass(frozen=True)
class Bot:
    """A bot by its name and the hash of its files."""

    name: str
    bot: str

    def __str__(self) -> str:
        return f"{self.name}@{self.bot[:8]}"


@dataclass(frozen=True)
class ScoreDifference:
    """The mean of A's score minus B's per match, with its 95 % interval if it has one."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Meetings:
    """Matches in which both played; a bot is ahead if it won alone, or else scored more."""

    ahead: int
    """Number of matches in which A was ahead."""
    behind: int
    ties: int
    difference: ScoreDifference | None
    """None for several games together: their scores have no common unit."""

    @property
    def matches(self) -> int:
        """Number of matches."""
        return self.decided + self.ties

    @property
    def decided(self) -> int:
        """Number of matches that were no tie."""
        return self.ahead + self.behind

    @property
    def share(self) -> float | None:
        """A's share of the matches that were no tie; None if all were."""
        return self.ahead / self.decided if self.decided else None

    @property
    def p(self) -> float:
        """The two-sided p-value of the sign test."""
        return sign_test(self.ahead, self.behind)

    def needed(self, share: float = STATED) -> int | None:
        """Return the number of new matches that show, with 80 % power, a true share of ``share``.

        The formula assumes the share of ties so far; None if all matches were ties.
        """
        if not self.decided:
            return None
        return math.ceil(Fraction(matches_needed(share) * self.matches, self.decided))


@dataclass(frozen=True)
class Comparison:
    """The comparison of the bots A and B."""

    a: Bot
    b: Bot
    games: dict[str, Meetings]
    """Their matches, by game."""
    together: Meetings
    """Their matches in all games."""

    @property
    def better(self) -> Bot | None:
        """The better bot, if the test decides."""
        if self.together.p >= LEVEL:
            return None
        return self.a if self.together.ahead > self.together.behind else self.b

    @property
    def further(self) -> int | None:
        """Number of further matches that show a share of 60 %; 0 if the test already decides.

        They must be tested without the earlier matches: a test repeated on a growing set finds a
        difference between equal bots in more than 5 % of cases.
        """
        return 0 if self.better is not None else self.together.needed()


def compare(database: Database, first: str, second: str) -> Comparison:
    """Compare two bots, each written as NAME, or as NAME@HASH if several have the name.

    Raises UsageError for an unknown bot, and NothingToDo if the two never played each other.
    """
    prepare(database)
    a, b = _bot(database, first), _bot(database, second)
    if a == b:
        raise UsageError(f"{a} cannot be compared with itself; name two bots.")
    rows = database.rows(
        "SELECT game, sum(a.won::INT - b.won::INT)::BIGINT, sum(a.score::HUGEINT - b.score) "
        "FROM seats() AS a JOIN seats() AS b USING (log, game) JOIN matches USING (log, game) "
        "WHERE a.counts AND b.counts "
        "AND a.name = $a AND a.bot = $a_bot AND b.name = $b AND b.bot = $b_bot "
        "GROUP BY game, coalesce(seed_commitment, log::VARCHAR) ORDER BY game",
        {"a": a.name, "a_bot": a.bot, "b": b.name, "b_bot": b.bot},
    )
    if not rows:
        raise NothingToDo(
            f"{a} and {b} never played in the same match that counts. `--rating` compares them "
            "through other bots that both met in such matches, if any exist. "
            f"{what_counts(database)}"
        )
    games = {
        game: _meetings(database, [(won, score) for _, won, score in group])
        for game, group in groupby(rows, key=itemgetter(0))
    }
    counts = [(meetings.ahead, meetings.behind, meetings.ties) for meetings in games.values()]
    ahead, behind, ties = map(sum, zip(*counts, strict=True))
    return Comparison(a, b, games, Meetings(ahead, behind, ties, None))


def sign_test(ahead: int, behind: int) -> float:
    """Return the exact two-sided p-value of this many positive and negative signs."""
    most, n = max(ahead, behind), ahead + behind
    if n > INTEGERS:
        return min(1.0, 2 * _at_least(most, n, 0.5))
    return min(1.0, sum(math.comb(n, k) for k in range(most, n + 1)) * 2 / (1 << n))


def share_interval(ahead: int, behind: int) -> tuple[float, float]:
    """Return the 95 % Clopper-Pearson interval of the share ``ahead / (ahead + behind)``."""
    n = ahead + behind
    return _lowest(ahead, n), 1 - _lowest(behind, n)


def matches_needed(share: float) -> int:
    """Return the number of matches without ties that give the sign test 80 % power.

    One bot wins ``share`` of them, which must not be ½. Noether's formula,
    (z₀.₉₇₅ + z₀.₈)² ÷ (4 (share − ½)²), rounded up.
    """
    normal = NormalDist()
    z = normal.inv_cdf(1 - LEVEL / 2) + normal.inv_cdf(POWER)
    return math.ceil((z / (2 * share - 1)) ** 2)


def as_text(comparison: Comparison) -> str:
    """Return the table, the verdict and the method."""
    a, b = printable(str(comparison.a)), printable(str(comparison.b))
    sentences = [*_verdict(comparison), *_contradictions(comparison)]
    parts = [
        f"A is {a}, B is {b}. Matches in which both played:\n\n",
        f"{table(_table(comparison))}\n",
        *(f"{wrapped(printable(sentence))}\n" for sentence in sentences),
        f"\n{wrapped(METHOD)}\n",
    ]
    return "".join(parts)


def as_json(comparison: Comparison) -> str:
    """Return ``{"format":"koth-comparison/1","a":{…},"b":{…},"games":{"coup":{…}},"all":{…}, …}``.

    ``verdict`` names the better bot: ``a``, ``b`` or ``not decided``.
    """
    a, b, together = comparison.a, comparison.b, comparison.together
    verdicts = {None: "not decided", a: "a", b: "b"}
    value = {
        "format": FORMAT,
        "a": {"name": a.name, "bot": a.bot},
        "b": {"name": b.name, "bot": b.bot},
        "games": {game: _numbers(meetings) for game, meetings in comparison.games.items()},
        "all": _numbers(together),
        "verdict": verdicts[comparison.better],
        "level": LEVEL,
        "power": POWER,
        "stated_share": STATED,
        "matches_needed": together.needed(),
        "matches_needed_by_share": {f"{share}": together.needed(share) for share in SHARES},
        "further_matches": comparison.further,
        "method": METHOD,
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _bot(database: Database, word: str) -> Bot:
    """Return the bot that ``word`` names. Raises UsageError if none or several match."""
    rows = database.execute("SELECT DISTINCT name, bot FROM seats() ORDER BY ALL")
    bots = [Bot(*row) for row in rows.fetchall()]
    name, _, hash = word.rpartition("@")
    matching = [bot for bot in bots if bot.name == word] or [
        bot for bot in bots if bot.name == name and hash and bot.bot.startswith(hash)
    ]
    if len(matching) == 1:
        return matching[0]
    if matching:
        short = short_hashes(bot.bot for bot in matching)
        choice = ", ".join(f"{bot.name}@{short[bot.bot]}" for bot in matching)
        raise UsageError(f"{len(matching)} bots are called '{word}'; name one of them: {choice}.")
    names = list(dict.fromkeys(bot.name for bot in bots))
    raise UsageError(f"no bot '{word}' played in these matches.{suggest(word, names)}")


def _meetings(database: Database, differences: Sequence[tuple[int, int]]) -> Meetings:
    """Count matches, each given by A's difference to B in winning (-1 to 1) and in score."""
    signs = [won or score for won, score in differences]
    ahead, behind = sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)
    scores = [score for _, score in differences]
    return Meetings(ahead, behind, len(signs) - ahead - behind, _difference(database, scores))


def _difference(database: Database, scores: Sequence[int]) -> ScoreDifference:
    n, total = len(scores), sum(scores)
    mean = total / n
    # Integers, so that the order of the matches does not change the result.
    variance = Fraction(n * sum(s * s for s in scores) - total * total, n * max(1, n - 1))
    [(margin,)] = database.rows("SELECT student_margin(?, ?)", [math.sqrt(variance), n])
    return ScoreDifference(
        mean, *((None, None) if margin is None else (mean - margin, mean + margin))
    )


def _at_least(k: int, n: int, p: float) -> float:
    """Return P(X ≥ k) for X binomial with ``n`` and ``p``; ``k`` must be at least n p."""
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
    """Return the lower Clopper-Pearson bound for ``k`` of ``n``, by bisection."""
    if k == 0:
        return 0.0
    low, high = 0.0, k / n
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if _at_least(k, n, middle) > LEVEL / 2 else (middle, high)
    return low


def _numbers(meetings: Meetings) -> dict[str, object]:
    low, high = share_interval(meetings.ahead, meetings.behind)
    numbers: dict[str, object] = {
        "matches": meetings.matches,
        "ahead": meetings.ahead,
        "behind": meetings.behind,
        "ties": meetings.ties,
        "share": _round(meetings.share),
        "low": _round(low),
        "high": _round(high),
        "p": float(f"{meetings.p:.4g}"),
    }
    if difference := meetings.difference:
        numbers |= {
            "difference": _round(difference.mean),
            "difference_low": _round(difference.low),
            "difference_high": _round(difference.high),
        }
    return numbers


def _round(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def _table(comparison: Comparison) -> Result:
    rows = [{"game": game, **_numbers(meetings)} for game, meetings in comparison.games.items()]
    columns = tuple(rows[0])
    if len(rows) > 1:
        rows.append({"game": "all games", **_numbers(comparison.together)})
    return Result(columns, [tuple(row.get(name) for name in columns) for row in rows])


def _verdict(comparison: Comparison) -> list[str]:
    """Return sentences: the better bot and its share, or the number of further matches needed."""
    total = comparison.together
    p = f"p = {total.p:.4f}" if total.p >= 0.0001 else "p < 0.0001"
    low, high = share_interval(total.ahead, total.behind)
    if better := comparison.better:
        other = comparison.b if better == comparison.a else comparison.a
        most, (low, high) = max((total.ahead, (low, high)), (total.behind, (1 - high, 1 - low)))
        return [
            f"{better} is better than {other}: ahead in {most} of {total.decided} matches that "
            f"were no tie, {p}; {_percent(most / total.decided)} (95 % interval: {_percent(low)} "
            f"to {_percent(high)})."
        ]
    if total.share is None:
        all_ties = f"all {total.matches} matches were ties"
        return [f"Not decided: {'the match was a tie' if total.matches == 1 else all_ties}."]
    others = ", ".join(
        f"{total.needed(share)} for {_percent(share, 0)}" for share in SHARES if share != STATED
    )
    return [
        f"Not decided: A was ahead in {total.ahead} of {total.decided} matches that were no tie, "
        f"{p}; {_percent(total.share)} (95 % interval: {_percent(low)} to {_percent(high)}).",
        f"If one of the two is ahead in {_percent(STATED, 0)} of such matches in the long run, "
        f"about {comparison.further} further matches, tested without these, show it with a "
        f"probability of {_percent(POWER, 0)} ({others}).",
    ]


def _percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f} %"


def _contradictions(comparison: Comparison) -> list[str]:
    """Return a sentence for each game in which the bot less often ahead scores more."""
    a, b = comparison.a, comparison.b
    sentences = []
    for game, meetings in comparison.games.items():
        gap, lead = meetings.difference, meetings.ahead - meetings.behind
        if gap is None or gap.low is None or gap.high is None:
            continue
        if (lead > 0 and gap.high < 0) or (lead < 0 and gap.low > 0):
            more, less = (b, a) if gap.mean < 0 else (a, b)
            sentences.append(
                f"But in {game} {more} scores more than {less}, although it is less often ahead."
            )
    return sentences
