"""The sequential test on the scores of pairs: its laws, closed forms and errors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.experiment import sequential
from referee.experiment.sequential import Decision, SequentialTest, elo, expected, interval, mean
from schema.errors import UsageError

COUNTS = st.lists(st.integers(0, 300), min_size=5, max_size=5)
PLAYED = COUNTS.filter(any)
ELO = st.floats(-400, 400)


@example([1, 85, 0, 264, 124], [0.0, 1.0])
@given(COUNTS, st.lists(ELO, min_size=2, max_size=2, unique=True).map(sorted))
def test_exchanged_bots_mirror_the_result(counts: list[int], elos: list[float]) -> None:
    """If the bots are exchanged, the hypotheses and the ratio change their signs only."""
    low, high = elos
    ratio = SequentialTest(elo0=low, elo1=high).llr(counts)
    assert SequentialTest(elo0=-high, elo1=-low).llr(counts[::-1]) == pytest.approx(
        -ratio, abs=1e-7, rel=1e-7
    )


@pytest.mark.parametrize("elos", [(0, 50), (-50, 0)])
def test_the_ratio_is_that_of_the_most_likely_distributions(elos: tuple[float, float]) -> None:
    """The ratio for small counts is the one that bisection finds.

    After some, such as 0, 4, 0, 1, 0, the first step of Newton's method leads beside a pole.
    """
    for counts in itertools.product((0, 1, 4, 9), repeat=5):
        weights = [count + sequential.PRIOR for count in counts]
        losses = [lost_likelihood(weights, expected(elo)) for elo in elos]
        ratio = SequentialTest(elo0=elos[0], elo1=elos[1]).llr(counts)
        assert ratio == pytest.approx(losses[0] - losses[1], abs=1e-6), counts


@pytest.mark.parametrize("counts", [(1, 2, 4, 2, 1), (0, 4, 0, 1, 0), (90, 0, 30, 1, 40)])
def test_a_ratio_needs_few_steps(counts: Sequence[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve steps give the ratio that forty do, where bisection alone would not."""
    ratio = SequentialTest().llr(counts)
    monkeypatch.setattr(sequential, "STEPS", 12)
    assert SequentialTest().llr(counts) == pytest.approx(ratio, abs=1e-12, rel=1e-12)


def test_the_largest_difference_can_be_tested() -> None:
    """The bounds of the hypotheses are included."""
    assert SequentialTest(elo0=-1000, elo1=1000).decision([0, 0, 0, 0, 9]) is Decision.BETTER


def test_without_pairs_every_score_is_possible() -> None:
    """The interval without pairs excludes nothing."""
    assert interval([0] * 5) == (0, 1)


def lost_likelihood(weights: Sequence[float], score: float) -> float:
    """The log-likelihood that the most likely distribution with this mean score loses."""
    offsets = [other - score for other in sequential.SCORES]
    low, high = -1 / (1 - score), 1 / score
    for _ in range(60):
        tilt = (low + high) / 2
        terms = [w * d / (1 + tilt * d) for w, d in zip(weights, offsets, strict=True)]
        low, high = (tilt, high) if sum(terms) > 0 else (low, tilt)
    return sum(w * math.log(1 + tilt * d) for w, d in zip(weights, offsets, strict=True))


@given(PLAYED)
def test_the_interval_of_exchanged_bots_is_mirrored(counts: list[int]) -> None:
    """The interval holds the score, and exchanged bots have the rest of it up to 1."""
    low, high = interval(counts)
    assert 0 <= low <= high <= 1
    assert low <= mean(counts) <= high
    assert interval(counts[::-1]) == pytest.approx((1 - high, 1 - low), abs=1e-6)


@pytest.mark.parametrize(
    "counts", [(1, 2, 4, 2, 1), (0, 0, 1, 0, 1), (5, 1, 1, 1, 5), (9, 0, 0, 0, 1)]
)
def test_the_interval_of_many_pairs_has_1_96_standard_errors(counts: tuple[int, ...]) -> None:
    """The more pairs there are, the closer it is to that of the normal distribution."""
    many = [100_000 * count for count in counts]
    score = mean(many)
    squares = [(other - score) ** 2 for other in sequential.SCORES]
    variance = sum(n * square for n, square in zip(many, squares, strict=True)) / sum(many)
    error = 1.96 * math.sqrt(variance / sum(many))
    assert interval(many) == pytest.approx((score - error, score + error), abs=error / 200)


@given(COUNTS, st.integers(0, 3))
def test_a_better_score_is_better_evidence(counts: list[int], score: int) -> None:
    """A pair with a higher score gives a higher ratio, whatever was played before."""
    worse, better = counts[:], counts[:]
    worse[score] += 1
    better[score + 1] += 1
    test = SequentialTest()
    assert test.llr(worse) < test.llr(better)


@given(st.integers(1, 2000), st.integers(1, 2000), ELO, ELO)
def test_two_scores_have_a_closed_form(lost: int, won: int, elo0: float, elo1: float) -> None:
    """Pairs that are won or lost as a whole are coins: the ratio is that of Wald's test."""
    if elo1 - elo0 < 1:
        elo0, elo1 = min(elo0, elo1), max(elo0, elo1) + 1
    low, high = expected(elo0), expected(elo1)
    wald = won * math.log(high / low) + lost * math.log((1 - high) / (1 - low))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequential, "PRIOR", 1e-9)
        ratio = SequentialTest(elo0=elo0, elo1=elo1).llr([lost, 0, 0, 0, won])
    assert ratio == pytest.approx(wald, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("counts", [(10, 20, 30), (1, 90, 9), (40, 5, 60), (200, 1, 3)])
def test_three_scores_have_a_closed_form(
    counts: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the scores 0, ½ and 1, the most likely distribution comes from a quadratic equation."""
    lost, even, won = counts
    pairs = sum(counts)

    def most_likely(mean: float) -> float:
        # p½ = 2 (mean - p1) and p0 = 1 - p½ - p1. Set the derivative by p1 to zero:
        # won/p1 - 2 even/p½ + lost/p0 = 0 is quadratic in p1.
        base = 1 - 2 * mean
        a = -float(pairs)
        b = won * (mean - base) - even * base + lost * mean
        c = won * mean * base
        root = math.sqrt(b * b - 4 * a * c)
        values = []
        for p1 in ((-b + root) / (2 * a), (-b - root) / (2 * a)):
            p0, half = base + p1, 2 * (mean - p1)
            if min(p0, half, p1) > 0:
                logs = zip(counts, (p0, half, p1), strict=True)
                values.append(sum(n * math.log(p) for n, p in logs))
        return max(values)

    monkeypatch.setattr(sequential, "PRIOR", 1e-9)
    test = SequentialTest(elo1=100)
    expected_ratio = most_likely(expected(100)) - most_likely(expected(0))
    assert test.llr([lost, 0, even, 0, won]) == pytest.approx(expected_ratio, rel=1e-6)


@given(st.floats(0.001, 0.999))
def test_elo_and_score_are_inverse(score: float) -> None:
    """A score has one difference in Elo, and the other way round; none is finite for 0 and 1."""
    assert expected(elo(score)) == pytest.approx(score)
    assert (elo(0.0), elo(1.0)) == (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("counts", "decision"),
    [
        ([0, 0, 0, 0, 0], Decision.UNDECIDED),
        ([5, 0, 10, 0, 5], Decision.UNDECIDED),
        ([0, 0, 0, 0, 30], Decision.BETTER),
        ([30, 0, 0, 0, 0], Decision.NOT_BETTER),
        ([0, 0, 40, 0, 0], Decision.NOT_BETTER),
        ([60, 0, 150, 0, 120], Decision.BETTER),
    ],
)
def test_decisions(counts: list[int], decision: Decision) -> None:
    """Clear results are decided after few pairs, and bots that always share a pair, too."""
    assert SequentialTest().decision(counts) is decision


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"alpha": 0.5}, "--alpha: expected more than 0 and less than 0.5, found 0.5"),
        ({"alpha": 0.0}, "--alpha: expected more than 0 and less than 0.5, found 0"),
        ({"beta": math.nan}, "--beta: expected more than 0 and less than 0.5, found nan"),
        ({"elo0": 50.0}, "--elo0 and --elo1: expected -1000 ≤ elo0 < elo1 ≤ 1000, found 50 and 50"),
        ({"elo1": math.inf}, "found 0 and inf"),
    ],
)
def test_a_test_that_cannot_decide_is_refused(values: dict[str, float], message: str) -> None:
    """The message says what is expected."""
    with pytest.raises(UsageError, match=message):
        SequentialTest(**values)
