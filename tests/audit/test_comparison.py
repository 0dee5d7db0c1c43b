"""Comparisons: values of the textbooks, laws, and examples."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import comparison
from audit.comparison import Comparison
from audit.tables import Database, open_database
from schema.errors import NothingToDo, UsageError
from tests.audit import outcomes
from tests.audit.contest import contest
from tests.audit.outcomes import series
from tests.sampling import LONG_RUN

SMALL = list(product(range(18 if LONG_RUN else 12), repeat=2))


LOSSES = [(0, 90), (0, 95), (0, 92), (0, 91), (0, 97)]
FEW = [(5, 1), (7, 3), (4, 4), (2, 3), (6, 2), (3, 2)]
RESULTS = {
    "four": [(5, 1), (2, 3), (4, 4), (9, 2)],
    "three": [(5, 1), (2, 3), (4, 4)],
    "two": [(5, 1), (2, 3)],
    "one": [(5, 1)],
    "one tie": [(2, 2)],
    "ties": [(2, 2)] * 30,
    "equals": [(1, 0), (0, 1)] * 8,
    "two losses": [(0, 1)] * 2,
    "nine wins": [(1, 0)] * 9,
    "nine losses": [(0, 1)] * 9,
    "twenty wins": [(1, 0)] * 20,
    "better": [(1, 3)] * 9 + [(2, 1)],
    "few": FEW,
    "many": FEW * 5,
    "with the lead": [(5, 1), (6, 1), (7, 1), (5, 2)],
    **{f"{ahead} ahead": [(3, 2)] * ahead + LOSSES for ahead in (4, 5, 6, 7, 10)},
}
"""The scores of Anna and Ben in several series; in each, both have another version."""


def version(name: str) -> str:
    """The hash of both bots in a series."""
    return sha256(name.encode()).hexdigest()


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The matches of all series."""
    folder = tmp_path_factory.mktemp("history")
    for name, results in RESULTS.items():
        series(folder / name, results, bots=dict.fromkeys(("Anna", "Ben"), version(name)))
    with open_database([folder], current_only=True) as database:
        yield database


def met_in(history: Database, name: str, a: str = "Anna", b: str = "Ben") -> Comparison:
    """A against B in a series."""
    return comparison.compare(history, f"{a}@{version(name)}", f"{b}@{version(name)}")


def compared(folder: Path, a: str = "Anna", b: str = "Ben") -> Comparison:
    """A against B by the logs in a folder."""
    with open_database([folder], current_only=True) as database:
        return comparison.compare(database, a, b)


# --- the statistics ------------------------------------------------------------------------------


def exact(ahead: int, behind: int) -> Fraction:
    """The sign test in fractions."""
    n = ahead + behind
    tail, ways = 0, math.comb(n, max(ahead, behind))
    for k in range(max(ahead, behind), n + 1):
        tail += ways
        ways = ways * (n - k) // (k + 1)
    return min(Fraction(1), Fraction(2 * tail, 2**n))


@pytest.mark.parametrize(
    ("ahead", "behind", "p"),
    [
        (9, 1, 0.021484375),
        (8, 2, 0.109375),
        (0, 10, 0.001953125),
        (3, 3, 1),
        (0, 0, 1),
        (6, 0, 1 / 32),
        (600, 600, 1),
        (3_000, 0, 0),
    ],
)
def test_the_sign_test(ahead: int, behind: int, p: float) -> None:
    """p is that of the tables of the binomial distribution."""
    assert comparison.sign_test(ahead, behind) == pytest.approx(p, rel=1e-12)


def test_the_sign_test_is_exact() -> None:
    """For all small counts, and for a few large ones, p is the fraction, and mirrors."""
    for ahead, behind in [*SMALL, (3_000, 2_800), (700, 1_300)]:
        p = comparison.sign_test(ahead, behind)
        assert p == pytest.approx(float(exact(ahead, behind)), rel=1e-9)
        assert p == comparison.sign_test(behind, ahead)


@pytest.mark.parametrize(
    ("ahead", "behind", "low", "high"),
    [
        (682, 243, 0.7076683, 0.7654066),
        (7, 3, 0.3475471, 0.9332605),
        (0, 10, 0, 0.3084971),
        (10, 0, 0.6915029, 1),
        (0, 0, 0, 1),
    ],
)
def test_the_interval_of_the_share(ahead: int, behind: int, low: float, high: float) -> None:
    """Clopper and Pearson's interval is that of the literature (Conover 1971; R's binom.test)."""
    assert comparison.share_interval(ahead, behind) == pytest.approx((low, high), abs=1e-7)


def test_interval_and_test_agree() -> None:
    """The interval leaves out one half just when p is below 5 %; swapped, it is mirrored."""
    for ahead, behind in SMALL:
        low, high = comparison.share_interval(ahead, behind)
        assert (not low <= 0.5 <= high) == (exact(ahead, behind) < Fraction(1, 20))
        assert comparison.share_interval(behind, ahead) == pytest.approx((1 - high, 1 - low))


@given(st.integers(0, 400), st.integers(0, 400))
def test_laws_of_the_interval(ahead: int, behind: int) -> None:
    """It holds the share, is mirrored where the bots are swapped, and rises with every win."""
    low, high = comparison.share_interval(ahead, behind)
    if ahead + behind:
        assert 0 <= low <= ahead / (ahead + behind) <= high <= 1
        assert low < high
    assert comparison.share_interval(behind, ahead) == pytest.approx((1 - high, 1 - low))
    more_low, more_high = comparison.share_interval(ahead + 1, behind)
    assert (low, high) <= (more_low + 1e-12, more_high + 1e-12)
    less_low, less_high = comparison.share_interval(ahead, behind + 1)
    assert (less_low, less_high) <= (low + 1e-12, high + 1e-12)


@pytest.mark.parametrize(("share", "n"), [(0.7, 50), (0.6, 197), (0.55, 785), (1, 8), (0.3, 50)])
def test_the_matches_needed(share: float, n: int) -> None:
    """They are what Noether's formula gives by hand: 7.849 / 4 (share - 1/2)², rounded up."""
    assert comparison.matches_needed(share) == n


@given(st.floats(0.51, 1), st.floats(0.51, 1))
def test_the_matches_needed_fall(one: float, other: float) -> None:
    """A greater difference needs no more matches, and either bot may be the one ahead."""
    less, more = sorted([one, other])
    assert comparison.matches_needed(more) <= comparison.matches_needed(less)
    assert abs(comparison.matches_needed(1 - one) - comparison.matches_needed(one)) <= 1


@pytest.mark.parametrize("tenths", [6, 7, 8])
def test_the_matches_needed_give_the_power(tenths: int) -> None:
    """With so many matches the exact test decides with a probability of about 80 %."""
    share = tenths / 10
    n = comparison.matches_needed(share)
    power = sum(
        math.comb(n, k) * share**k * (1 - share) ** (n - k)
        for k in range(n + 1)
        if exact(k, n - k) < Fraction(1, 20)
    )
    assert 0.7 < power < 0.9


# --- comparisons ---------------------------------------------------------------------------------


def test_a_comparison_by_hand(history: Database) -> None:
    """Counts, mean and interval of the difference are those of the matches."""
    found = met_in(history, "four")
    [(game, met)] = found.games.items()
    assert game == "coins"
    assert (met.matches, met.ahead, met.behind, met.ties) == (4, 2, 1, 1)
    assert met.share == pytest.approx(2 / 3)
    assert met.difference is not None
    margin = 3.1824 * math.sqrt(41 / 3) / 2  # of 4, -1, 0, 7
    low, high = met.difference.low, met.difference.high
    assert (met.difference.mean, low, high) == pytest.approx((2.5, 2.5 - margin, 2.5 + margin))
    assert found.better is None
    # (1.960 + 0.842)² / (4 (0.6 - 1/2)²) = 196.2 matches that are no tie; one in four is a tie.
    assert found.further == found.together.needed(0.6) == math.ceil(197 * 4 / 3)


def test_two_matches_have_an_interval(history: Database) -> None:
    """Of the differences 4 and -1 it is 1.5 ± 12.7062 × 5 / 2, and there is none of one match."""
    [met] = met_in(history, "two").games.values()
    margin = 12.7062 * 2.5
    assert met.difference is not None
    assert (met.difference.low, met.difference.high) == pytest.approx((1.5 - margin, 1.5 + margin))
    [met] = met_in(history, "one").games.values()
    assert met.difference == comparison.ScoreDifference(4, None, None)


def test_who_won_is_ahead_of_who_scored(tmp_path: Path) -> None:
    """A bot that won alone is ahead, whatever the scores; with equal wins the scores decide."""
    outcomes.match(tmp_path / "0.jsonl", {"Anna": 1, "Ben": 5}, winners=["Anna"])
    outcomes.match(tmp_path / "1.jsonl", {"Anna": 1, "Ben": 5}, number=1, winners=["Anna", "Ben"])
    outcomes.match(tmp_path / "2.jsonl", {"Anna": 3, "Ben": 2}, number=2, winners=[])
    met = compared(tmp_path).together
    assert (met.ahead, met.behind, met.ties) == (2, 1, 0)


@pytest.mark.parametrize("tournament_log", [True, False])
def test_a_mirrored_pair_counts_as_one(tmp_path: Path, tournament_log: bool) -> None:
    """Two matches with the same dice are one observation, with the sum of their differences."""
    for mirrored, matches in ((0, 4), (1, 2)):
        folder = tmp_path / str(mirrored)
        logs = contest(mirrored)
        logs.write(folder)
        if not tournament_log:
            (folder / "tournament.jsonl").unlink()
        met = [event for event in logs.played if {*event["seats"]} == {0, 1}]
        total = sum(
            event["scores"][event["seats"].index(0)] - event["scores"][event["seats"].index(1)]
            for event in met
        )
        [meetings] = compared(folder).games.values()
        assert meetings.matches == matches
        assert meetings.difference
        assert meetings.difference.mean == total / matches


def test_swapping_mirrors(history: Database) -> None:
    """B against A is A against B with the signs turned; the verdict is the same."""
    for name in ("three", "nine wins", "nine losses"):
        one, two = met_in(history, name), met_in(history, name, "Ben", "Anna")
        assert (one.a, one.b) == (two.b, two.a)
        assert one.better == two.better
        assert (one.further, one.together.p) == (two.further, two.together.p)
        met, turned = one.games["coins"], two.games["coins"]
        assert (met.ahead, met.behind, met.ties) == (turned.behind, turned.ahead, turned.ties)
        gap, other = met.difference, turned.difference
        assert gap is not None
        assert other is not None
        assert gap.mean == -other.mean
        assert (gap.low, gap.high) == (
            None if other.high is None else -other.high,
            None if other.low is None else -other.low,
        )


def test_equals_are_not_decided(history: Database) -> None:
    """At 8 to 8 the text gives the interval, and the further matches for stated shares."""
    found = met_in(history, "equals")
    assert (found.better, found.together.p, found.further) == (None, 1, 197)
    text = " ".join(comparison.as_text(found).split())
    assert "ahead in 8 of 16 matches that were no tie, p = 1.0000; 50.0 % (95 % interval: " in text
    assert "24.7 % to 75.3 %)" in text
    assert "ahead in 60 % of such matches in the long run, about 197 further matches" in text
    assert "(785 for 55 %, 50 for 70 %)" in text


def test_two_losses_decide_nothing(history: Database) -> None:
    """At 0 to 2 nothing is claimed of the true share but its interval."""
    found = met_in(history, "two losses")
    assert (found.better, found.further) == (None, 197)
    text = " ".join(comparison.as_text(found).split())
    assert "ahead in 0 of 2 matches that were no tie, p = 0.5000; 0.0 % (95 % interval: " in text
    assert "0.0 % to 84.2 %)" in text
    assert "really" not in text


def test_ties_alone_decide_nothing(history: Database) -> None:
    """Matches that all end in a tie leave everything open."""
    found = met_in(history, "ties")
    assert (found.better, found.together.share, found.together.p) == (None, None, 1)
    assert comparison.share_interval(0, 0) == (0, 1)
    assert (found.further, found.together.needed()) == (None, None)
    assert "Not decided: all 30 matches were ties." in comparison.as_text(found)


def test_more_matches_narrow(history: Database) -> None:
    """The same results five times over: narrower intervals, smaller p, and a decision."""
    few, many = met_in(history, "few"), met_in(history, "many")
    assert (few.better, many.better) == (None, many.a)
    assert many.together.p < few.together.p
    assert many.together.share == few.together.share
    widths = []
    for found in (few, many):
        met = found.games["coins"]
        low, high = comparison.share_interval(met.ahead, met.behind)
        gap = met.difference
        assert gap is not None
        assert gap.low is not None
        assert gap.high is not None
        widths.append((high - low, gap.high - gap.low))
    assert widths[1][0] < widths[0][0]
    assert widths[1][1] < widths[0][1]


def test_the_order_of_the_files_does_not_matter(tmp_path: Path) -> None:
    """Names and second copies of the logs do not change the comparison."""
    folder = series(tmp_path / "logs", RESULTS["four"])
    before = compared(folder)
    for log in list(folder.iterdir()):
        log.with_stem(f"{9 - int(log.stem)} copy").write_bytes(log.read_bytes())
    assert compared(folder) == before


def test_others_at_the_table(tmp_path: Path) -> None:
    """Two players are compared in matches of several; matches with only one of them are ignored."""
    outcomes.match(tmp_path / "0.jsonl", {"Ben": 4, "Cleo": 9, "Anna": 6})
    outcomes.match(tmp_path / "1.jsonl", {"Cleo": 4, "Anna": 6}, number=1)
    outcomes.match(tmp_path / "2.jsonl", {"Anna": 0, "Ben": 6}, number=2, reason="void")
    found = compared(tmp_path)
    assert (found.together.matches, found.together.ahead) == (1, 1)


def test_several_games(tmp_path: Path) -> None:
    """Each game has its own result, and the verdict uses all matches together."""
    for number in range(4):
        outcomes.match(tmp_path / f"{number}.jsonl", {"Anna": 5, "Ben": number}, number=number)
        outcomes.match(tmp_path / f"c{number}.jsonl", {"Ben": 0, "Anna": 1}, "coup", number)
    found = compared(tmp_path)
    assert list(found.games) == ["coins", "coup"]
    assert [met.p for met in found.games.values()] == [0.125, 0.125]
    assert found.better == found.a
    assert found.games["coup"].difference == comparison.ScoreDifference(1, None, None)
    lines = comparison.as_text(found).splitlines()
    assert [line.split()[:2] for line in lines if line.startswith("all games")] == [
        ["all", "games"]
    ]


def test_a_verdict_against_the_scores_is_said(history: Database) -> None:
    """A player that leads more matches but has clearly lower scores is named."""
    found = met_in(history, "10 ahead")
    text = comparison.as_text(found)
    assert (
        f"But in coins {found.b} scores more than {found.a}, although it is less often ahead."
        in text
    )
    mirrored = met_in(history, "10 ahead", "Ben", "Anna")
    assert f"But in coins {found.b} scores more than {found.a}" in comparison.as_text(mirrored)


@pytest.mark.parametrize("ahead", [4, 5, 6, 7])
def test_scores_against_the_lead_are_said_if_there_is_a_lead(ahead: int, history: Database) -> None:
    """Five clear losses say nothing against a bot that is behind, or as often ahead."""
    for a, b in ("Anna", "Ben"), ("Ben", "Anna"):
        text = comparison.as_text(met_in(history, f"{ahead} ahead", a, b))
        assert ("But in coins Ben" in text) == ("But in" in text) == (ahead > 5)


def test_scores_that_agree_with_the_lead_are_not_said(history: Database) -> None:
    """A bot that leads, and clearly scores more, is not contradicted, in either order."""
    for a, b in ("Anna", "Ben"), ("Ben", "Anna"):
        found = met_in(history, "with the lead", a, b)
        gap = found.games["coins"].difference
        assert gap is not None
        assert gap.low is not None
        assert gap.high is not None
        assert gap.low * gap.high > 0
        assert "But in" not in comparison.as_text(found)


def test_each_game_is_compared_with_its_scores(history: Database, tmp_path: Path) -> None:
    """A game without an interval does not hide what another one shows; one game has no sum."""
    outcomes.match(tmp_path / "c.jsonl", {"Anna": 1, "Ben": 0}, "bank_heist")
    series(tmp_path / "coins", RESULTS["10 ahead"])
    text = comparison.as_text(compared(tmp_path))
    assert "all games" in text
    assert "But in coins Ben@" in text
    assert "all games" not in comparison.as_text(met_in(history, "10 ahead"))


def test_one_tie_decides_nothing(history: Database) -> None:
    """A single match is not called several."""
    found = met_in(history, "one tie")
    assert "\nNot decided: the match was a tie.\n" in comparison.as_text(found)


def test_verdicts_in_words(history: Database) -> None:
    """The text names the better player, and the certainty."""
    won = met_in(history, "better")
    assert (
        f"{won.b} is better than {won.a}: ahead in 9 of 10 matches that were no tie, p = 0.0215; "
        "90.0 % (95 % interval: 55.5 % to 99.7 %)."
    ) in " ".join(comparison.as_text(won).split())
    sure = met_in(history, "twenty wins")
    text = " ".join(comparison.as_text(sure).split())
    assert f"{sure.a} is better than {sure.b}: ahead in 20 of 20 matches" in text
    assert "p < 0.0001; 100.0 % (95 % interval:" in text
    assert "But in" not in comparison.as_text(won) + text


def test_text_fits_100_columns(history: Database) -> None:
    """No line is longer than 100 columns, as in every leaderboard."""
    won = met_in(history, "better")
    assert max(map(len, comparison.as_text(won).splitlines())) <= 100


def test_as_json(history: Database) -> None:
    """The JSON has all numbers and the verdict."""
    found = met_in(history, "better")
    value = json.loads(comparison.as_json(found))
    assert value["format"] == "koth-comparison/1"
    assert (value["a"]["name"], value["b"]["name"]) == ("Anna", "Ben")
    assert (value["verdict"], value["further_matches"]) == ("b", 0)
    numbers = {"matches": 10, "ahead": 1, "behind": 9, "ties": 0, "share": 0.1, "p": 0.02148}
    numbers |= {"low": 0.0025, "high": 0.445}
    assert value["all"] == numbers
    gap = {"difference": -1.7, "difference_low": -2.3786, "difference_high": -1.0214}
    assert value["games"] == {"coins": numbers | gap}
    assert value["matches_needed_by_share"] == {"0.55": 785, "0.6": 197, "0.7": 50}


def test_names_are_shown_as_they_are(history: Database) -> None:
    """JSON has letters of all languages, and text no control characters."""
    found = met_in(history, "one")
    strange = replace(found, a=comparison.Bot("Zoë", "a" * 64), b=comparison.Bot("\x1b", "b" * 64))
    assert '\n  "name": "Zoë",\n' in comparison.as_json(strange)
    assert "A is Zoë@aaaaaaaa, B is \\x1b@bbbbbbbb." in comparison.as_text(strange)


# --- who is meant --------------------------------------------------------------------------------


def test_an_unknown_bot(history: Database) -> None:
    """A name that nobody has is refused, with the one that may be meant."""
    with pytest.raises(
        UsageError, match=r"no bot 'Ana' played in these matches\. Did you mean 'Anna'"
    ):
        comparison.compare(history, "Ana", "Ben")


def test_one_name_of_several_bots(tmp_path: Path) -> None:
    """Bots with the same name are distinguished by the head of the hash, which the error shows."""
    for number, hash in enumerate(("a" * 63 + "0", "b" * 63 + "0")):
        outcomes.match(
            tmp_path / f"{number}.jsonl", {"Anna": 1, "Ben": 0}, number=number, bots={"Anna": hash}
        )
    choice = "2 bots are called 'Anna'; name one of them: Anna@aaaaaaaa, Anna@bbbbbbbb"
    with open_database([tmp_path], current_only=True) as database:
        with pytest.raises(UsageError, match=choice):
            comparison.compare(database, "Anna", "Ben")
        assert comparison.compare(database, "Anna@bb", "Ben").a.bot == "b" * 63 + "0"
        with pytest.raises(NothingToDo, match="never played in the same match that counts"):
            comparison.compare(database, "Anna@a", "Anna@b")
        for word in ("Anna@c", "Anna@0", "Anna@", "Ben@bb"):
            with pytest.raises(UsageError, match=f"no bot '{word}'"):
                comparison.compare(database, word, "Ben")


def test_with_itself(history: Database) -> None:
    """A bot is not compared with itself."""
    with pytest.raises(UsageError, match="cannot be compared with itself"):
        met_in(history, "one", "Ben", "Ben")


def test_two_that_never_met(history: Database) -> None:
    """Bots of different matches are not compared; the error says what can be done."""
    with pytest.raises(
        NothingToDo, match=r"never played in the same match that counts\. `--rating`"
    ):
        comparison.compare(history, f"Anna@{version('one')}", f"Ben@{version('two')}")
