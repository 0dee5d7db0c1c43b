"""Ratings: laws that hold for all matches, and small examples."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import rating
from audit.leaderboard import wrapped
from audit.query import Result
from audit.rating import Match
from audit.tables import open_database
from koth.workers import workers
from schema import seal
from schema.errors import NothingToDo
from tests.audit import outcomes
from tests.factories import BOT, SEED, loads, write

MU, SIGMA = 25.0, 25.0 / 3


def sat(ranks: Sequence[int]) -> Match:
    """A match of the bots 0, 1, 2, … that came out with these ranks."""
    return [((f"{number:02}", "hash"), rank) for number, rank in enumerate(ranks)]


def rated(matches: Iterable[Match]) -> dict[str, tuple[float, float]]:
    """mu and sigma by name."""
    rows = rating.rate(matches).rows
    return {str(row[2]): (float(str(row[4])), float(str(row[5]))) for row in rows}


def test_one_match_of_two() -> None:
    """The first match of two moves them by what Weng and Lin's formulas give by hand."""
    c = math.sqrt(2 * SIGMA**2 + 2 * (SIGMA / 2) ** 2)
    step = SIGMA**2 / c / 2
    sigma = SIGMA * math.sqrt(1 - SIGMA**2 / c**2 / 4)
    found = rated([sat([1, 2])])
    assert found["00"] == pytest.approx((MU + step, sigma), abs=1e-4)
    assert found["01"] == pytest.approx((MU - step, sigma), abs=1e-4)


@given(st.lists(st.integers(1, 4), min_size=2, max_size=12))
def test_a_better_place_is_worth_more(ranks: list[int]) -> None:
    """After a first match mu is in the order of the places, equal places are equal, the mean 25."""
    mus = [rated([sat(ranks)])[f"{n:02}"][0] for n in range(len(ranks))]
    for mine, rank in zip(mus, ranks, strict=True):
        for other, place in zip(mus, ranks, strict=True):
            assert (mine > other) == (rank < place)
    assert sum(mus) / len(mus) == pytest.approx(MU, abs=1e-3)


@given(st.lists(st.lists(st.integers(1, 3), min_size=6, max_size=6), max_size=3), st.randoms())
def test_the_seats_do_not_matter(results: list[list[int]], rng: object) -> None:
    """The ratings do not depend on the seats of the players, also with ties."""
    matches = [sat(ranks) for ranks in results]
    turned = [[*match[3:], *reversed(match[:3])] for match in matches]
    one, two = rated(matches), rated(turned)
    assert one.keys() == two.keys()
    for name in one:
        assert one[name] == pytest.approx(two[name], abs=2e-4)


def test_a_large_match_moves_nobody_further() -> None:
    """The winner of a match of sixty gains no more than the winner of a match of two."""
    assert rated([sat(range(60))])["00"][0] <= rated([sat(range(2))])["00"][0]


def test_equals_stay_level() -> None:
    """Any number of ties leaves two bots at 25, and better known."""
    found = [rated([sat([1, 1])] * count) for count in (1, 10, 100)]
    assert [one["00"][0] for one in found] == [MU] * 3
    sigmas = [one["00"][1] for one in found]
    assert sigmas == sorted(sigmas, reverse=True)
    assert len(set(sigmas)) == 3


def test_beating_the_strong_is_worth_more() -> None:
    """A win over a strong player gains more than a win over a weak player."""
    bots = [("strong", ""), ("weak", ""), ("new", ""), ("newer", "")]
    strong, weak, new, newer = bots
    before: list[Match] = [[(strong, 1), (weak, 2)]] * 10
    found = rated([*before, [(new, 1), (strong, 2)], [(newer, 1), (weak, 2)]])
    assert found["new"][0] > found["newer"][0]


def test_late_matches_weigh_little() -> None:
    """If two players win in turn, the last winner leads, by less and less."""
    turns: list[Match] = [sat([1, 2]), sat([2, 1])]
    gaps = []
    for pairs in (10, 100, 1000):
        found = rated(turns * pairs)
        gaps.append(found["01"][0] - found["00"][0])
    assert gaps == sorted(gaps, reverse=True)
    assert 0 < gaps[-1] < 0.1


def test_pools() -> None:
    """Bots that no chain of matches links are ranked apart, the larger pool first."""
    a, b, c, d, e = ((name, "") for name in "abcde")
    apart: list[Match] = [[(a, 1), (b, 2)], [(c, 2), (d, 1)], [(d, 1), (e, 2)]]
    rows = rating.rate(apart).rows
    assert [row[:4] for row in rows] == [
        (1, 1, "d", 2),
        (1, 2, "e", 1),
        (1, 3, "c", 1),
        (2, 1, "a", 1),
        (2, 2, "b", 1),
    ]
    assert {row[0] for row in rating.rate([*apart, [(a, 1), (e, 2)]]).rows} == {1}


def test_pools_of_the_same_size_are_in_the_order_of_names() -> None:
    """The pool with the first name comes first, in any order of the matches."""
    a, b, c, d = ((name, "") for name in "abcd")
    matches: list[Match] = [[(b, 1), (c, 2)], [(a, 2), (d, 1)]]
    for order in matches, matches[::-1]:
        assert [row[2] for row in rating.rate(order).rows] == ["d", "a", "b", "c"]


def test_numbers_have_four_decimals() -> None:
    """The first match of two: mu is 25 ± 2.6352, and the ordinal is rounded only once."""
    c = math.sqrt(2 * SIGMA**2 + 2 * (SIGMA / 2) ** 2)
    step = SIGMA**2 / c / 2
    sigma = SIGMA * math.sqrt(1 - SIGMA**2 / c**2 / 4)
    assert [row[4:7] for row in rating.rate([sat([1, 2])]).rows] == [
        (round(mu, 4), round(sigma, 4), round(mu - 3 * sigma, 4)) for mu in (MU + step, MU - step)
    ]


def test_equal_ordinals_share_a_rank() -> None:
    """Ties of the table have the same rank, and the next one counts them."""
    rows = rating.rate([sat([1, 1, 2])]).rows
    assert [row[1] for row in rows] == [1, 1, 3]
    assert all(row[6] == pytest.approx(row[4] - 3 * row[5], abs=1e-3) for row in _floats(rows))


def _floats(rows: Sequence[tuple[object, ...]]) -> list[list[float]]:
    return [[float(str(v)) if isinstance(v, float) else 0.0 for v in row] for row in rows]


def test_a_lone_player_is_not_rated() -> None:
    """A match of one changes nothing."""
    assert rated([sat([1])]) == {"00": (MU, round(SIGMA, 4))}


def weng_lin(matches: Iterable[Match]) -> dict[str, tuple[float, float]]:
    """mu and sigma by name, by Weng and Lin's Algorithm 1, with means over the pairs."""
    ratings: dict[str, tuple[float, float]] = {}
    for match in matches:
        before = [(rank, *ratings.get(name, (MU, SIGMA))) for (name, _), rank in match]
        for seat, ((name, _), rank) in enumerate(match):
            _, mu, sigma = before[seat]
            others = before[:seat] + before[seat + 1 :]
            omega = delta = 0.0
            for other, its_mu, its_sigma in others:
                c = math.sqrt(sigma**2 + its_sigma**2 + 2 * (SIGMA / 2) ** 2)
                p = 1 / (1 + math.exp((its_mu - mu) / c))
                result = 0.5 if rank == other else float(rank < other)
                omega += sigma**2 / c * (result - p) / len(others)
                delta += (sigma / c) ** 2 * p * (1 - p) / len(others)
            ratings[name] = mu + omega, sigma * math.sqrt(1 - delta)
    return ratings


@given(
    st.lists(
        st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 3), min_size=1), max_size=30
    )
)
def test_any_history_is_rated_by_the_formulas(history: list[dict[str, int]]) -> None:
    """The ratings after any matches, of any bots, are those of formulas that are written anew."""
    matches = [[((name, ""), rank) for name, rank in ranks.items()] for ranks in history]
    found, expected = rated(matches), weng_lin(matches)
    assert found.keys() == expected.keys()
    for name, numbers in expected.items():
        assert found[name] == pytest.approx(numbers, abs=1e-4)


NAMES = ("Anna", "Ben", "Cleo")
RESULTS = [(3, 1, 1), (0, 2, 5), (4, 4, 4), (1, 9, 0), (2, 2, 7), (6, 5, 4)]


def _logs(folder: Path, names: Sequence[str]) -> Path:
    for number, name in enumerate(names):
        scores = dict(zip(NAMES, RESULTS[number], strict=True))
        outcomes.match(folder / name, scores, number=number)
    return folder


def test_the_order_of_the_files_does_not_matter(tmp_path: Path) -> None:
    """Matches are rated by tournament and id, and not by file name."""
    forth = _logs(tmp_path / "forth", [f"{n}.jsonl" for n in range(6)])
    back = _logs(tmp_path / "back", [f"{6 - n}.jsonl" for n in range(6)])
    rated = _ratings(forth)
    assert _ratings(back) == rated
    assert _ratings(forth, back) == rated
    assert _ratings(*sorted(back.iterdir(), reverse=True)) == rated


def test_the_matches_of_a_game_are_rated_one_by_one(tmp_path: Path) -> None:
    """The logs of a game give the ratings of their results in turn, also beside other games."""
    outcomes.match(tmp_path / "coup.jsonl", {"Anna": 0, "Ben": 1}, "coup")
    expected = rating.rate(
        [((name, BOT), -score) for name, score in zip(NAMES, scores, strict=True)]
        for scores in RESULTS
    )
    assert _ratings(_logs(tmp_path, [f"{n}.jsonl" for n in range(6)]))["coins"] == expected


def test_the_first_matches_of_all_line_ups_are_rated_first(tmp_path: Path) -> None:
    """A second match of the same bots is rated after the first match of others."""
    results = [{"Anna": 2, "Ben": 1}, {"Anna": 1, "Ben": 2}, {"Anna": 2, "Cleo": 1}]
    for number, scores in enumerate(results):
        outcomes.match(tmp_path / f"{number}.jsonl", scores, number=number)
    first, second, other = (
        [((name, BOT), -score) for name, score in scores.items()] for scores in results
    )
    [found] = _ratings(tmp_path).values()
    assert found in [
        rating.rate(order) for order in ([first, other, second], [other, first, second])
    ]
    assert found != rating.rate([first, second, other])


def test_the_number_of_a_match_orders_it(tmp_path: Path) -> None:
    """A match number 1,000,000 follows 999,999, and a number may have more than 64 bits."""
    for number, scores in (1_000_000, {"Anna": 1, "Ben": 2}), (999_999, {"Anna": 2, "Ben": 1}):
        outcomes.match(tmp_path / f"{number}.jsonl", scores, number=number)
    path = tmp_path / "last.jsonl"
    *events, _ = loads(outcomes.match(path, {"Cleo": 2, "Dora": 1}, number=7).read_bytes())
    events[0]["match"] = f"1-{10**30}"
    write(path, events, seal.match_seed(SEED, "spring/7"))
    [found] = _ratings(tmp_path).values()
    names = [row[2] for row in found.rows]
    assert sorted(map(str, names)) == ["Anna", "Ben", "Cleo", "Dora"]
    assert names.index("Ben") < names.index("Anna")


def test_jobs_do_not_matter(tmp_path: Path) -> None:
    """Logs read in two processes give the same ratings."""
    folder = _logs(tmp_path, [f"{n}.jsonl" for n in range(6)])
    with workers(2) as each, open_database([folder], current_only=True, mapper=each) as database:
        assert rating.ratings(database) == _ratings(folder)


def _ratings(*paths: Path) -> dict[str, Result]:
    with open_database(paths, current_only=True) as database:
        return rating.ratings(database)


def test_who_won_comes_before_who_scored(tmp_path: Path) -> None:
    """A winner ranks above the others, regardless of the scores."""
    outcomes.match(tmp_path / "log.jsonl", {"Anna": 1, "Ben": 5}, winners=["Anna"])
    [result] = _ratings(tmp_path).values()
    assert [row[2] for row in result.rows] == ["Anna", "Ben"]


def test_void_matches_do_not_count(tmp_path: Path) -> None:
    """A void match changes no rating, and void matches alone are nothing to rate."""
    outcomes.match(tmp_path / "void.jsonl", {"Anna": 0, "Ben": 5}, reason="void", number=1)
    with pytest.raises(NothingToDo, match="ratings need matches"):
        _ratings(tmp_path)
    outcomes.match(tmp_path / "log.jsonl", {"Anna": 3, "Ben": 1})
    [result] = _ratings(tmp_path).values()
    assert [row[2:4] for row in result.rows] == [("Anna", 1), ("Ben", 1)]


def test_games_apart_and_together(tmp_path: Path) -> None:
    """Each game has its ratings; together they are those of all matches, as text and as JSON."""
    outcomes.match(tmp_path / "coins.jsonl", {"Anna": 3, "Ben": 1})
    outcomes.match(tmp_path / "coup.jsonl", {"Anna": 1, "Cleo": 0}, "coup")
    found = _ratings(tmp_path)
    assert list(found) == ["coins", "coup", "all games"]
    assert {row[2]: row[3] for row in found["all games"].rows} == {"Anna": 2, "Ben": 1, "Cleo": 1}
    text = rating.as_text(found)
    assert [line for line in text.splitlines() if line.endswith(", rating")] == [
        "coins, rating",
        "coup, rating",
        "all games, rating",
    ]
    assert text.endswith(f"\n\n{wrapped(rating.NOTE)}\n")
    value = json.loads(rating.as_json(found))
    assert value["format"] == "koth-rating/1"
    assert list(value["games"]) == ["coins", "coup"]
    assert value["all"][0]["name"] == "Anna"
    assert "all" not in json.loads(rating.as_json({"coins": found["coins"]}))
    assert '\n    "name": "Zoë"\n' in rating.as_json({"coins": Result(("name",), [("Zoë",)])})
