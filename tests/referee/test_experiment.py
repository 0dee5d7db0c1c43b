"""Experiments: pairs of matches, their scores, and the order in which they are played."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.table import Result
from referee.batch.scheduler import Batch
from referee.bot import Bot
from referee.errors import BotsError
from referee.experiment import comparison as comparisons
from referee.experiment import pairs, render
from referee.experiment.comparison import Comparison, make_folders
from referee.experiment.pairs import Experiment, Pair
from referee.experiment.sequential import Decision, SequentialTest, elo, interval
from referee.match import MatchJob
from referee.roster.resolve import EXAMPLES, resolve
from schema.card import Card
from schema.errors import UsageError
from schema.executor import Mapper
from schema.rules_version import CardError
from tests.factories import SEED
from tests.referee.bot_factory import CARD, COINS, UNIQUE

Play = Callable[[MatchJob], Result]


def bot(name: str) -> Bot:
    """Return a bot that is never started."""
    return Bot(name, ("./bot",), ())


def experiment(
    mine: str = "mine",
    against: Iterable[str] = ("old",),
    field: Iterable[str] | None = None,
    card: Card = CARD,
    folder: Path = Path("none"),
    **settings: int,
) -> Experiment:
    """Return an experiment between bots that are never started."""
    rest = None if field is None else [*map(bot, field)]
    values = card.settings(settings)
    return pairs.plan(
        card, [bot(mine)], [*map(bot, against)], rest, values, SEED, folder, "process"
    )


def result(scores: Iterable[int], faults: tuple[tuple[int, str], ...] = (), **more: Any) -> Result:
    """Return a result; the seats with the highest score win."""
    points = tuple(scores)
    winners = tuple(seat for seat, score in enumerate(points) if score == max(points))
    return replace(Result("played", points, winners, faults, ""), **more)


def by_strength(job: MatchJob) -> Result:
    """Return a result by chance, which follows from the dice and the names of the bots."""
    luck = [
        sha256(f"{job.seed}{one.name}{seat}".encode()).digest()[0] % 3
        for seat, one in enumerate(job.bots)
    ]
    return result(luck)


def mapper(play: Play, ahead: int = 0) -> Mapper:
    """Return a mapper that plays nothing, and takes some batches before it gives a result."""

    def map_(function: Any, batches: Iterable[Any], /) -> Generator[Any, None, None]:
        waiting: list[Batch] = []
        for batch in batches:
            waiting.append(batch)
            if len(waiting) > ahead:
                yield [play(job) for job in waiting.pop(0).jobs]
        yield from ([play(job) for job in batch.jobs] for batch in waiting)

    return map_


def compared(
    of: Experiment, play: Play, games: int | None = None, ahead: int = 0, **test: float
) -> Comparison:
    """Return a comparison that was played."""
    comparison = Comparison(of, SequentialTest(**test))
    comparison.play(mapper(play, ahead), games, lambda: None)
    return comparison


def test_a_mirrored_pair() -> None:
    """Both matches of a pair have the same dice and exchanged seats; no two pairs share dice."""
    first, second = islice(pairs.pairs(experiment()), 2)
    for pair in (first, second):
        one, other = pair.jobs
        assert one.seed == other.seed
        assert [seated.name for seated in one.bots] == ["mine", "old"]
        assert [seated.name for seated in other.bots] == ["old", "mine"]
    assert first.jobs[0].seed != second.jobs[0].seed
    ids = [job.match for pair in (first, second) for job in pair.jobs]
    assert ids == [f"1-{number:06}" for number in range(4)]


@pytest.mark.parametrize(
    ("card", "against", "field", "seats"),
    [
        (COINS, ["old"], ["a", "b", "c"], 4),
        (COINS, ["old", "older", "oldest"], None, 3),
        (UNIQUE, ["old"], list("abcdefghijkl"), 10),
    ],
)
def test_a_pair_for_a_seat(card: Card, against: list[str], field: list[str], seats: int) -> None:
    """The bot and its rival have the same seat, beside the same field, with the same dice."""
    places = set()
    for pair in islice(pairs.pairs(experiment(card=card, against=against, field=field)), 40):
        one, other = pair.jobs
        seat = pair.seats[0]
        places.add(seat)
        assert one.seed == other.seed
        assert (one.bots[seat].name, other.bots[seat].name) == ("mine", against[pair.rival])
        assert one.bots[:seat] + one.bots[seat + 1 :] == other.bots[:seat] + other.bots[seat + 1 :]
        for job in pair.jobs:
            assert len({seated.name for seated in job.bots}) == len(job.bots) == seats
    assert len(places) == seats


def test_an_experiment_has_all_its_bots() -> None:
    """The bot comes first, then its rivals, then the field; all play in the same way."""
    of = experiment(card=COINS, against=["old"], field="abc")
    assert [seated.name for seated in of.bots] == ["mine", "old", "a", "b", "c"]
    for cold in (False, True):
        pair = next(pairs.pairs(replace(of, cold=cold)))
        assert [job.cold for job in pair.jobs] == [cold, cold]


def test_no_experiment_with_a_broken_game() -> None:
    """The card of the game is checked first."""
    broken = patch.object(type(CARD.current), "check", side_effect=CardError("broken"))
    with broken, pytest.raises(CardError):
        experiment()


def test_rivals_that_fill_no_match_have_the_examples_as_their_field() -> None:
    """Without a field, the game's example bots have the other seats, unless the rivals do."""
    for of in experiment(card=COINS), experiment(card=UNIQUE, against="abc"):
        assert {"saboteur"} < {one.name for one in of.field or ()}
    assert experiment(card=COINS, against="ab").field is None


@given(st.integers(2, 60))
def test_exchanged_bots_mirror_the_scores(games: int) -> None:
    """If the bots are exchanged, each pair has the rest of its points, and so has the decision."""
    there, back = (
        compared(experiment(mine, other), by_strength, games, elo0=-100.0, elo1=100.0)
        for mine, other in ("ab", "ba")
    )
    # Exchanged bots play the same two matches of a pair, in the other order.
    assert back.counts == there.counts[::-1]
    opposite = {Decision.BETTER: Decision.NOT_BETTER, Decision.NOT_BETTER: Decision.BETTER}
    assert back.decision is opposite.get(there.decision, Decision.UNDECIDED)


@given(st.permutations([0, 0, 1, 2, 2, 2, 3, 4, 4]))
def test_the_order_of_pairs_does_not_matter(order: list[int]) -> None:
    """The state after some pairs is that of their counts."""
    halves = {0: (0, 0), 1: (0, 1), 2: (1, 1), 3: (1, 2), 4: (2, 2)}
    points = iter([half for score in order for half in halves[score]])

    def play(job: MatchJob) -> Result:
        own, seat = next(points), [seated.name for seated in job.bots].index("mine")
        return result([own, 2 - own] if seat == 0 else [2 - own, own])

    comparison = compared(experiment(), play, 18)
    assert comparison.counts == [2, 1, 3, 1, 2]
    assert len(comparison.losses) == 2 * 2 + 1


@pytest.mark.parametrize("ahead", [1, 3, 11])
@pytest.mark.parametrize("card", [CARD, UNIQUE])
def test_a_decision_does_not_depend_on_the_workers(ahead: int, card: Card, tmp_path: Path) -> None:
    """Matches that were begun too early count for nothing, and their logs are removed."""

    def play(job: MatchJob) -> Result:
        job.log.parent.mkdir(exist_ok=True)
        job.log.touch()
        return by_strength(job)

    of = experiment(card=card, field=None if card is CARD else "abcdefghi", folder=tmp_path)
    alone, many = (compared(of, play, ahead=n, elo1=200.0) for n in (0, ahead))
    assert alone.counts == many.counts
    assert alone.decision is many.decision is not Decision.UNDECIDED
    assert [loss.job.match for loss in alone.losses] == [loss.job.match for loss in many.losses]
    many.drop_unfinished()
    kept = sorted(path.stem for path in (tmp_path / "matches").iterdir())
    assert kept == [f"1-{number:06}" for number in range(2 * many.pairs)]


@pytest.mark.parametrize("together", [1, 3, 8])
@pytest.mark.parametrize("card", [CARD, UNIQUE])
def test_pairs_that_are_played_together_count_one_by_one(together: int, card: Card) -> None:
    """The score is the same, and known after each pair, whether or not they share a batch.

    Only games that play matches in batches share one.
    """
    of = experiment(card=card, field=None if card is CARD else "abcdefghi")
    comparison, known, sizes = Comparison(of, SequentialTest()), list[int](), list[int]()

    def map_(function: Any, batches: Iterable[Any], /) -> Generator[Any, None, None]:
        for batch in batches:
            sizes.append(len(batch.jobs))
            yield [by_strength(job) for job in batch.jobs]

    with patch.object(comparisons, "TOGETHER", together):
        comparison.play(map_, 20, lambda: known.append(comparison.pairs))
    assert known == [*range(1, 11)]
    shared = 1 if card is CARD else together
    assert sizes == [2 * shared] * (10 // shared) + [2 * (10 % shared)] * (10 % shared > 0)
    expected = [pair.score([*map(by_strength, pair.jobs)]) for pair in islice(pairs.pairs(of), 10)]
    assert comparison.counts == [expected.count(score) for score in range(5)]


def test_a_field_is_met_in_full_rounds() -> None:
    """All rivals are met equally often at each decision, which is about all pairs together."""
    of = experiment(against=["a", "b", "c"])
    comparison = compared(of, lambda job: result([one.name == "mine" for one in job.bots]))
    assert comparison.decision is Decision.BETTER
    assert len({sum(counts) for counts in comparison.counts_by_rival}) == 1
    capped = compared(of, by_strength, games=13)
    assert capped.pairs == 6
    assert capped.decision is Decision.UNDECIDED
    with pytest.raises(UsageError, match="--games 5: expected at least 6, a pair against each"):
        compared(of, by_strength, games=5)


@pytest.mark.parametrize(
    ("elo0", "elo1", "quarters", "sentence"),
    [
        (0, 50, [0, 0, 9, 9, 9], "mine is better than old"),
        (0, 50, [0, 0, 40, 0, 0], "mine is not better than old"),
        (0, 50, [9, 9, 9, 0, 0], "mine is worse than old"),
        (-50, 0, [0, 0, 40, 0, 0], "mine is not worse than old"),
        (-50, 0, [0, 0, 9, 9, 9], "mine is better than old"),
        (-50, 0, [9, 9, 9, 0, 0], "mine is worse than old"),
        (1, 60, [0, 0, 9, 9, 9], "mine is more than 1 Elo better than old"),
        (50, 100, [0, 0, 9, 9, 9], "mine is more than 50 Elo better than old"),
        (50, 100, [0, 0, 50, 20, 0], "mine is not more than 50 Elo better than old"),
    ],
)
def test_a_decision_in_words(elo0: int, elo1: int, quarters: list[int], sentence: str) -> None:
    """The sentence says no more of two bots than the difference that the test excludes."""
    comparison = Comparison(experiment(), SequentialTest(elo0=elo0, elo1=elo1))
    comparison.counts_by_rival = [quarters]
    assert comparison.decision is not Decision.UNDECIDED
    assert render.verdict(comparison).startswith(f"{sentence}, by the sum of ")


def test_a_decision_has_its_error() -> None:
    """Each decision names its own probability of an error, and several rivals by their number."""
    test = SequentialTest(alpha=0.02, beta=0.1)
    for quarters, relation, elos, error in (
        ([0, 0, 20, 20, 20], "better", "+50 Elo against +0 Elo", "2 %"),
        ([20, 20, 20, 0, 0], "worse", "+0 Elo against +50 Elo", "10 %"),
    ):
        comparison = Comparison(experiment(), test)
        comparison.counts_by_rival = [quarters]
        assert render.verdict(comparison) == (
            f"mine is {relation} than old, by the sum of 60 pairs: {elos} (error at most {error})."
        )
    comparison = Comparison(experiment(against="ab"), test)
    comparison.counts_by_rival = [[0, 0, 9, 9, 9]] * 2
    assert "better than these 2 bots together, by the sum of 54 pairs" in render.verdict(comparison)


def test_an_experiment_has_a_folder_of_its_own(tmp_path: Path) -> None:
    """Logs and evidence have their folders, in a new or an empty one."""
    of = experiment(folder=tmp_path / "deep" / "down")
    make_folders(of)
    assert sorted(path.name for path in of.folder.iterdir()) == ["evidence", "matches"]
    with pytest.raises(UsageError, match="expected a new or an empty folder"):
        make_folders(of)


def test_faults_are_counted_by_name_and_kind() -> None:
    """The faults of all bots count, of both matches of each pair."""

    def play(job: MatchJob) -> Result:
        names = [one.name for one in job.bots]
        faults = [(names.index("mine"), "timeout")]
        if names[0] == "mine":
            faults.append((1, "crash"))
        return result([1, 1], tuple(faults))

    assert compared(experiment(), play, 6).faults == {"mine": {"timeout": 6}, "old": {"crash": 3}}


def test_the_field_has_no_rival_twice() -> None:
    """An example bot that is a rival is not in the field of examples, too."""
    examples = resolve([EXAMPLES], COINS)
    of = pairs.plan(
        COINS, [bot("mine")], examples[:1], None, COINS.settings({}), SEED, Path("none"), "process"
    )
    assert [one.hash for one in of.field or ()] == [one.hash for one in examples[1:]]


def test_the_numbers_of_rivals() -> None:
    """Each rival has its numbers, and several have those of all together; none is infinite."""
    comparison = Comparison(experiment(against="ab"), SequentialTest())
    comparison.counts_by_rival = [[0, 0, 1, 1, 1], [0, 0, 0, 0, 3]]
    value = json.loads(render.as_json(comparison))
    numbers = ("games", "pairs", "counts", "score", "elo")
    assert [value[name] for name in numbers] == [12, 6, [0, 0, 1, 1, 4], 0.875, 338.0]
    first, second = value["against"]
    assert [first[name] for name in numbers] == [6, 3, [0, 0, 1, 1, 1], 0.75, 190.8]
    assert [second[name] for name in numbers] == [6, 3, [0, 0, 0, 0, 3], 1.0, None]
    low, high = interval([0, 0, 1, 1, 1])
    assert (first["low"], first["high"]) == (round(low, 4), round(high, 4))
    assert (first["elo_low"], first["elo_high"]) == (round(elo(low), 1), round(elo(high), 1))
    table = [line.split()[:2] for line in render.text(comparison).splitlines()[:4]]
    assert table == [["against", "pairs"], ["a", "3"], ["b", "3"], ["together", "6"]]
    comparison.counts_by_rival = [[0, 0, 1, 1, 1], [0] * 5]
    unknown = json.loads(render.as_json(comparison))["against"][1]
    assert [unknown[name] for name in numbers] == [0, 0, [0] * 5, None, None]
    assert render.text(comparison).splitlines()[2].split() == ["b", "0"]
    alone = Comparison(experiment(), SequentialTest())
    alone.counts_by_rival = [[0, 0, 2, 0, 1]]
    assert json.loads(render.as_json(alone))["score"] == 0.6667
    assert "together" not in render.text(alone)


def test_any_number_of_games_may_be_allowed() -> None:
    """A number of games beyond 64 bits is a limit that no experiment reaches."""
    comparison = compared(
        experiment(), lambda job: result([one.name == "mine" for one in job.bots]), 10**30
    )
    assert comparison.decision is Decision.BETTER


def test_lost_matches_and_their_faults(tmp_path: Path) -> None:
    """Each lost match has the bot's own faults, and the command that shows it, without control
    characters.
    """
    of = experiment("mine", ["Zoë\x1b"], folder=tmp_path)

    def play(job: MatchJob) -> Result:
        own = [one.name for one in job.bots].index("mine")
        faults = ((own, "timeout"), (1 - own, "crash")) if own else ((1 - own, "crash"),)
        return result([seat != own for seat in (0, 1)], faults, reason="forfeit")

    comparison = compared(of, play, 2)
    matches = tmp_path / "matches"
    value = json.loads(render.as_json(comparison))
    assert [(lost["seat"], lost["faults"]) for lost in value["lost"]] == [(0, []), (1, ["timeout"])]
    logs = [f"{matches}/1-{number:06}.jsonl" for number in (0, 1)]
    assert [lost["log"] for lost in value["lost"]] == logs
    assert [lost["other"] for lost in value["lost"]] == logs[::-1]
    assert value["bounds"] == [-2.9957, 2.9957]
    assert value["llr"] == round(comparison.test.llr([1, 0, 0, 0, 0]), 4)
    assert '\n   "name": "Zoë\\u001b",\n' in render.as_json(comparison)
    lines = render.text(comparison).splitlines()
    assert lines[:5] == [
        "2 lost matches; each command writes one as a page:",
        "",
        rf"  Zoë\x1b, seat 0, forfeit: koth report {matches}/1-000000.jsonl -o 1-000000.html",
        rf"  Zoë\x1b, seat 1, timeout: koth report {matches}/1-000001.jsonl -o 1-000001.html",
        "",
    ]


def test_a_rival_of_the_same_name_gets_a_number() -> None:
    """An earlier version of a bot often has the same name."""
    assert [one.name for one in experiment(against=["mine"]).bots] == ["mine", "mine-2"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"field": ["a"]}, "--field: a match of Coup for two has no seats for a field"),
        (
            {"card": UNIQUE, "field": ["a"]},
            r"found 2\. Name 8 more bots for .* with --field, a bot may be named again\.",
        ),
        (
            {"card": UNIQUE, "field": []},
            r"expected 10 bots .*, found 1\. Name 9 .* --field, such as `--field examples`\.",
        ),
    ],
)
def test_bots_that_fill_no_match_are_refused(words: dict[str, Any], message: str) -> None:
    """The message names the option that helps."""
    with pytest.raises(UsageError, match=message):
        experiment(**words)


def test_one_bot_is_compared() -> None:
    """A folder of bots is not one bot."""
    seven = [bot(name) for name in "abcdefg"]
    with pytest.raises(UsageError, match="compare, found 7: a, b, c, d, e and 2 more"):
        pairs.plan(CARD, seven, seven, None, CARD.settings({}), SEED, Path("none"), "process")


def competed() -> Pair:
    """Return a pair for a seat of Smallest Unique Number."""
    return next(pairs.pairs(experiment(card=UNIQUE, field="abcdefghi")))


def test_scores_for_a_seat() -> None:
    """The winner at the seat is ahead; without one, the higher score is."""
    pair = competed()
    seat = pair.seats[0]

    def points(own: int, best: int) -> Result:
        return result(own if place == seat else best for place in range(10))

    assert pair.score([points(5, 4), points(9, 10)]) == 4
    assert pair.score([points(3, 4), points(4, 5)]) == 0
    assert pair.score([points(3, 4), points(3, 9)]) == 2
    assert [*pair.lost([points(3, 4), points(4, 5)])] == [0]
    assert [*pair.lost([points(4, 5), points(3, 4)])] == []


def test_void_matches() -> None:
    """A bot that makes its match void is behind, whatever its points; a third bot is an error."""
    fine = result(range(10))
    for pair in islice(pairs.pairs(experiment(card=UNIQUE, field="abcdefghi")), 20):
        seat = pair.seats[0]
        void = result([99] * 10, ((seat, "crash"),), winners=(), reason="void")
        assert pair.score([void, fine]) == 0
        assert pair.score([fine, void]) == 4
        assert pair.score([void, void]) == 2
        for other in {*range(10)} - {seat}:
            third = result([0] * 10, ((other, "crash"),), winners=(), reason="void")
            name = pair.jobs[1].bots[other].name
            told = rf"^{name} failed \(crash\), so that the match 1-0000\d\d is void"
            with pytest.raises(BotsError, match=told):
                pair.score([fine, third])
    mirrored = next(pairs.pairs(experiment()))
    for failed, score in (0, 1), (1, 3):
        lost = result([99, 0], ((failed, "crash"),), winners=(), reason="void")
        assert mirrored.score([lost, result([1, 1])]) == score


def test_a_fault_in_a_match_that_counts() -> None:
    """A fault that leaves the match its winner changes no score."""
    pair = competed()
    seat = pair.seats[0]
    won = result([place == seat for place in range(10)], ((seat, "timeout"),))
    assert pair.score([won, result([1] * 10, winners=())]) == 4


def test_a_fault_in_a_draw() -> None:
    """A draw without a winner is a draw, though a bot failed in it, or a third one."""
    mirrored, pair = next(pairs.pairs(experiment())), competed()
    drawn = [result([1, 1], ((seat, "illegal"),), winners=()) for seat in (0, 1)]
    assert mirrored.score(drawn) == 2
    assert [*mirrored.lost(drawn)] == []
    third = (pair.seats[0] + 1) % 10
    assert pair.score([result([1] * 10, ((third, "illegal"),), winners=())] * 2) == 2
