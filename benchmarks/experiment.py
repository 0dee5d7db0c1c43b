"""Errors and games of the sequential test of `koth try`, in simulated comparisons.

The scores of pairs come from three distributions: two independent games without draws, mirrored
pairs of which most are shared, as bots of Coup play them, and games with draws. Each is tilted to
the expected score of Elo 0 and of Elo 50. A comparison draws pairs until the test decides. The
calibration is a test with a fixed number of pairs and the measured errors, from the normal
distribution: ((z(alpha) s0 + z(beta) s1) / d)² pairs, with the standard deviations s0 and s1 and
the difference d of the expected scores. Many comparisons are computed at once, with numpy; the
test itself checks a part of their decisions. Seeds are fixed.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Figure, at_most, within
from referee.experiment.sequential import (
    PRIOR,
    SCORES,
    Decision,
    SequentialTest,
    expected,
    interval,
)

SIZE = 10_000
"""Comparisons of each distribution and each hypothesis."""

QUICK = 1_000

CHECKED = 1_000
"""Comparisons whose decision and interval the product's own functions compute, too."""

DISTRIBUTIONS = {
    "independent games": (0.25, 0.0, 0.5, 0.0, 0.25),
    "mirrored pairs": (0.18, 0.0, 0.64, 0.0, 0.18),
    "games with draws": (0.1, 0.2, 0.4, 0.2, 0.1),
}
TEST = SequentialTest()
NEWTON = 30

Array = NDArray[np.float64]
POINTS = np.array(SCORES)


def run(size: int) -> Iterator[Figure]:
    """Measure errors and mean numbers of pairs for each distribution and hypothesis."""
    for name, probabilities in DISTRIBUTIONS.items():
        means = [expected(elo) for elo in (TEST.elo0, TEST.elo1)]
        truths = [tilted(np.array(probabilities), mean) for mean in means]
        ended = [compared(truth, size, seed) for seed, truth in enumerate(truths)]
        better = [(llr(counts) > 0).mean() for counts in ended]
        errors = float(better[0]), float(1 - better[1])
        fixed = fixed_pairs(errors, truths, size)
        for elo, error, counts, mean in zip((0, 50), errors, ended, means, strict=True):
            yield Figure(f"{name}, Elo {elo}: wrong", error, "of all", goals=(at_most(0.05),))
            pairs = float(counts.sum(1).mean())
            goals = (within(0.6),)
            yield Figure(f"{name}, Elo {elo}: pairs", pairs, "pairs", "fixed number", fixed, goals)
            held = covered(counts[:CHECKED], mean)
            yield Figure(f"{name}, Elo {elo}: interval", held, "hold it")


def tilted(probabilities: Array, mean: float) -> Array:
    """Return the distribution with a given mean that is closest to another (exponential tilt)."""
    low, high = -50.0, 50.0
    for _ in range(100):
        middle = (low + high) / 2
        weights = probabilities * np.exp(middle * POINTS)
        low, high = (middle, high) if weights @ POINTS < mean * weights.sum() else (low, middle)
    return np.asarray(weights / weights.sum())


def compared(truth: Array, size: int, seed: int) -> Array:
    """Return the counts by score with which each comparison ends."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((size, len(SCORES)))
    playing = np.arange(size)
    low, high = TEST.bounds
    while playing.size:
        counts[playing, rng.choice(len(SCORES), playing.size, p=truth)] += 1
        ratio = llr(counts[playing])
        playing = playing[(ratio > low) & (ratio < high)]
    for row, ratio in zip(counts[:CHECKED], llr(counts[:CHECKED]), strict=True):
        decision = Decision.BETTER if ratio > 0 else Decision.NOT_BETTER
        assert TEST.decision([*map(int, row)]) is decision
    return counts


def llr(counts: Array) -> Array:
    """Return the log-likelihood ratios that ``SequentialTest.llr`` returns one by one."""
    return deficits(counts, expected(TEST.elo0)) - deficits(counts, expected(TEST.elo1))


def deficits(counts: Array, mean: float) -> Array:
    """Return the log-likelihoods that are lost if the mean score must be ``mean``."""
    weights, offsets = counts + PRIOR, POINTS - mean
    shares = weights / weights.sum(1, keepdims=True)
    low = ((shares - 1)[:, offsets > 0] / offsets[offsets > 0]).max(1)
    high = ((shares - 1)[:, offsets < 0] / offsets[offsets < 0]).min(1)
    tilt = np.zeros(len(counts))
    for _ in range(NEWTON):
        parts = offsets / (1 + tilt[:, None] * offsets)
        value, slope = (weights * parts).sum(1), (weights * parts * parts).sum(1)
        low, high = np.where(value > 0, tilt, low), np.where(value > 0, high, tilt)
        step = value / slope
        tilt = tilt + step
        if np.abs(step).max() < 1e-9:
            break
        tilt = np.where((tilt > low) & (tilt < high), tilt, (low + high) / 2)
    return np.asarray((weights * np.log1p(tilt[:, None] * offsets)).sum(1))


def fixed_pairs(errors: tuple[float, float], truths: list[Array], size: int) -> float:
    """Return the pairs of a test with a fixed number of them and these errors."""
    deviations = [sqrt(truth @ POINTS**2 - (truth @ POINTS) ** 2) for truth in truths]
    difference = float((truths[1] - truths[0]) @ POINTS)
    quantiles = [NormalDist().inv_cdf(1 - max(error, 0.5 / size)) for error in errors]
    spread = sum(z * deviation for z, deviation in zip(quantiles, deviations, strict=True))
    return float((spread / difference) ** 2)


def covered(counts: Array, mean: float) -> float:
    """Return the share of comparisons whose 95 % interval holds the expected score."""
    intervals = [interval([*map(int, row)]) for row in counts]
    return sum(low <= mean <= high for low, high in intervals) / len(intervals)
