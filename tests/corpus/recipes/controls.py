"""Logs with which nothing is wrong, so that a verifier that refuses everything is found, too."""

from __future__ import annotations

from tests.corpus.entries import add
from tests.corpus.honest import GAMES, holding, plain, tournament

for game in GAMES:
    add(
        f"honest_match_of_{game}",
        "Nothing was done to this match.",
        "verified",
        lambda game=game: plain(game).data,
    )
    add(
        f"honest_match_of_{game}_with_a_fault",
        "Nothing was done to this match, in which somebody failed.",
        "verified",
        lambda game=game: holding(game, "fault").data,
    )
    add(
        f"honest_tournament_of_{game}",
        "Nothing was done to this tournament.",
        "verified",
        lambda game=game: tournament(game),
    )

add(
    "honest_tournament_begun_again",
    "Nothing was done to the log of this tournament, which was begun again after a fault.",
    "verified",
    lambda: holding("smallest_unique", "voided", "tournament").data,
)
