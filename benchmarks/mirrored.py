"""Games that a comparison of two Coup bots needs: mirrored pairs against independent games.

Two bots play mirrored rounds (CP-21). A game's score is the first bot's points minus the second's.
With x and y as the scores of a pair's games, the mean of a pair has the variance
(Var x + Var y + 2 Cov(x, y)) / 4. Each game alone has dice like any other, so the mean of two games
with dice of their own has (Var x + Var y) / 4. The number of games for a given standard error is
proportional to the variance: the ratio is the share of games that mirrored pairs need. Its interval
is a bootstrap over pairs. Seeds are fixed: the figures are the same on every machine.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import covariance, quantiles, variance
from typing import Any

from benchmarks.measure import Figure
from koth.workers import workers
from referee import tournament
from referee.roster.resolve import resolve
from schema import discovery, registry
from schema.executor import Mapper
from schema.reader import read

SIZE = 500
"""Mirrored pairs of games of each two bots."""

QUICK = 30

OPPONENTS = (
    ("lawyer", "bold_lawyer"),
    ("lawyer", "statistician"),
    ("taxman", "bandit"),
    ("gambler", "turncoat"),
    ("bandit", "bloody_murder"),
    ("challenger", "random_player"),
)
SEED = "5" * 64
RESAMPLES = 2_000
CARD = registry.card("coup")

Pair = tuple[int, int]
"""The scores of both games of a pair."""


def run(size: int) -> Iterator[Figure]:
    """Measure the variance of a pair's mean score for each two bots, and for all together."""
    samples: list[list[Pair]] = []
    with workers(2) as mapper:
        for bots in OPPONENTS:
            samples.append(scores(bots, size, mapper))
            yield figure(" against ".join(bots), samples[-1:])
    yield figure("all together", samples)


def scores(bots: tuple[str, str], rounds: int, mapper: Mapper) -> list[Pair]:
    """Play mirrored rounds between two example bots, and return the scores of each pair."""
    players = resolve([f"examples/{bot}" for bot in bots], CARD)
    settings = CARD.settings({"rounds": rounds, "mirrored": 1})
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "cup"
        planned = tournament.plan(CARD, players, settings, SEED, None, folder, "process")
        tournament.play(planned, mapper, lambda done, total: None)
        log = read(folder / discovery.TOURNAMENT)
    events: Sequence[Mapping[str, Any]] = log.events
    results = [event["scores"] for event in events if event["type"] == "match_played"]
    differences = [first - second for first, second in results]
    # In the second game of a pair the bots have exchanged seats.
    return [(x, -y) for x, y in zip(differences[::2], differences[1::2], strict=True)]


def figure(name: str, samples: Sequence[Sequence[Pair]]) -> Figure:
    """Return the variance in mirrored pairs, beside that in independent games."""
    mirrored, independent = variances(samples)
    rng = random.Random(name)
    ratios = []
    for _ in range(RESAMPLES):
        resampled = [rng.choices(sample, k=len(sample)) for sample in samples]
        above, below = variances(resampled)
        ratios.append(above / below if below else 1.0)
    low, *_, high = quantiles(ratios, n=40)
    return Figure(name, mirrored, "score²", "independent games", independent, interval=(low, high))


def variances(samples: Sequence[Sequence[Pair]]) -> tuple[float, float]:
    """Return the mean variance of a pair's mean: of mirrored pairs, and of independent games."""
    mirrored = independent = 0.0
    for sample in samples:
        first, second = zip(*sample, strict=True)
        own = (variance(first) + variance(second)) / 4
        independent += own / len(samples)
        mirrored += (own + covariance(first, second) / 2) / len(samples)
    return mirrored, independent
