"""Contests: which bots are in, which matches are missing, and the chain of seeds."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from hashlib import sha256
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contest import Contest, ContestError, Entry, chain_seed, stage_seed
from schema.names import folded
from tests.factories import SEED

STAGES = 6
EVENTS = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 3)), max_size=30)
"""Changes of a contest: a name with the number of its version, or 0 to withdraw it."""


def contest(plays: str = "pairings") -> Contest:
    """A contest that has begun."""
    head = chain_seed(SEED, STAGES, 0)
    return Contest({"plays": plays, "stages": STAGES, "seed_commitment": head})


def entry(name: str, version: int = 1) -> Entry:
    """A version of a bot."""
    return Entry(name, sha256(f"{name}{version}".encode()).hexdigest())


def enter(made: Contest, *names: str, version: int = 1, type: str = "entered") -> None:
    """Enter or revise bots."""
    for name in names:
        made.apply(entry(name, version).event(type))


def finish(made: Contest, **changed: Any) -> None:
    """Start the next stage, and finish it."""
    number = made.finished + 1
    made.apply({"type": "stage_started", "stage": number})
    seed = chain_seed(SEED, STAGES, number)
    made.apply({"type": "stage_finished", "stage": number, "seed": seed, **changed})


def missing(made: Contest) -> list[set[str]]:
    """The pairs of names that the next stage plays."""
    stage = made.next_stage()
    if stage is None:
        return []
    names = [entry.name for entry in stage.entries]
    pairs = stage.pairings or [*combinations(range(len(names)), 2)]
    return [{names[one], names[two]} for one, two in pairs]


@given(EVENTS, st.data())
def test_every_pair_of_versions_plays_in_one_stage(changes: Any, data: st.DataObject) -> None:
    """When nothing is missing, all versions that are in have met exactly once."""
    made = contest()
    met: Counter[frozenset[Entry]] = Counter()

    def play() -> None:
        stage = made.next_stage()
        if stage is not None and made.finished < STAGES:
            pairs = stage.pairings or combinations(range(len(stage.entries)), 2)
            met.update(frozenset(stage.entries[n] for n in pair) for pair in pairs)
            finish(made)

    for name, version in changes:
        known = made.current.get(name)
        if version and known is None:
            enter(made, name, version=version)
        elif version and known != entry(name, version):
            enter(made, name, version=version, type="revised")
        elif not version and known:
            made.apply({"type": "withdrawn", "name": name})
        if data.draw(st.booleans()):
            play()
    play()
    assert set(met.values()) <= {1}
    if made.next_stage() is None:
        assert met.keys() >= {*map(frozenset, combinations(made.current.values(), 2))}


def test_a_late_bot_plays_its_own_pairings() -> None:
    """A thirteenth bot, and a revised one, play each other bot, and nobody else plays again."""
    made = contest()
    names = [f"bot{n}" for n in range(12)]
    enter(made, *names)
    stage = made.next_stage()
    assert stage is not None
    assert stage.pairings is None
    finish(made)
    enter(made, "late")
    assert missing(made) == [{name, "late"} for name in names]
    finish(made)
    enter(made, "bot3", version=2, type="revised")
    assert missing(made) == [{name, "bot3"} for name in [*names, "late"] if name != "bot3"]


def test_pairs_that_have_met_are_not_listed() -> None:
    """A stage of a thousand bots, and one with a late bot, take no list of half a million pairs."""
    made = contest()
    enter(made, *(f"bot{n}" for n in range(1_000)))
    tracemalloc.start()
    try:
        finish(made)
        enter(made, "late")
        assert len(missing(made)) == 1_000
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_games_of_all_are_played_again_by_all() -> None:
    """In a contest of whole tournaments any change is a new tournament of all who are in."""
    made = contest("tournaments")
    enter(made, "a", "b", "c")
    finish(made)
    assert made.next_stage() is None
    made.apply({"type": "withdrawn", "name": "b"})
    stage = made.next_stage()
    assert stage is not None
    assert [entry.name for entry in stage.entries] == ["a", "c"]
    assert stage.pairings is None
    enter(made, "b")
    assert made.next_stage() is None


def test_a_bot_that_returns_plays_those_it_has_not_met() -> None:
    """Results between two versions stand while one of them is withdrawn."""
    made = contest()
    enter(made, "a", "b")
    finish(made)
    made.apply({"type": "withdrawn", "name": "b"})
    enter(made, "c")
    finish(made)
    enter(made, "b")
    assert missing(made) == [{"b", "c"}]


@pytest.mark.parametrize(
    ("event", "message"),
    {
        "entered twice": (entry("a", 2).event("entered"), "found a entered again"),
        "another case": (entry("A").event("entered"), "'a' and 'A' look alike"),
        "the same again": (entry("a").event("revised"), "found the same"),
        "nobody revised": (entry("c").event("revised"), "found c"),
        "nobody withdrawn": ({"type": "withdrawn", "name": "c"}, "found c withdrawn"),
        "no such stage": ({"type": "stage_started", "stage": 2}, "expected stage 1, found 2"),
        "not started": ({"type": "stage_finished", "stage": 1}, "found 1 finished"),
    }.values(),
)
def test_what_cannot_follow_is_an_error(event: Any, message: str) -> None:
    """An event that cannot follow says what was expected and what was found."""
    made = contest()
    enter(made, "a", "b")
    with pytest.raises(ContestError, match=message):
        made.apply(event)


@pytest.mark.parametrize(
    ("event", "message"),
    {
        "another start": ({"type": "stage_started", "stage": 1}, "found another"),
        "another end": ({"type": "stage_finished", "stage": 2}, "found 2 finished"),
        "the seal": ({"type": "contest_sealed"}, "found the seal"),
    }.values(),
)
def test_a_stage_that_is_started_must_end(event: Any, message: str) -> None:
    """No other stage and no seal can follow before a stage that is started has ended."""
    made = contest()
    enter(made, "a", "b")
    made.apply({"type": "stage_started", "stage": 1})
    with pytest.raises(ContestError, match=message):
        made.apply(event | {"seed": chain_seed(SEED, STAGES, 1)})


def test_a_name_is_not_compared_with_each_other_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of a contest with very many names is read in time that grows with their number."""
    called = Counter[str]()

    def counted(name: str) -> str:
        called[name] += 1
        return folded(name)

    monkeypatch.setattr("games.contest.folded", counted)
    enter(contest(), *map(str, range(50)))
    assert max(called.values()) <= 2


def test_each_seed_is_the_hash_of_the_next() -> None:
    """The chain leads from its last seed back to the published head, and no other seed fits."""
    seeds = [chain_seed(SEED, STAGES, stage) for stage in range(STAGES + 1)]
    assert seeds[-1] == SEED
    for seed, following in pairwise(seeds):
        assert seed == sha256(following.encode()).hexdigest()
    made = contest()
    enter(made, "a", "b")
    with pytest.raises(ContestError, match="stage 1: expected the chain seed whose SHA-256"):
        finish(made, seed=seeds[2])


def test_the_seed_of_a_stage_follows_from_its_beacon() -> None:
    """The seed of a stage is the SHA-256 that ``sha256sum`` gives for this text."""
    assert stage_seed("ab", "cd") == sha256(b"ab:beacon:cd").hexdigest()


def test_the_chain_ends() -> None:
    """A stage without a seed in the chain is refused."""
    made = contest("tournaments")
    for number in range(STAGES):
        enter(made, f"bot{number}")
        finish(made)
    enter(made, "last")
    with pytest.raises(ContestError, match="expected 6 stages at most"):
        finish(made)
