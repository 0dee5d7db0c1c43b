"""A sequential test on the scores of pairs of matches.

Both matches of a pair have the same dice, so their results depend on each other. The pair is
therefore the unit, with five scores from 0 to 1. Nothing else is assumed about their distribution:
under each hypothesis it is the most likely one with the expected score of that hypothesis.

Sources:

- the bounds: Wald, Sequential Tests of Statistical Hypotheses, Ann. Math. Statist. 16 (1945);
- the test, with estimates for unknown parameters (GSPRT): Li, Liu and Ying, Generalized Sequential
  Probability Ratio Test for Separate Families of Hypotheses, Sequential Analysis 33 (2014);
- the five scores of a pair (pentanomial model), as Fishtest uses them:
  https://official-stockfish.github.io/docs/fishtest-wiki/Fishtest-Mathematics.html;
- the most likely distribution with a given mean, and the interval: Owen, Empirical likelihood ratio
  confidence intervals for a single functional, Biometrika 75 (1988).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

from schema.errors import UsageError

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores of a pair, by quarters won."""

PRIOR = 0.1
"""Pairs of each score that are assumed beforehand, so that no unseen score is impossible."""

STEPS = 40
"""Maximum steps of an iteration; Newton's method needs about six."""

EXACT = 1e-12
"""The size of the last step of Newton's method."""

MOST_ELO = 1000
"""Maximum difference that can be tested: a score of 99.7 %."""

LEVEL = 0.95
"""The confidence level of intervals."""

Counts = Sequence[int]
"""Number of pairs by score, in the order of ``SCORES``."""


class Decision(StrEnum):
    """The result of a test."""

    BETTER = "better"
    """The difference is rather ``elo1`` than ``elo0``."""
    NOT_BETTER = "not better"
    """The difference is rather ``elo0`` than ``elo1``."""
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class SequentialTest:
    """A test of the hypothesis that a bot is ``elo1`` stronger, against ``elo0``.

    ``alpha`` is the probability to decide for ``elo1`` if ``elo0`` is true, and ``beta`` that to
    decide for ``elo0`` if ``elo1`` is true.
    """

    alpha: float = 0.05
    beta: float = 0.05
    elo0: float = 0.0
    elo1: float = 50.0

    def __post_init__(self) -> None:
        """Raise UsageError for a test that cannot decide."""
        for name, probability in ("alpha", self.alpha), ("beta", self.beta):
            if not 0 < probability < 0.5:
                raise UsageError(
                    f"--{name}: expected more than 0 and less than 0.5, found {probability:g}."
                )
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise UsageError(
                f"--elo0 and --elo1: expected {-MOST_ELO} ≤ elo0 < elo1 ≤ {MOST_ELO}, found "
                f"{self.elo0:g} and {self.elo1:g}."
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends.

        Wald's usual bounds, log (β ÷ (1 - α)) and log ((1 - β) ÷ α), are a little closer. These
        bound the errors even without his approximation.
        """
        return math.log(self.beta), -math.log(self.alpha)

    def llr(self, counts: Counts) -> float:
        """Return the log-likelihood ratio of ``elo1`` to ``elo0`` after these pairs."""
        weights = _weights(counts)
        return _deficit(weights, expected(self.elo0)) - _deficit(weights, expected(self.elo1))

    def decision(self, counts: Counts) -> Decision:
        """Return the decision after these pairs."""
        llr, (lower, upper) = self.llr(counts), self.bounds
        if llr >= upper:
            return Decision.BETTER
        return Decision.NOT_BETTER if llr <= lower else Decision.UNDECIDED


def expected(elo: float) -> float:
    """Return the expected score, from 0 to 1, for a difference in Elo."""
    return 1 / (1 + math.pow(10, -elo / 400))


def elo(score: float) -> float:
    """Return the difference in Elo for an expected score; infinite for 0 and 1."""
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def mean(counts: Sequence[float]) -> float:
    """Return the mean score of one pair or more; the counts may be weights."""
    products = (count * score for count, score in zip(counts, SCORES, strict=True))
    return sum(products) / sum(counts)


def interval(counts: Counts) -> tuple[float, float]:
    """Return the 95 % interval of the expected score after a fixed number of pairs.

    It holds the scores that the likelihood ratio test does not reject. Without pairs it is (0, 1).
    It always holds the mean score, to which it is extended: after few pairs, the prior of the test
    (``PRIOR``) draws it to one half, away from a mean near 0 or 1.
    """
    if not any(counts):
        return 0.0, 1.0
    weights, score = _weights(counts), mean(counts)
    centre, most = mean(weights), NormalDist().inv_cdf((1 + LEVEL) / 2) ** 2 / 2
    low, high = _edge(weights, centre, 0.0, most), _edge(weights, centre, 1.0, most)
    return min(low, score), max(high, score)


def _edge(weights: Sequence[float], inner: float, outer: float, most: float) -> float:
    """Return the score between ``inner`` and ``outer`` with the deficit ``most``, by bisection."""
    for _ in range(STEPS):
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if _deficit(weights, middle) <= most else (inner, middle)
    return inner


def _weights(counts: Counts) -> list[float]:
    return [count + PRIOR for count in counts]


def _deficit(weights: Sequence[float], expected: float) -> float:
    """Return the log-likelihood that the data lose if the mean score must be ``expected``.

    The most likely distribution with this mean gives a score x the probability w ÷ (1 + t (x - m)),
    with its relative frequency w (Owen, formula 2.3). The equation for t has one root, because the
    sum falls in t; Newton's method finds it, with bisection where a step would leave the bracket.
    No probability is above 1, which keeps the bracket away from the poles: beside a pole, Newton's
    steps are as small as at the root.
    """
    total, offsets = sum(weights), (score - expected for score in SCORES)
    terms = [*zip(weights, offsets, strict=True)]
    low = max((weight / total - 1) / offset for weight, offset in terms if offset > 0)
    high = min((weight / total - 1) / offset for weight, offset in terms if offset < 0)
    tilt = 0.0
    for _ in range(STEPS):
        value = slope = 0.0
        for weight, offset in terms:
            part = offset / (1 + tilt * offset)
            value += weight * part
            slope += weight * part * part
        low, high = (tilt, high) if value > 0 else (low, tilt)
        step = value / slope
        tilt += step
        if abs(step) < EXACT:
            break
        if not low < tilt < high:
            tilt = (low + high) / 2
    return sum(weight * math.log1p(tilt * offset) for weight, offset in terms)
