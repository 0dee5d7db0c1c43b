"""Golden logs of Smallest Unique Number: choices of the bots, round by round."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.table import Answer, Fault, JointAsk, Match, Reply, Result
from schema import seal
from tests.factories import Events, match_events, printed, sealed, tournament_events
from tests.golden.recipes import Recipe

Given = Sequence[int] | Mapping[int, Reply] | None


def match(*given: Given, told: Given = None, rounds: int = 0) -> Callable[[], bytes]:
    """A game in which the bots give these choices or failures; ``told`` is the last update's."""

    def make() -> bytes:
        rows = iter(given)
        seats = len(next(row for row in given if isinstance(row, Sequence)))

        def play(ask: JointAsk) -> Any:
            row = next(rows) if ask.legal else told
            return list(row) if isinstance(row, Sequence) else row

        events = match_events(
            play, game="smallest_unique", players=seats, seats=seats, rounds=rounds or len(given)
        )
        return sealed(events)

    return make


def many_rounds() -> bytes:
    """A game of ten at random."""
    rng = random.Random(11)
    return match(*([rng.randint(1, 10) for _ in range(10)] for _ in range(100)))()


def rounds(events: Events) -> Events:
    """The rounds of a game."""
    return [event for event in events if event["type"] == "round"]


def ends(reason: str, *winners: int) -> Callable[[Events], bool]:
    """Whether a game ends like this."""
    return lambda events: (events[-2]["reason"], events[-2]["winners"]) == (reason, list(winners))


def faults(*expected: tuple[int, str, str]) -> Callable[[Events], bool]:
    """Whether these (seat, ask, kind) are the faults of a void game."""

    def check(events: Events) -> bool:
        found = [(e["seat"], e["ask"], e["kind"]) for e in events if e["type"] == "fault"]
        return found == list(expected) and ends("void")(events)

    return check


CRASH = {step: Fault("crash", during=step) for step in ("construct", "update", "select")}
SELECTED: dict[int, Reply] = {seat: printed(str(seat + 1)) for seat in range(4)}

RECIPES = {
    "nobody_unique_in_any_round": Recipe(
        match([1, 1, 2, 2], [10, 10, 10, 10], [3, 3, 3, 3]),
        lambda events: (
            not any("winner" in one for one in rounds(events))
            and ends("played", 0, 1, 2, 3)(events)
        ),
    ),
    "smallest_number_is_not_unique": Recipe(
        match([1, 1, 3, 2], [4, 9, 4, 10]),
        lambda events: [one["winner"] for one in rounds(events)] == [3, 1],
    ),
    "two_share_the_win": Recipe(match([1, 2, 3], [2, 1, 3], [5, 5, 5]), ends("played", 0, 1)),
    "many_rounds_at_random": Recipe(many_rounds, lambda events: len(rounds(events)) == 100),
    "void_by_true_in_the_second_round": Recipe(
        match([1, 2, 3, 4], SELECTED | {2: printed("bool True")}, rounds=5),
        lambda events: (
            faults((2, "select", "illegal"))(events)
            and [e["seat"] for e in events if e["type"] == "answered"] == [0, 1, 3]
        ),
    ),
    "void_by_eleven": Recipe(
        match([1, 2, 3, 4], [1, 2, 11, 4], rounds=5), faults((2, "select", "illegal"))
    ),
    "void_by_two_that_fail_to_be_constructed": Recipe(
        match({1: CRASH["construct"], 3: CRASH["construct"], 0: CRASH["select"]}, [1, 1, 1, 1]),
        faults((1, "construct", "crash"), (3, "construct", "crash")),
    ),
    "void_by_a_timeout_in_an_update_before_a_crash_in_the_choice": Recipe(
        match(
            [1, 2, 3, 4],
            SELECTED | {0: CRASH["select"], 1: Fault("timeout", during="update")},
            rounds=9,
        ),
        faults((1, "update", "timeout")),
    ),
    "void_after_the_last_round": Recipe(
        match([1, 2, 3, 4], told={3: CRASH["update"]}),
        lambda events: faults((3, "update", "crash"))(events) and len(rounds(events)) == 1,
    ),
    "void_by_a_choice_that_is_no_utf8": Recipe(
        match([1, 2, 3, 4], SELECTED | {0: Answer({"output": b"\xff"})}, rounds=2),
        faults((0, "select", "illegal")),
    ),
}


def tournament(result: Callable[[Match], Result], entrants: int, **settings: Any) -> bytes:
    """The sealed log of a tournament with made-up results."""
    names = [f"bot{number}" for number in range(entrants)]
    return sealed(tournament_events(result, names, game="smallest_unique", **settings))


def won_by_the_first(match: Match) -> Result:
    """Seat 0 wins."""
    scores = (1, *[0] * (len(match.seats) - 1))
    return Result("played", scores, (0,), (), seal.hex_digest(match.id.encode()))


def faulty(*bad: int) -> Callable[[Match], Result]:
    """Seat 0 wins, unless one of the entrants ``bad`` plays: it raises."""

    def result(match: Match) -> Result:
        found = tuple((seat, "crash") for seat, one in enumerate(match.seats) if one in bad)
        if not found:
            return won_by_the_first(match)
        digest = seal.hex_digest(match.id.encode())
        return Result("void", (0,) * len(match.seats), (), found, digest)

    return result


def voids(events: Events) -> list[tuple[int, str]]:
    """Return the void attempts of a tournament, with reasons."""
    return [(e["attempt"], e["reason"]) for e in events if e["type"] == "voided"]


RECIPES |= {
    "tournament_run_again_without_two_that_fail": Recipe(
        lambda: tournament(faulty(1, 4), 6, seats=3, games_per_entrant=2, min_games_per_entrant=0),
        lambda events: (
            {e["entrant"] for e in events if e["type"] == "disqualified"} == {1, 4}
            and {line["entrant"] for line in events[-2]["standings"]} == {0, 2, 3, 5}
        ),
    ),
    "tournament_run_again_for_too_few_games": Recipe(
        lambda: tournament(
            won_by_the_first, 5, seats=3, games_per_entrant=1, min_games_per_entrant=2
        ),
        lambda events: (
            voids(events)[0] == (1, "too_few_games")
            and min(line["games"] for line in events[-2]["standings"]) >= 2
        ),
    ),
    "tournament_that_ends_with_too_few_bots": Recipe(
        lambda: tournament(faulty(0), 3, seats=3, games_per_entrant=1),
        lambda events: voids(events) == [(1, "disqualified")] and events[-2]["standings"] == [],
    ),
}
