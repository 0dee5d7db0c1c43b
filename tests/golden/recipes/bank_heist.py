"""Golden logs of Bank Heist: bets and actions of each player, and the seed that they need."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from games.table import Answer, Ask, Fault, Match, Reply, Result
from schema import seal
from tests.factories import (
    Events,
    Player,
    at_random,
    match_events,
    printed,
    sealed,
    tournament_events,
)
from tests.golden.recipes import Recipe

Plan = tuple[str | Reply, str | Reply]
"""A player's answers in the two rounds of every game."""


def match(
    *plans: Plan, wanted: Callable[[Events], bool], games: int = 1, rabble: int = 0, **settings: Any
) -> Recipe:
    """A match of players with these plans, under the lowest seed that gives ``wanted``."""

    def play(ask: Ask) -> Reply:
        said = plans[ask.seat][ask.name == "action"]
        return printed(said) if isinstance(said, str) else said

    return found(lambda: play, len(plans), wanted, games, rabble, **settings)


def found(
    begin: Callable[[], Player],
    players: int,
    wanted: Callable[[Events], bool],
    games: int,
    rabble: int,
    **settings: Any,
) -> Recipe:
    """A match under the lowest seed that gives ``wanted``."""

    def make() -> bytes:
        for number in count():
            seed = f"{number:064x}"
            limits = {"games_min": games, "games_max": games, "rabble": rabble}
            events = match_events(begin(), seed, "bank_heist", players, **(limits | settings))
            if wanted(events):
                return sealed(events, seed)
        raise AssertionError("no end")

    return Recipe(make, wanted)


def moves(events: Events, *reasons: str) -> Events:
    """Return the movements for these reasons."""
    return [e for e in events if e["type"] == "moved" and e["why"] in reasons]


def all_of(events: Events, type: str) -> Events:
    """The events of a type."""
    return [event for event in events if event["type"] == type]


def crosses(events: Events, succeeded: int) -> bool:
    """Return whether there was a cross that succeeded, or that failed."""
    return any(event["succeeded"] == succeeded for event in all_of(events, "cross_judged"))


def kinds(events: Events) -> list[str]:
    """The kinds of the faults of a match."""
    return [event["kind"] for event in all_of(events, "fault")]


def fates(events: Events) -> Sequence[str]:
    """Return the outcome of the heist for the players of the first game."""
    first: str = next(iter(all_of(events, "heist_rolled")))["player_fates"]
    return first


def spender() -> Player:
    """Two players that buy guards, and go all in when they soon cannot pay them."""
    turns = count()

    def play(ask: Ask) -> Reply:
        if ask.name == "bet":
            return printed("1")
        return printed("buy guard" if next(turns) < 6 else "all in")

    return play


def saver() -> Player:
    """Three players that take intel, buy guards and save, depending on the game."""
    actions = ("acquire intel", "buy guard", "deposit", "deposit", "withdraw")

    def play(ask: Ask) -> Reply:
        game, credits = int(ask.args[0]), int(ask.args[8])
        if ask.name == "bet":
            return printed(str(credits * 3 // 4))
        return printed(actions[(game + ask.seat) % len(actions)])

    return play


def tournament_with_a_shared_rank() -> bytes:
    """The sealed log of a series of two matches with made-up results."""
    scores = iter([(900, 0, 240), (100, 1000, 250)])

    def ended(match: Match) -> Result:
        credits = next(scores)
        winners = (credits.index(max(credits)),)
        return Result("played", credits, winners, (), seal.hex_digest(match.id.encode()))

    names = ["snitch", "lurker", "gambler"]
    return sealed(tournament_events(ended, names, game="bank_heist", matches=2))


CROSS, FINGER = ("9", "double cross"), ("20", "finger")

RECIPES = {
    "failed_cross_with_two_fingerers": match(
        CROSS,
        CROSS,
        FINGER,
        FINGER,
        ("69", "carry on"),
        wanted=lambda events: (
            crosses(events, 0)
            and len(all_of(events, "fingered")) == 2
            and len(moves(events, "exposed")) > 2
        ),
    ),
    "successful_cross": match(
        CROSS,
        ("69", "!guncheck"),
        ("100", "carry on"),
        rabble=8,
        wanted=lambda events: crosses(events, 1) and fates(events) == "sss",
    ),
    "exposed_crosser_alone_keeps_its_own": match(
        CROSS,
        FINGER,
        ("100", "carry on"),
        wanted=lambda events: (
            crosses(events, 1) and fates(events) == "sss" and bool(moves(events, "finger"))
        ),
    ),
    "finger_that_hits_nobody": match(
        FINGER,
        ("50", "carry on"),
        wanted=lambda events: bool(moves(events, "false_finger")) and fates(events) == "ss",
    ),
    "bribe_that_cannot_be_paid": found(
        spender,
        2,
        lambda events: bool(moves(events, "guard_left")),
        games=9,
        rabble=0,
    ),
    "all_in_won_and_lost": match(
        ("1", "all in"),
        ("5", "all in"),
        wanted=lambda events: fates(events) == "sf",
        rabble=4,
    ),
    "everybody_backs_out": match(
        ("1", "back out"), ("7", "back out"), wanted=lambda events: fates(events) == "oo"
    ),
    "nobody_bets": match(
        ("0", "finger"),
        ("000", "all in"),
        wanted=lambda events: not all_of(events, "heist_rolled"),
    ),
    "intel_guard_deposit_and_withdrawal": found(
        saver,
        3,
        lambda events: (
            {"intel", "guard", "deposit", "withdraw", "interest"}
            <= {event["why"] for event in moves(events, "intel", "guard", "deposit")}
            | {event["why"] for event in moves(events, "withdraw", "interest")}
        ),
        games=15,
        rabble=20,
    ),
    "jobs_changed_and_found": match(
        ("3", "change jobs"),
        ("3", "carry on"),
        games=6,
        wanted=lambda events: bool(moves(events, "hired")),
    ),
    "bets_that_are_none": match(
        ("+5", "carry on"),
        (Answer({"output": b"\xff"}), ""),
        ("9" * 5000, " all in\n"),
        ("1\n2", "finger"),
        ("\t12\r\n", "DEPOSIT"),
        wanted=lambda events: kinds(events) == ["illegal"] * 3,
    ),
    "failures_count_as_nothing": match(
        (Fault("timeout"), "finger"),
        ("9", Fault("crash", {"output": b"all in"})),
        ("9", Fault("oversize", {"output": b"finger" * 11_000})),
        ("9", Fault("timeout")),
        wanted=lambda events: sorted(kinds(events)) == ["crash", "oversize", "timeout", "timeout"],
    ),
    "rabble_of_a_drawn_size": match(
        ("69", "carry on"),
        rabble=40,
        games=3,
        rabble_draw="size",
        wanted=lambda events: any(e["participants"] > 30 for e in all_of(events, "game_started")),
    ),
    "many_games_at_random": found(
        lambda: at_random(random.Random(5)),
        6,
        lambda events: crosses(events, 0) and bool(moves(events, "hired", "guard_left")),
        games=20,
        rabble=50,
    ),
    "tournament_with_a_shared_rank": Recipe(
        tournament_with_a_shared_rank,
        lambda events: [line["rank"] for line in events[-2]["standings"]] == [1, 1, 3],
    ),
}
