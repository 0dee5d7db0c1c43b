"""The order of play: every match once, nobody far ahead, and the same logs in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.table import Match
from koth.workers import workers
from referee import play_order, tournament
from referee.bot import Bot
from schema.executor import serial
from tests.factories import SEED, loads
from tests.referee.bot_factory import CARD, FIRST, bot, contents, hold


def schedule(seatings: Sequence[tuple[int, ...]]) -> list[Match]:
    """Return matches with these seats."""
    return [Match(f"1-{number:06}", seats) for number, seats in enumerate(seatings)]


def apart(matches: Sequence[Match]) -> int:
    """Return the largest difference between the match counts of two entrants, at any time."""
    games = Counter({entrant: 0 for match in matches for entrant in match.seats})
    largest = 0
    for match in matches:
        games.update(match.seats)
        largest = max(largest, max(games.values()) - min(games.values()))
    return largest


@pytest.mark.parametrize("entrants", [2, 3, 7, 8, 21])
@pytest.mark.parametrize("seats", [2, 3])
def test_nobody_is_far_ahead(entrants: int, seats: int) -> None:
    """If all meet all, no two entrants are ever more than two matches apart."""
    for draw in (permutations, combinations):
        matches = schedule(list(draw(range(entrants), min(seats, entrants)))[:1000])
        if len(matches) < 1000:
            assert apart(list(play_order.spread(matches))) <= 2


@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=4, unique=True), max_size=40))
def test_every_match_is_played_once(seatings: list[list[int]]) -> None:
    """The order of play is a permutation of the schedule."""
    matches = schedule([tuple(seats) for seats in seatings])
    played = list(play_order.spread(matches))
    assert sorted(match.id for match in played) == [match.id for match in matches]
    assert set(played) == set(matches)


def test_a_schedule_that_is_even_stays_as_it_is() -> None:
    """If all entrants play every match, the order is that of the schedule."""
    matches = schedule([tuple(range(10))] * 20_000)
    assert list(play_order.spread(matches)) == matches


def test_the_logs_are_those_of_the_schedule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of play changes no byte, with one worker or two; the log lists matches in order."""
    bots = [bot(tmp_path / "bots", f"{n}.sh", FIRST + "act") for n in range(4)]
    hold(tmp_path / "spread", bots, max_calls=6)
    with workers(2) as each:
        hold(tmp_path / "jobs", bots, each, max_calls=6)
    monkeypatch.setattr(play_order, "spread", iter)
    hold(tmp_path / "plain", bots, max_calls=6)
    assert contents(tmp_path / "spread") == contents(tmp_path / "plain")
    assert contents(tmp_path / "jobs") == contents(tmp_path / "plain")
    events = loads((tmp_path / "plain" / "tournament.jsonl").read_bytes())
    ids = [event["match"] for event in events if event["type"] == "match_played"]
    assert ids == sorted(ids)


def test_an_interrupted_tournament_is_even(tmp_path: Path) -> None:
    """If the tournament stops early, all entrants have played about the same number of matches."""
    bots: list[Bot] = [bot(tmp_path / "bots", f"{n}.sh", FIRST + "act") for n in range(5)]
    settings = CARD.settings({"rounds": 1, "max_calls": 2})
    folder = tmp_path / "cup"

    def stop(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    planned = tournament.plan(CARD, bots, settings, SEED, None, folder, "process")
    with pytest.raises(KeyboardInterrupt):
        tournament.play(planned, serial, stop)
    played: Counter[str] = Counter()
    for log in (folder / "matches").iterdir():
        played.update(player["name"] for player in loads(log.read_bytes())[0]["players"])
    assert played.keys() == {one.name for one in bots}
    assert max(played.values()) - min(played.values()) <= 1
