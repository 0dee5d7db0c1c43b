"""The example bots of Smallest Unique Number: each chooses legally, and as its character is."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import pytest

from games.table import JointAsk
from schema import registry
from tests.factories import Events, match_events

FOLDER = registry.card("smallest_unique").bots
BOTS = sorted(path.stem for path in FOLDER.glob("*.py"))

Others = Sequence[int]
"""Choices of the other seats in a round, in seat order."""


def class_of(bot: str) -> Any:
    """The class in a bot's file, under the name of the file in CamelCase; it is the only one."""
    spec = spec_from_file_location(bot, FOLDER / f"{bot}.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    own = [one for one in vars(module).values() if getattr(one, "__module__", "") == bot]
    assert [one.__name__ for one in own] == ["".join(part.title() for part in bot.split("_"))]
    return own[0]


CLASSES = {bot: class_of(bot) for bot in BOTS}


@pytest.fixture(autouse=True)
def _seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTH_BOT_SEED", "7" * 64)


def construct(bot: str, index: int = 0) -> Any:
    """A bot at the begin of a game."""
    return CLASSES[bot](index)


def after(bot: str, *rounds: Others, index: int = 0) -> Any:
    """A bot after these rounds; its own choices are what it selects."""
    one = construct(bot, index)
    for others in rounds:
        one.update([*others[:index], one.select(), *others[index:]])
    return one


def told(bot: str, *rounds: list[int], index: int = 0) -> Any:
    """Return a bot that got these choices, its own included, regardless of its selections."""
    one = construct(bot, index)
    for choices in rounds:
        one.select()
        one.update(list(choices))
    return one


def table_of(bots: Sequence[str]) -> Callable[[JointAsk], Any]:
    """A player for the rules: these bots, by seat, constructed for one game."""
    seated = [construct(bot, seat) for seat, bot in enumerate(bots)]

    def play(ask: JointAsk) -> list[int] | None:
        if ask.observation.choices is not None:
            for one in seated:
                one.update(list(ask.observation.choices))
        return [one.select() for one in seated] if ask.legal else None

    return play


def game(bots: Sequence[str], rounds: int = 150) -> Events:
    """The events of a game under the rules."""
    return match_events(table_of(bots), game="smallest_unique", players=len(bots), rounds=rounds)


# --- All of them ---------------------------------------------------------------------------------


def test_there_are_eighteen_bots() -> None:
    """The bots of the game are all looked at."""
    assert len(BOTS) == 18


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_chooses_legally(bot: str) -> None:
    """A bot selects an integer from 1 to 10, at any seat and for any choices of the others."""
    rng = random.Random(bot)
    for _ in range(20):
        seats = rng.choice([2, 3, 10, 10, 25])
        index, most = rng.randrange(seats), rng.randint(1, 10)
        one = construct(bot, index)
        for _ in range(25):
            choices = [rng.randint(1, most) for _ in range(seats)]
            choices[index] = one.select()
            assert type(choices[index]) is int
            assert 1 <= choices[index] <= 10
            one.update(choices)


def test_games_of_ten() -> None:
    """Games of ten of them are played to the end, under the rules, with all bots seated once."""
    rng = random.Random(1)
    for bots in (BOTS[:10], BOTS[-10:], rng.sample(BOTS, 10)):
        events = game(bots)
        choices = [event["choices"] for event in events if event["type"] == "round"]
        assert events[-1]["reason"] == "played"
        assert len(choices) == 150
        assert {number for numbers in choices for number in numbers} <= set(range(1, 11))


def test_a_game_is_reproducible(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same seed it is the same again, in this process too; with another it is not."""
    bots = ["uniform", "stubborn", "regret_matching", "bayes", "avoid_crowd"]
    bots += ["geometric", "anti_leader", "fictitious_play", "multiplicative_weights", "cycler"]
    first = game(bots)
    assert game(bots) == first
    monkeypatch.setenv("KOTH_BOT_SEED", "8" * 64)
    assert game(bots) != first


def test_two_games_at_a_time_do_not_mix() -> None:
    """Each bot constructed twice, and played in turn, chooses as if it were constructed once."""
    rng = random.Random(2)
    rounds = [[rng.randint(1, 5) for _ in range(9)] for _ in range(60)]
    for bot in BOTS:
        alone, first, second = (construct(bot) for _ in range(3))
        expected = []
        for others in rounds:
            expected.append(alone.select())
            alone.update([expected[-1], *others])
        for others, number in zip(rounds, expected, strict=True):
            for one in (first, second):
                assert one.select() == number, bot
                one.update([number, *others])


@pytest.mark.parametrize("bot", ["uniform", "geometric", "stubborn", "regret_matching"])
def test_seats_have_dice_of_their_own(bot: str) -> None:
    """Two seats with the same seed, in one process, choose differently."""
    chosen = []
    for index in (0, 1):
        one = construct(bot, index)
        numbers = []
        for _ in range(60):
            numbers.append(one.select())
            one.update([1, 1, 1])
        chosen.append(numbers)
    assert chosen[0] != chosen[1]


def test_files_stand_alone() -> None:
    """Each file is loaded, constructed and asked by a bare interpreter without Koth or packages."""
    code = "import runpy, sys\n" + "\n".join(
        f"b = runpy.run_path({str(FOLDER / bot)!r} + '.py')[{CLASSES[bot].__name__!r}](0)\n"
        "n = b.select(); b.update([n, 1, 2]); assert 1 <= b.select() <= 10"
        for bot in BOTS
    )
    command = [sys.executable, "-I", "-S", "-c", code]
    ran = subprocess.run(command, cwd=FOLDER, env={}, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


# --- Each of them --------------------------------------------------------------------------------


def test_constant_one_plays_one() -> None:
    """Even where that never wins."""
    assert after("constant_one", *[[1, 1, 2]] * 20).select() == 1


def test_uniform_plays_everything() -> None:
    """All ten numbers, each about as often as the next."""
    one = construct("uniform")
    drawn = Counter(one.select() for _ in range(2_000))
    assert set(drawn) == set(range(1, 11))
    assert max(drawn.values()) < 2 * min(drawn.values())


def test_geometric_halves() -> None:
    """1 in half of the rounds, 2 in a quarter."""
    one = construct("geometric")
    drawn = Counter(one.select() for _ in range(2_000))
    assert 900 < drawn[1] < 1_100
    assert 400 < drawn[2] < 600


def test_the_cycler_counts() -> None:
    """From where its seat starts up to 10, and on from 1."""
    one = construct("cycler", 8)
    chosen = []
    for _ in range(12):
        chosen.append(one.select())
        one.update([5] * 9)
    assert chosen == [9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]


def test_least_frequent() -> None:
    """The least played number so far, its own plays included; the smallest of several."""
    assert told("least_frequent", [1, 2, 3, 5]).select() == 4
    assert told("least_frequent", [1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [1, 2, 4, 4]).select() == 3


def test_one_under() -> None:
    """One less than the last winner, but 1 at least; a round without a winner changes nothing."""
    assert told("one_under", [9, 4, 4, 7]).select() == 6
    assert told("one_under", [9, 4, 4, 7], [3, 3]).select() == 6
    assert told("one_under", [9, 1, 4, 7]).select() == 1


def test_repeat_winner() -> None:
    """The number that won last; a round without a winner changes nothing."""
    assert told("repeat_winner", [9, 4, 4, 7]).select() == 7
    assert told("repeat_winner", [9, 4, 4, 7], [3, 3]).select() == 7


def test_second_smallest() -> None:
    """The second smallest of the unique numbers, if there were two."""
    assert told("second_smallest", [2, 9, 4, 4, 7, 8]).select() == 7
    assert told("second_smallest", [2, 9, 4, 4, 7, 8], [3, 3, 1]).select() == 7


def test_gap_finder() -> None:
    """The smallest number that the others left out; its own is no obstacle."""
    assert told("gap_finder", [3, 1, 2, 2, 4]).select() == 3
    assert told("gap_finder", [1, 2, 3], index=1).select() == 2
    assert told("gap_finder", [1, *range(1, 11)]).select() == 10


def test_avoid_crowd() -> None:
    """A low number that two or more did not play in the last round; 6 if there is none."""
    one = told("avoid_crowd", [1, 1, 3, 4, 4, 5])
    assert {one.select() for _ in range(100)} == {2, 3, 5}
    assert told("avoid_crowd", [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]).select() == 6


def test_stubborn() -> None:
    """It stays for nine rounds without a point, after each that it won; then it draws anew."""
    one = construct("stubborn")
    number = one.select()
    won, lost = [number], [number, number]
    for choices in [lost] * 9 + [won] + [lost] * 9:
        one.update(choices)
        assert one.select() == number
    one.update(lost)
    numbers = []
    for _ in range(10):
        numbers.append(one.select())
        for _ in range(10):
            assert one.select() == numbers[-1]
            one.update([numbers[-1]] * 2)
    assert len(set(numbers)) > 4


def test_saboteur() -> None:
    """The smallest number up to 3 that one other had alone; without one 1."""
    assert told("saboteur", [1, 1, 1, 2, 3]).select() == 2
    assert told("saboteur", [3, 1, 1, 2, 2, 3], index=5).select() == 3
    assert told("saboteur", [2, 1, 1, 4, 5]).select() == 1


def test_imitate_leader() -> None:
    """The leader's last number; the bot's own last number, if it leads itself."""
    assert told("imitate_leader", [2, 2, 3, 4], [3, 3, 7, 2]).select() == 7  # the first of two
    assert told("imitate_leader", [2, 2, 3, 4], *[[3, 3, 7, 2]] * 2).select() == 2
    assert told("imitate_leader", [6, 2, 2], [5, 1, 7], [5, 5, 7], index=2).select() == 7


def test_anti_leader() -> None:
    """The number that the best of the others has played most, also when it leads itself."""
    rounds = [[9, 2, 3, 3], [9, 4, 5, 3], [9, 2, 2, 4]]
    assert told("anti_leader", *rounds).select() == 3
    assert told("anti_leader", *[[1, 9, 3]] * 5, [5, 9, 5]).select() == 9


def test_bayes() -> None:
    """The number most likely to win: free of others, and none below it alone."""
    assert after("bayes", *[[1, 1, 2, 2, 5]] * 30).select() == 3
    assert after("bayes", *[[2, 2, 4, 4, 5]] * 30).select() == 1
    # a number above one that is always alone cannot win: 1 is free in a third of the rounds
    assert after("bayes", *[[1, 2], [1, 2], [2, 3]] * 30).select() == 1


def test_bayes_forgets() -> None:
    """Old rounds count for little."""
    old, new = [[3, 3, 6, 6, 6]] * 300, [[1, 1, 2, 2, 4]] * 100
    assert after("bayes", *old).select() == 1
    assert after("bayes", *old, *new).select() == 3


def test_fictitious_play() -> None:
    """The best answer to what each seat has played so far, seat by seat."""
    assert after("fictitious_play", *[[1, 1, 2, 2, 5]] * 30).select() == 3
    assert after("fictitious_play", *[[2, 2, 4, 4, 5]] * 30, index=3).select() == 1
    # two always meet at 1, the third plays 2 and 3 by turns: 2 wins in half of the rounds
    assert after("fictitious_play", *[[1, 3, 1], [1, 2, 1]] * 30, index=2).select() == 2


@pytest.mark.parametrize("bot", ["regret_matching", "multiplicative_weights"])
def test_learners_find_the_number_that_wins(bot: str) -> None:
    """If only 3 wins, learning bots play 3 in nearly all rounds after a while."""
    one = after(bot, *[[1, 1, 2, 2, 4]] * 300)
    assert Counter(one.select() for _ in range(200))[3] > 180


def test_regret_matching_plays_what_it_regrets() -> None:
    """Only 3 would have won: no other number is regretted; before that, all are alike."""
    one = told("regret_matching", [1, 1, 1, 2, 2, 4])
    assert {one.select() for _ in range(50)} == {3}
    fresh = construct("regret_matching")
    assert {fresh.select() for _ in range(200)} == set(range(1, 11))


def test_multiplicative_weights_keeps_every_number_in_play() -> None:
    """However long 3 alone wins, the others keep a weight, so that it can change its mind."""
    one = after("multiplicative_weights", *[[1, 1, 2, 2, 4]] * 2_000, *[[3, 3, 4]] * 300)
    assert Counter(one.select() for _ in range(200))[1] > 60
