"""Mirrored pairs in ``coup/2`` (CP-21), and what it has in common with ``coup/1``."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.coup.tournament import pairings
from games.table import Ask, FileCall, Match, Reply, Result
from schema import registry, seal
from schema.errors import CorruptLog
from schema.reader import parse
from tests.factories import (
    SEED,
    Events,
    Player,
    answer,
    match_events,
    sealed,
    tournament_events,
)

SEEDS = st.integers(0, 2**64).map(lambda number: f"{number:064x}")


def bot(style: int, match_seed: str) -> Player:
    """Return a deterministic bot for both seats: it reads its questions and its random seed."""
    decisions: Counter[int] = Counter()

    def play(ask: Ask) -> Reply:
        call = ask.observation
        assert isinstance(call, FileCall)
        chance = seal.bot_seed(match_seed, ask.seat, decisions[ask.seat])
        decisions[ask.seat] += 1
        drawn = int(sha256(f"{style} {chance} {call}".encode()).hexdigest(), 16)
        kept = call.args[2][drawn % 3 :][: len(call.args[2]) - 2] if ask.name == "exchange" else ""
        return answer(ask.legal[drawn % len(ask.legal)], kept)

    return play


def played(rules: str, seed: str, style: int, entrants: int, **settings: Any) -> list[Any]:
    """Return the log of a tournament of equal bots, and the matches in order, each with its log."""
    matches: list[tuple[Match, Events]] = []

    def play(match: Match) -> Result:
        own = seal.match_seed(seed, match.id, match.dice)
        events = match_events(bot(style, own), own, rules, **settings)
        matches.append((match, events))
        end = events[-1]
        digest = seal.hex_digest(repr(events).encode())
        faults = tuple((e["seat"], e["kind"]) for e in events if e["type"] == "fault")
        return Result(end["reason"], tuple(end["scores"]), tuple(end["winners"]), faults, digest)

    names = [f"bot{number}" for number in range(entrants)]
    return [tournament_events(play, names, seed, rules, **settings), matches]


def pairs(matches: list[tuple[Match, Events]]) -> list[list[tuple[Match, Events]]]:
    """Return the two matches of each pair, round by round, the first one first."""
    meetings: dict[tuple[Any, int], list[tuple[Match, Events]]] = {}
    seen: Counter[tuple[int, ...]] = Counter()
    for match, events in matches:
        key = frozenset(match.seats), seen[match.seats]
        seen[match.seats] += 1
        meetings.setdefault(key, []).append((match, events))
    return [*meetings.values()]


@settings(max_examples=15)
@given(SEEDS, st.integers(0, 99), st.integers(2, 4), st.integers(1, 2))
def test_equal_bots_get_mirror_image_results(
    seed: str, style: int, entrants: int, rounds: int
) -> None:
    """Both matches of a pair have the same dice, so equal bots play the same match twice."""
    log, matches = played("coup/2", seed, style, entrants, rounds=rounds, mirrored=1)
    for (first, events), (second, mirrored) in pairs(matches):
        assert (second.dice, second.seats) == (first.id, first.seats[::-1])
        assert first.dice is None
        assert events[0]["seed_commitment"] == mirrored[0]["seed_commitment"]
        assert events[1:] == mirrored[1:]
    commitments = Counter(events[0]["seed_commitment"] for _, events in matches)
    assert {*commitments.values()} == {2}
    wins = Counter(seat for _, events in matches for seat in events[-1]["winners"])
    table = log[-1]["standings"]
    assert sum(line["score"] for line in table) == wins.total()
    if entrants == 2:
        assert table[0]["score"] == table[1]["score"]


@settings(max_examples=10)
@given(SEEDS, st.integers(0, 99), st.integers(2, 3))
def test_without_the_setting_nothing_changes(seed: str, style: int, entrants: int) -> None:
    """By default ``coup/2`` gives every event of ``coup/1``, except the start of each log."""
    older_log, older = played("coup/1", seed, style, entrants, rounds=1)
    newer_log, newer = played("coup/2", seed, style, entrants, rounds=1)
    assert [match for match, _ in older] == [match for match, _ in newer]
    assert all(match.dice is None for match, _ in newer)
    assert [events[1:] for _, events in older] == [events[1:] for _, events in newer]
    strip = [{k: v for k, v in event.items() if k != "seal"} for event in older_log[1:]]
    assert strip == [{k: v for k, v in event.items() if k != "seal"} for event in newer_log[1:]]
    assert newer_log[0]["settings"] == {**older_log[0]["settings"], "mirrored": 0}


@pytest.mark.parametrize("value", [True, "true", "1", 2, -1])
def test_a_log_has_the_setting_as_a_number(value: object) -> None:
    """``--set`` takes true and false; a log holds 1 or 0, and nothing else is read."""
    card = registry.card("coup")
    taken = {given: card.settings({"mirrored": given}) for given in ("true", "false", "1", "0")}
    dumped = [settings.model_dump()["mirrored"] for settings in taken.values()]
    assert dumped == [1, 0, 1, 0]
    events = match_events(bot(0, SEED))
    events[0]["settings"]["mirrored"] = value
    with pytest.raises(CorruptLog, match=r"mirrored|declared order"):
        parse(sealed(events), Path("log.jsonl"))


@given(st.integers(2, 9), st.integers(1, 3))
def test_a_mirrored_tournament_has_the_same_schedule(entrants: int, rounds: int) -> None:
    """Mirrored or not, matches have the same ids and seats; half of them share earlier dice."""
    names = [f"bot{number}" for number in range(entrants)]
    result = Result("drawn", (0, 0), (), (), "0" * 64)
    plain, mirrored = (
        tournament_events(lambda match: result, names, rounds=rounds, mirrored=mirrored)[1:-1]
        for mirrored in (0, 1)
    )
    assert [(e["match"], e["seats"]) for e in plain] == [(e["match"], e["seats"]) for e in mirrored]
    assert not any("dice" in event for event in plain)
    seats = {event["match"]: event["seats"] for event in mirrored}
    shared = [event for event in mirrored if "dice" in event]
    assert len(shared) * 2 == len(mirrored)
    assert all(event["dice"] < event["match"] for event in shared)
    assert all(seats[event["dice"]] == event["seats"][::-1] for event in shared)


@given(st.sets(st.sampled_from([*combinations(range(5), 2)]), min_size=1), st.integers(0, 2))
def test_a_stage_of_a_contest_mirrors_the_pairs_that_it_plays(
    pairs: set[tuple[int, int]], number: int
) -> None:
    """If a stage plays some of the pairs only, each of them shares dice within the round."""
    seatings = [seats for seats in permutations(range(5), 2) if tuple(sorted(seats)) in pairs]
    matches = [*pairings(seatings, number, mirrored=True)]
    known = {match.id: match.seats for match in matches}
    shared = [match for match in matches if match.dice is not None]
    assert len(known) == len(matches) == 2 * len(shared) == 2 * len(pairs)
    assert all(known[str(match.dice)] == match.seats[::-1] for match in shared)
