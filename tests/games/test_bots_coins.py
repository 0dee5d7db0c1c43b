"""The example bots of Coins: each answers legally wherever it is, and as its character is."""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import runpy
import subprocess
import sys
from collections.abc import Iterable
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from games.coins.rules import ACTIONS, Pile, State, carry_out, situation
from games.table import Ask
from schema import registry
from tests.factories import Events, match_events, printed
from tests.sampling import LONG_RUN

FOLDER = registry.card("coins").bots
BOTS = sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".py", ".sh"))
INTERPRETERS = {".py": sys.executable, ".sh": "/bin/sh"}
SCRIPTS = [bot for bot in BOTS if bot.endswith(".py")]

NOTES = "bookkeeper.txt"
"""The only file that a bot of these writes (CN-9)."""


def table(*piles: tuple[int, int], centre: int = 100, points: Iterable[int] = ()) -> State:
    """A table at which seat 0 has the turn; piles are (flipped, unflipped) in turn order."""
    return State(
        order=list(range(len(piles))),
        centre=centre,
        piles=[Pile(flipped=flipped, unflipped=unflipped) for flipped, unflipped in piles],
        points=list(points) or [0] * len(piles),
        seat=0,
    )


def at_random(rng: random.Random, players: int = 0) -> State:
    """A table that can come up, with few coins or many, and any order of seats."""
    players = players or rng.randint(2, 12)
    most = rng.choice([0, 2, 30])
    order = rng.sample(range(players), players)
    return State(
        order=order,
        centre=rng.choice([0, 1, rng.randint(0, 3 * 2**players)]),
        piles=[Pile(rng.randint(0, most), rng.randint(0, most)) for _ in order],
        points=[rng.randint(-100, 300) for _ in order],
        seat=rng.choice(order),
        round=rng.randint(1, 50),
    )


def run(bot: str, argument: str, seed: str = "7" * 64) -> str:
    """Return the output of a bot run in this process; its standard error is empty."""
    path = str(FOLDER / bot)
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [path, argument])
        patch.setenv("KOTH_BOT_SEED", seed)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_path(path, run_name="__main__")
    assert err.getvalue() == ""
    return out.getvalue()


def run_as_command(bot: str, argument: str, folder: Path, seed: str = "7" * 64) -> str:
    """Return the output of a bot run in a process of its own, as CN-6 says."""
    ran = subprocess.run(
        [INTERPRETERS[Path(bot).suffix], str(FOLDER / bot), argument],
        cwd=folder,
        env={"KOTH_BOT_SEED": seed, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    return ran.stdout.decode()


def play(bot: str, state: State) -> str:
    """The three actions of a bot that is run in this process."""
    return run(f"{bot}.py", situation(state)).strip()


def after(state: State, actions: str) -> State:
    """Return the table after these actions of the player to move."""
    state = deepcopy(state)
    for action in actions:
        carry_out(state, action)
    return state


def total(state: State, seat: int) -> int:
    """Return a seat's score if the coins were counted now (CN-5)."""
    return state.points[seat] + state.piles[seat].worth


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the bots run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- All of them ---------------------------------------------------------------------------------


def test_there_are_eleven_bots() -> None:
    """The bots of the game are all looked at, one shell script among them."""
    assert (len(BOTS), len(SCRIPTS)) == (11, 10)


@pytest.mark.parametrize("bot", SCRIPTS)
def test_a_bot_answers_legally(bot: str, scratch: Path) -> None:
    """Wherever it is, it prints three actions on one line, and writes no file but its notes."""
    rng = random.Random(bot)
    for number in range((250 if LONG_RUN else 100) // (10 if bot == "planner.py" else 1)):
        state = at_random(rng)
        answer = run(bot, situation(state), str(number))
        assert re.fullmatch(f"[{ACTIONS}]{{3}}\n", answer), situation(state)
    assert {path.name for path in scratch.iterdir()} <= {NOTES}


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_runs_as_a_command(bot: str, scratch: Path) -> None:
    """In a process of its own it prints three actions too; Python says the same as in here."""
    rng = random.Random(1)
    for number in range(40 if bot.endswith(".sh") else 1):
        folder = scratch / str(number)
        folder.mkdir()
        argument = situation(at_random(rng))
        answer = run_as_command(bot, argument, folder)
        assert re.fullmatch(f"[{ACTIONS}]{{3}}\n", answer), argument
        assert bot.endswith(".sh") or run(bot, argument) == answer


def game(folder: Path) -> Events:
    """A short game of all bots; each bot has a folder, and a seed for each decision."""
    decisions = iter(range(10_000))

    def player(ask: Ask) -> Any:
        bot, [argument] = BOTS[ask.seat], ask.args
        seed = str(next(decisions))
        if bot.endswith(".sh"):
            return printed(run_as_command(bot, argument, folder, seed))
        return printed(run(bot, argument, seed))

    return match_events(player, game="coins", players=len(BOTS), rounds=12)


def test_a_game_of_all_bots(scratch: Path) -> None:
    """It holds no fault, and with the same seeds it is the same again."""
    events = game(scratch)
    assert not [event for event in events if event["type"] == "fault"]
    assert len([event for event in events if event["type"] == "acted"]) == 12 * len(BOTS)
    (scratch / NOTES).unlink()
    assert game(scratch) == events


# --- Each of them --------------------------------------------------------------------------------


def test_the_passive_one_does_nothing() -> None:
    """Wherever it is."""
    rng = random.Random(2)
    assert {play("passive", at_random(rng)) for _ in range(50)} == {"NNN"}


def test_the_random_player_follows_its_seed() -> None:
    """The same seed draws the same, others draw all actions."""
    argument = situation(table((0, 0), (0, 0)))
    drawn = [run("random_player.py", argument, str(seed)) for seed in range(100)]
    assert run("random_player.py", argument, "0") == drawn[0]
    assert set("".join(drawn)) == {*ACTIONS, "\n"}


@pytest.mark.parametrize("bot", ["flipper", "finisher", "thief", "rotator"])
def test_who_takes_and_flips(bot: str) -> None:
    """With fewer than three coins to flip it takes three, unless there are none to take."""
    for unflipped, actions in enumerate(("3FF", "3FF", "3FF", "FFF")):
        assert play(bot, table((9, unflipped), (0, 0), (0, 0), points=(0, 9, 9))) == actions
    assert play(bot, table((9, 1), (0, 0), (0, 0), points=(0, 99, 0), centre=0)) == "FFF"


def test_the_thrifty_one_has_one_coin_at_a_time(scratch: Path) -> None:
    """It flips what it has before it takes the next, and takes one."""

    def thrifty(state: State) -> str:
        return run_as_command("thrifty.sh", situation(state), scratch).strip()

    plays = [thrifty(table((3, unflipped), (4, 7), points=(-2, 5))) for unflipped in range(5)]
    assert plays == ["1FN", "F1F", "FFN", "FFF", "FFF"]
    crowd = table(*[(1, 2)] * 10, (0, 0), (5, 3))
    for seat, actions in ((11, "FFF"), (10, "1FN"), (1, "FFN")):  # ids that begin alike
        crowd.seat = seat
        assert thrifty(crowd) == actions


def test_the_dealer_sells_what_it_is_given() -> None:
    """It never takes; unflipped coins go to the centre."""
    assert play("dealer", table((5, 0), (0, 9))) == "NNN"
    assert play("dealer", table((5, 1), (0, 9))) == "CCC"


def test_the_rotator_turns_towards_the_better_neighbour() -> None:
    """`R` brings the pile of the next player, `T` that of the previous one (CN-4)."""
    assert play("rotator", table((0, 0), (9, 2), (4, 0), (5, 0))) == "RFF"
    assert play("rotator", table((0, 0), (4, 0), (4, 0), (9, 1))) == "T3F"
    assert play("rotator", table((4, 3), (2, 0), (9, 0), (2, 1))) == "FFF"


def test_the_rotator_rotates_only_when_that_is_better() -> None:
    """It rotates exactly when that brings it more than a flip, as the rules count."""
    rng = random.Random(3)
    seen = set()
    for _ in range(150):
        state = at_random(rng)
        gains = {
            action: total(after(state, action), state.seat) - total(state, state.seat)
            for action in "RT"
        }
        first = play("rotator", state)[0]
        assert (first in gains) == (max(gains.values()) > 5), situation(state)
        assert gains.get(first, 99) == (max(gains.values()) if first in gains else 99)
        seen.add(first)
    assert seen == {"R", "T", "F", "3"}


def test_the_thief_gets_the_best_pile_in_reach() -> None:
    """After its rotations no pile within three steps is better than its own."""
    rng = random.Random(4)
    seen = set()
    for _ in range(150):
        state = at_random(rng)
        rotations = re.match("[RT]*", play("thief", state))
        assert rotations
        steps = (turns * count for turns in "RT" for count in range(4))
        worths = (after(state, path).piles[state.seat].worth for path in steps)
        assert after(state, rotations[0]).piles[state.seat].worth == max(worths)
        seen.add(rotations[0])
    assert seen == {"", "R", "RR", "RRR", "T", "TT", "TTT"}


def test_the_saboteur_hurts_the_richer_neighbour() -> None:
    """Six unflipped coins end up at the neighbour with more points, and cost it as many."""
    for points, victim in (((0, 9, 8), 1), ((0, 8, 9), 2)):
        state = table((0, 0), (1, 0), (1, 0), points=points)
        hurt = after(state, play("saboteur", state))
        assert hurt.piles[victim].unflipped == 6
        assert hurt.points[victim] == points[victim] - 6


def test_the_finisher_empties_the_centre_when_it_leads() -> None:
    """It needs more than the 18 points that nine coins cost; else it takes and flips."""
    assert play("finisher", table((4, 0), (5, 0), (0, 3), points=(31, 10, 23))) == "333"
    assert play("finisher", table((4, 0), (5, 0), (0, 3), points=(30, 10, 23))) == "3FF"
    assert play("finisher", table((4, 3), (5, 0), (0, 3), points=(31, 10, 23))) == "FFF"
    ahead = table((9, 0), (1, 0), (1, 0), centre=9)
    assert play("finisher", ahead) == "3FF"
    ahead.points[0] = 10
    assert after(ahead, play("finisher", ahead)).centre == 0


def tell(scratch: Path, *lines: str) -> None:
    """Notes that the bookkeeper finds."""
    (scratch / NOTES).write_text("".join(f"{line}\n" for line in lines))


def test_the_bookkeeper_tries_every_plan_and_keeps_notes(scratch: Path) -> None:
    """In its first seven turns it plays seven plans, and notes each with what it had before."""
    played = [play("bookkeeper", table((2, 1), (0, 0), points=(n, 0))) for n in range(7)]
    assert len(set(played)) == 7
    notes = [f"{plan} {n + 3}" for n, plan in enumerate(played)]
    assert (scratch / NOTES).read_text().splitlines() == notes


def test_the_bookkeeper_repeats_what_paid_best(scratch: Path) -> None:
    """The best on average, what it has now being the outcome of the plan noted last."""
    tried = ["2FF 0", "3FF 6", "FFF 10", "CCC 40", "RFF 43", "TFF 40"]
    tell(scratch, *tried, "NNN 40")
    assert play("bookkeeper", table((0, 0), (0, 0), points=(40, 0))) == "FFF"
    tell(scratch, *tried, "NNN 40")
    assert play("bookkeeper", table((0, 0), (0, 0), points=(71, 0))) == "NNN"
    tell(scratch, *tried, "NNN 40", "FFF 40")  # 30 and now 0: 15 on average, still the best
    assert play("bookkeeper", table((0, 0), (0, 0), points=(40, 0))) == "FFF"
    tell(scratch, *tried, "NNN 40", "FFF 40")  # 30 and now -20: 5, less than the 6 of 2FF
    assert play("bookkeeper", table((0, 0), (0, 0), points=(20, 0))) == "2FF"


def lead(state: State) -> int:
    """Return the lead of the player to move over the best other player, coins counted."""
    others = (total(state, seat) for seat in state.order if seat != state.seat)
    return total(state, state.seat) - max(others)


def test_the_planner_finds_the_best_turn() -> None:
    """Of all 2,744 turns none leaves it further ahead, as the rules count."""
    rng = random.Random(5)
    turns = ["".join(actions) for actions in product(ACTIONS, repeat=3)]
    spoils = table((0, 0), (0, 3), centre=0)  # rotating costs three points, two flips bring more
    assert lead(after(spoils, play("planner", spoils))) == 4
    for state in (spoils, *(at_random(rng, players) for players in (2, 3, 3, 4, 7))):
        best = max(lead(after(state, turn)) for turn in turns)
        assert lead(after(state, play("planner", state))) == best, situation(state)
