"""Fuzzing: ``koth verify`` gives every changed log a verdict, and never a wrong one.

In the suite this is a sample. ``KOTH_FUZZ=100 python -m pytest tests/fuzz`` flips every bit and
draws a hundred times as many examples.
"""

from __future__ import annotations

from tests.corpus.honest import GAMES, Honest, holding, plain
from tests.sampling import FACTOR, LONG_RUN

EXAMPLES = (100 if LONG_RUN else 30) * FACTOR

LOGS: dict[str, Honest] = {
    **{game: plain(game) for game in GAMES},
    "tournament": holding("smallest_unique", "match_played", "tournament"),
}
"""Small logs that verify: one per game, and the log of a tournament."""
