"""The example bots of Bank Heist: each answers legally wherever it is, and as its character is."""

from __future__ import annotations

import contextlib
import io
import os
import random
import runpy
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from games.bank_heist.arguments import decimal
from games.bank_heist.rules import LEGAL_ACTIONS
from games.bank_heist.state import BANKS, UNIT
from games.table import Ask
from schema import registry
from tests.factories import match_events, printed
from tests.sampling import LONG_RUN

FOLDER = registry.card("bank_heist").bots
BOTS = sorted(path.stem for path in FOLDER.glob("*.py"))

CARRY_ON = ("!guncheck", "0")
"""Words of the bots that mean to carry on; 0 is the lurker's, whom nobody asks in round 2."""

START = {
    "game": 0,
    "round": 1,
    "participants": 262,
    "decided": 0,
    "heisters": 0,
    "total": 0,
    "confirmed": 0,
    "bank": 0,
    "credits": 240,
    "bet": 0,
    "salary": 240,
    "employed": 1,
    "rank": 1,
    "mean": 240.0,
    "deviation": 0.0,
    "highest": 240,
}
"""The first 16 arguments of BH-30, by name and in order, as a match begins."""

PROBABILITIES = tuple(bank.probability for bank in BANKS)
ODDS = tuple(bank.odds for bank in BANKS)


def arguments(
    accounts: Sequence[int] = (0, 0, 0, 0, 0),
    probabilities: Sequence[int] = PROBABILITIES,
    odds: Sequence[int] = ODDS,
    **changes: float,
) -> list[str]:
    """The 31 arguments of BH-30: those of a match's begin, but for ``changes``."""
    assert changes.keys() <= START.keys()
    told = [str(value) for value in {**START, **changes}.values()]
    rest = [*map(str, accounts), *map(decimal, probabilities), *map(decimal, odds)]
    return told + rest


def at_random(rng: random.Random, round_: int) -> list[str]:
    """Arguments that can come up, from the poorest player to what BH-31 bounds."""

    def amount() -> int:
        return rng.randint(0, 10 ** rng.randint(0, 15))

    participants = rng.randint(2, 600)
    decided = rng.randint(0, participants - 1)
    heisters = rng.randint(0, decided) if round_ == 1 else rng.randint(decided + 1, participants)
    credits = amount() + round_ - 1
    return arguments(
        accounts=[amount() for _ in BANKS],
        probabilities=[rng.choice([p, 0, UNIT, rng.randint(0, UNIT)]) for p in PROBABILITIES],
        odds=[rng.choice([o, 0, 1_000 * UNIT, rng.randint(0, 5 * UNIT)]) for o in ODDS],
        game=rng.randint(0, 1_099),
        round=round_,
        participants=participants,
        decided=decided,
        heisters=heisters,
        total=rng.choice([heisters, heisters * 6_969, amount()]),
        confirmed=rng.randint(0, decided) if round_ == 2 else 0,
        bank=rng.randint(0, 4),
        credits=credits,
        bet=rng.randint(1, credits) if round_ == 2 else 0,
        salary=rng.choice([240, rng.randint(-500, 500), amount()]),
        employed=rng.randint(0, 1),
        rank=rng.randint(1, 20),
        mean=amount() / 7,
        deviation=amount() / 7,
        highest=max(credits, amount()),
    )


def run(bot: str, args: Sequence[str]) -> str:
    """Return the output of a bot run in this process; its standard error is empty."""
    path = str(FOLDER / f"{bot}.py")
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [path, *args])
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_path(path, run_name="__main__")
    assert err.getvalue() == ""
    return out.getvalue()


def ask(bot: str, **told: Any) -> str:
    """Return a bot's answer to changed arguments, without white space around it."""
    return run(bot, arguments(**told)).strip()


def bet(bot: str, **told: Any) -> int:
    """Return a bot's bet in round 1."""
    return int(ask(bot, round=1, **told))


def act(bot: str, **told: Any) -> str:
    """Return a bot's action in round 2."""
    return ask(bot, round=2, **told)


def at_every_bank(value: float) -> tuple[int, ...]:
    """The same probability or odds at all banks, in billionths."""
    return (round(value * UNIT),) * len(BANKS)


# --- All of them ---------------------------------------------------------------------------------


def test_there_are_twelve_bots() -> None:
    """The bots of the game are all looked at."""
    assert len(BOTS) == 12


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_answers_legally(bot: str) -> None:
    """Wherever it is, it bets an integer, at most its credits or 69, or plays a known action."""
    rng = random.Random(bot)
    for _ in range(250 if LONG_RUN else 100):
        args = at_random(rng, 1)
        answer = run(bot, args)
        assert answer == f"{int(answer)}\n", args
        assert 0 <= int(answer) <= max(int(args[8]), 69), args
        args = at_random(rng, 2)
        assert run(bot, args).removesuffix("\n") in (*LEGAL_ACTIONS, *CARRY_ON), args


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_runs_as_a_command(bot: str) -> None:
    """Run as BH-30 says, in a process of its own, it prints the same."""
    for round_ in (1, 2):
        args = at_random(random.Random(round_), round_)
        ran = subprocess.run(
            [sys.executable, f"{bot}.py", *args],
            cwd=FOLDER,
            env={"KOTH_BOT_SEED": "7" * 64, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
            capture_output=True,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert ran.stdout.decode() == run(bot, args)


def test_every_action_is_played() -> None:
    """Together the bots show all nine answers that have an effect (BH-8)."""
    rng = random.Random(1)
    situations = [at_random(rng, 2) for _ in range(20)]
    played = {run(bot, args).strip() for bot in BOTS for args in situations}
    assert played >= set(LEGAL_ACTIONS)


def test_a_match_of_all_bots() -> None:
    """A match of the twelve holds no fault."""

    def player(ask: Ask) -> Any:
        return printed(run(BOTS[ask.seat], ask.args))

    size: dict[str, Any] = {"players": len(BOTS), "rabble": 60, "games_min": 20, "games_max": 20}
    events = match_events(player, game="bank_heist", **size)
    assert not [event for event in events if event["type"] == "fault"]
    assert events[-1]["type"] == "match_finished"
    assert {event["ask"] for event in events if event["type"] == "answered"} == {"bet", "action"}


# --- Each of them --------------------------------------------------------------------------------


def test_the_lurker_never_bets() -> None:
    """The lurker never bets, with any credits and at any bank."""
    rng = random.Random(2)
    assert {run("lurker", at_random(rng, 1)) for _ in range(50)} == {"0\n"}


def test_the_constant_bettor_bets_69() -> None:
    """Always the same, and then it carries on."""
    assert bet("constant_bettor", credits=100) == bet("constant_bettor", credits=10**9) == 69
    assert act("constant_bettor") == "!guncheck"


def test_the_tither_bets_a_tenth() -> None:
    """A tenth, rounded down; and then it carries on."""
    assert [bet("tither", credits=credits) for credits in (9, 249, 10**15)] == [0, 24, 10**14]
    assert act("tither", credits=500, bet=50) == "!guncheck"


def test_the_gambler_goes_all_in() -> None:
    """A bet of 1 opens the door; then everything, in first place or last."""
    assert bet("gambler", credits=10_000) == 1
    assert act("gambler", rank=1) == act("gambler", rank=12) == "all in"


def test_the_snitch_fingers() -> None:
    """In every heist."""
    rng = random.Random(3)
    assert bet("snitch") == 1
    assert {run("snitch", at_random(rng, 2)) for _ in range(50)} == {"finger\n"}


def test_the_double_crosser_crosses_for_more_than_its_job() -> None:
    """A job is worth twenty salaries to it; without a salary it always crosses."""
    assert bet("double_crosser", credits=10_000) == 1
    assert act("double_crosser", total=4_800, salary=240) == "!guncheck"
    assert act("double_crosser", total=4_801, salary=240) == "double cross"
    assert act("double_crosser", total=1, salary=0) == "double cross"


def test_the_job_hopper_changes_jobs_until_it_settles() -> None:
    """It joins a heist only to change jobs: while it has one, and while that still pays."""
    assert bet("job_hopper", game=0, employed=1) == bet("job_hopper", game=599, employed=1) == 1
    assert act("job_hopper", game=599, employed=1) == "change jobs"
    assert bet("job_hopper", game=0, employed=0) == bet("job_hopper", game=600, employed=1) == 0


def test_the_saver_deposits_and_withdraws_late() -> None:
    """It deposits for 900 games; then it withdraws wherever it has something."""
    full = {"accounts": (0, 0, 0, 700, 0)}
    assert bet("saver", game=899, credits=1_000) == 100
    assert act("saver", game=899, bank=3, **full) == "deposit"
    assert bet("saver", game=900, credits=1_000) == 1
    assert act("saver", game=900, bank=3, **full) == "withdraw"
    assert act("saver", game=900, bank=2, **full) == "!guncheck"


@pytest.mark.parametrize("bot", ["kelly_bold", "kelly_cautious"])
def test_kelly_bets_where_the_odds_are_good(bot: str) -> None:
    """(p · (o + 1) − 1) ÷ o of its credits: 0.0248 ÷ 1.1 at City; nothing below fair odds."""
    last = {"participants": 100, "decided": 99, "credits": 1_000_000}
    assert bet(bot, bank=1, heisters=25, **last) == 22_545
    assert bet(bot, bank=0, heisters=12, **last) == 0
    assert bet(bot, bank=2, heisters=45, **last) == 0
    rich = {"probabilities": at_every_bank(0.8), "odds": at_every_bank(2)}
    assert bet(bot, bank=2, heisters=45, **last, **rich) == 700_000


def test_the_two_kelly_bettors_expect_different_banks() -> None:
    """Early bets lead to City so far, but to the Federal Reserve if the others bet alike."""
    early = {"participants": 500, "decided": 50, "heisters": 25, "bank": 1, "credits": 1_000_000}
    assert bet("kelly_bold", **early) == 22_545
    assert bet("kelly_cautious", **early) == 0


def test_the_two_kelly_bettors_differ_when_the_odds_turn() -> None:
    """Half of the others leave: the loss to be expected is 10,000 × (1 − 51/101 × 1.0248)."""
    turned = {"bank": 1, "heisters": 120, "decided": 100, "confirmed": 50, "bet": 10_000}
    assert act("kelly_bold", **turned) == "!guncheck"
    assert act("kelly_cautious", **turned) == "back out"
    # 4,825.3 credits, against the paycheck that backing out costs
    assert act("kelly_cautious", **turned, salary=4_825) == "back out"
    assert act("kelly_cautious", **turned, salary=4_826) == "!guncheck"
    assert act("kelly_cautious", **turned, salary=4_826, employed=0) == "back out"
    assert act("kelly_cautious", **(turned | {"confirmed": 99})) == "!guncheck"


def test_the_investor_buys_guards_and_then_intel() -> None:
    """Guards while the chances are poor and the salary pays; then intel and cash in turn."""
    poor, good = {"probabilities": at_every_bank(0.6)}, {"probabilities": at_every_bank(0.75)}
    assert bet("investor", credits=10_000, **poor) == 1
    assert act("investor", salary=1, **poor) == "buy guard"
    assert act("investor", salary=0, **poor) != "buy guard"
    assert bet("investor", game=2, credits=10_000, **good) == 500
    assert act("investor", game=2, **good) == "acquire intel"
    # (0.9 · 0.75 · 1.8 − 1) ÷ 0.8 = 0.26875
    assert bet("investor", game=3, credits=10_000, **good) == 2_687
    assert act("investor", game=3, **good) == "!guncheck"


def test_the_lone_wolf_buys_guards_and_then_goes_all_in() -> None:
    """Guards while the chances are poor and the salary pays; then all in, unless it leads."""
    poor, good = {"probabilities": at_every_bank(0.6)}, {"probabilities": at_every_bank(0.75)}
    assert bet("lone_wolf", credits=10_000) == 1
    assert act("lone_wolf", salary=1, rank=2, **poor) == "buy guard"
    assert act("lone_wolf", salary=-1, rank=2, **poor) == "!guncheck"
    assert act("lone_wolf", rank=2, **good) == "all in"
    assert act("lone_wolf", rank=1, **good) == "!guncheck"
