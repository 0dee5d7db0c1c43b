"""Golden logs of Coins: actions of the players, turn by turn."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from typing import Any

from games.table import Answer, Ask, Fault, Match, Reply, Result
from schema import seal
from tests.factories import (
    SEED,
    Events,
    at_random,
    match_events,
    printed,
    sealed,
    tournament_events,
)
from tests.golden.recipes import Recipe


def match(
    *said: str | Reply, players: int = 2, rounds: int = 0, wanted: Callable[[Events], bool]
) -> Recipe:
    """A game in which the players say this, in turn, under the lowest seed that gives ``wanted``.

    When all is said, everybody passes; a round is as long as there are players.
    """

    def make() -> bytes:
        for number in count():
            left = list(said)

            def play(ask: Ask) -> Reply:
                one = left.pop(0) if left else "NNN"  # noqa: B023
                return printed(one) if isinstance(one, str) else one

            seed = f"{number:064x}"
            turns = rounds or max(1, -(-len(said) // players))
            events = match_events(play, seed, "coins", players, rounds=turns)
            if wanted(events):
                return sealed(events, seed)
        raise AssertionError("no end")

    return Recipe(make, wanted)


def acted(events: Events) -> Events:
    """The turns of a game."""
    return [event for event in events if event["type"] == "acted"]


def of_turn(number: int, field: str) -> Callable[[Events], Any]:
    """A field of a turn, from 0."""
    return lambda events: acted(events)[number][field]


def ends(events: Events, reason: str) -> bool:
    """Whether a game ends for this reason."""
    return any(event.get("reason") == reason for event in events)


def kinds(events: Events) -> list[str]:
    """The kinds of the faults of a game."""
    return [event["kind"] for event in events if event["type"] == "fault"]


def at_random_for_many_rounds() -> bytes:
    """Five players at random, to the end."""
    events = match_events(at_random(random.Random(7)), SEED, "coins", 5, rounds=50)
    return sealed(events)


def tournament_with_equal_sums() -> bytes:
    """The sealed log of a tournament with made-up results, in which two are first."""
    names = ["rotator", "passive", "saboteur"]
    scores = iter([(5, -3, 10), (5, 0, 2), (0, 13, -14)])
    return sealed(
        tournament_events(lambda match: ended(match, next(scores)), names, game="coins", games=3)
    )


def ended(match: Match, scores: tuple[int, int, int]) -> Result:
    """A game that ended with these scores; in the last one a bot was too slow."""
    winners = (scores.index(max(scores)),)
    faults = ((2, "timeout"),) if min(scores) == -14 else ()
    digest = seal.hex_digest(match.id.encode())
    return Result("rounds_played", scores, winners, faults, digest)


RECIPES = {
    "rotation_with_an_empty_pile": match(
        "3FF",
        "NNN",
        "R1T",
        players=3,
        wanted=lambda events: sorted(acted(events)[2]["flipped"]) == [0, 0, 2],
    ),
    "rotation_back_and_forth": match(
        "3NF",
        "2FF",
        "RTR",
        "TTT",
        wanted=lambda events: acted(events)[1]["flipped"] == acted(events)[3]["flipped"],
    ),
    "centre_emptied_ends_the_game": match(
        *["333"] * 20, rounds=50, wanted=lambda events: ends(events, "centre_empty")
    ),
    "centre_emptied_and_refilled_in_the_same_turn": match(
        *["333", "333", "33A", "3NN"],
        rounds=5,
        wanted=lambda events: (
            any(turn["actions"] == "33A" and turn["centre"] == 1 for turn in acted(events))
            and ends(events, "centre_empty")
        ),
    ),
    "more_is_asked_for_than_there_is": match(
        "1CF",
        "FZU",
        wanted=lambda events: (
            of_turn(0, "unflipped")(events) == [0, 0] and of_turn(1, "points")(events) == [0, 0]
        ),
    ),
    "coins_removed_and_unflipped": match(
        "3XF", "2FU", "ZNN", "YNN", wanted=lambda events: ends(events, "rounds_played")
    ),
    "garbage_counts_as_nothing": match(
        "12",
        "1234",
        "abc",
        "1 2",
        Answer({"output": b"\xff12"}),
        "",
        "  TRF\r\n",
        "１２３",
        wanted=lambda events: kinds(events) == ["illegal"] * 7,
    ),
    "timeout_crash_and_oversize_count_as_nothing": match(
        Fault("timeout"),
        Fault("crash", {"output": b"333"}),
        Fault("oversize", {"output": b"3" * (64 * 1024 + 1)}),
        "3FF",
        wanted=lambda events: kinds(events) == ["timeout", "crash", "oversize"],
    ),
    "equal_points_share_the_win": match(
        "1NN",
        "1NN",
        wanted=lambda events: events[-1].get("winners", events[-2].get("winners")) == [0, 1],
    ),
    "sixty_players": match(
        "333", players=60, wanted=lambda events: acted(events)[0]["centre"] > 2**59
    ),
    "many_turns_at_random": Recipe(
        at_random_for_many_rounds,
        lambda events: "R" in "".join(e["actions"] for e in acted(events)),
    ),
    "tournament_with_equal_sums": Recipe(
        tournament_with_equal_sums,
        lambda events: [line["rank"] for line in events[-2]["standings"]] == [1, 1, 3],
    ),
}
