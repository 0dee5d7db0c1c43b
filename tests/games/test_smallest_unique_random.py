"""Thousands of games of Smallest Unique Number at random: every point is accounted for."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.table import Answer
from schema.reader import parse
from tests.factories import match_events, printed, sealed
from tests.games.unique_games import (
    KINDS,
    LEGAL,
    NO_CHOICE,
    STEPS,
    fault_or_answer,
    in_turn,
    random_game,
)
from tests.sampling import LONG_RUN

GAMES = 10_000 if LONG_RUN else 2_000
CHUNKS = 20


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_account_for_every_point(chunk: int) -> None:
    """At every event points are as counted apart, and the scores sum to the rounds with a winner.

    Nobody has more points than a winner, and who has as many is one; a void game has no winner.
    """
    for number in range(chunk, GAMES, CHUNKS):
        model, events = random_game(number)
        assert events[1:] == model.events
        end = events[-1]
        scored = Counter(event.get("winner") for event in events if event["type"] == "round")
        del scored[None]
        assert end["scores"] == [scored[seat] for seat in range(model.seats)]
        assert sum(end["scores"]) == sum("winner" in event for event in events)
        if end["reason"] == "played":
            most = max(end["scores"])
            assert [end["scores"][seat] == most for seat in range(model.seats)] == [
                seat in end["winners"] for seat in range(model.seats)
            ]
        else:
            assert (end["reason"], end["winners"]) == ("void", [])


def test_random_games_show_everything_there_is() -> None:
    """Among a few hundred of these games every failure, step, number of seats and end occurs."""
    seen: Counter[Any] = Counter()
    for number in range(600):
        model, events = random_game(number)
        rounds = [event for event in events if event["type"] == "round"]
        faults = [event for event in events if event["type"] == "fault"]
        seen.update(event["ask"] for event in faults)
        seen.update(event["kind"] for event in faults)
        seen.update(f"output {event['output']!r}" for event in faults if "output" in event)
        seen.update(f"chose {choice}" for event in rounds for choice in event["choices"])
        seen[f"{model.seats} seats"] += 1
        seen[events[-1]["reason"]] += 1
        seen["answered"] += any(event["type"] == "answered" for event in events)
        seen["nobody scored"] += any("winner" not in event for event in rounds)
        seen["shared"] += len(events[-1]["winners"]) > 1
        seen["several failed"] += len(faults) > 1
        seen["failed at last"] += bool(faults) and len(rounds) == model.rounds
        seen["failed at first"] += bool(faults) and not rounds
    wanted = [*STEPS, *KINDS, "illegal", "played", "void", "answered", "nobody scored", "shared"]
    wanted += ["several failed", "failed at last", "failed at first"]
    wanted += [f"output {text!r}" for text in NO_CHOICE]
    wanted += [f"chose {number}" for number in range(1, 11)]
    wanted += [f"{seats} seats" for seats in range(2, 13)]
    assert [name for name in wanted if not seen[name]] == []


@pytest.mark.parametrize("chunk", range(4))
def test_seats_that_are_permuted_permute_the_winners(chunk: int) -> None:
    """Permuted seats give permuted winners and scores: no seat is favoured."""
    for number in range(chunk, 800, 4):
        rng = random.Random(number)
        seats, rounds, highest = rng.randint(2, 12), rng.randint(1, 6), rng.randint(1, 10)
        chosen = [[rng.randint(1, highest) for _ in range(seats)] for _ in range(rounds)]
        place = rng.sample(range(seats), seats)  # where each seat goes
        moved = [[choices[place.index(seat)] for seat in range(seats)] for choices in chosen]
        settings: Any = {"seats": seats, "rounds": rounds}
        one, other = (
            match_events(in_turn(*rows), game="smallest_unique", players=seats, **settings)
            for rows in (chosen, moved)
        )
        for was, now in zip(one[1:-1], other[1:-1], strict=True):
            assert now.get("winner") == (place[was["winner"]] if "winner" in was else None)
        assert other[-1]["winners"] == sorted(place[seat] for seat in one[-1]["winners"])
        assert [other[-1]["scores"][place[seat]] for seat in range(seats)] == one[-1]["scores"]


@pytest.mark.parametrize("number", range(100))
def test_random_games_are_strictly_readable(number: int) -> None:
    """The log of a random game passes the strict reader, event for event."""
    _, events = random_game(number)
    log = parse(sealed(events), Path("random.jsonl"))
    assert list(log.events[:-1]) == events


def test_the_model_tells_answers_from_failures() -> None:
    """The model that the rules are compared with accepts 1 to 10 as a choice, and nothing else."""
    for text in LEGAL:
        assert fault_or_answer(0, "select", printed(text))["type"] == "answered"
    for text in NO_CHOICE:
        assert fault_or_answer(0, "select", Answer({"output": text.encode()}))["type"] == "fault"
