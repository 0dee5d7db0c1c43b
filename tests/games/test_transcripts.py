"""Transcripts: Coup's history file, and the final tables in the forms that people knew."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.smallest_unique.transcript import rate
from games.table import Answer, Ask, Fault, FileCall, Reply
from schema import registry, seal
from schema.errors import UsageError
from schema.reader import Log, parse
from tests.factories import BOT, SEED, Events, answer, at_random, match_events, sealed
from tests.games.coup_games import Game


def transcript(log: Log) -> str:
    """The transcript that the game's card names."""
    write = log.version.transcript(log.kind)
    assert write
    return write(log)


def tournament(game: str, names: Sequence[str], *events: dict[str, Any], **settings: int) -> Log:
    """A tournament's log as it is read: these entrants, and these events."""
    card = registry.card(game)
    start = {
        "type": "tournament_started",
        "format": "koth-log/1",
        "game": game,
        "rules": card.rules,
        "tournament": "spring",
        "entrants": [{"entrant": n, "name": name, "bot": BOT} for n, name in enumerate(names)],
        "settings": card.settings(settings).model_dump(),
        "seed_commitment": seal.commitment(SEED),
    }
    return parse(sealed([start, *events]), Path("tournament.jsonl"))


def finished(*standings: tuple[int, int, int, int]) -> dict[str, Any]:
    """The final table, of ranks, entrants, scores and games."""
    keys = ("rank", "entrant", "score", "games")
    lines = [dict(zip(keys, standing, strict=True)) for standing in standings]
    return {"type": "tournament_finished", "standings": lines}


# --- Final tables --------------------------------------------------------------------------------


def test_coins_final_table() -> None:
    """Rank, name and points, in the order of the standings; a shared rank is marked."""
    table = finished((1, 2, 1017790, 100), (2, 0, 0, 100), (2, 1, 0, 100), (4, 3, -62240, 100))
    log = tournament("coins", ["Balance", "Crook", "BirdInTheHand", "Saboteur"], table)
    assert transcript(log) == (
        "1. BirdInTheHand: 1017790\n2. Balance: 0\n2. Crook: 0\n4. Saboteur: -62240\n"
    )


def test_coup_final_table() -> None:
    """Points and name, in the order of the standings."""
    log = tournament(
        "coup", ["Solver", "Calculator", "Taxman"], finished((1, 1, 154, 240), (2, 2, 9, 240))
    )
    assert transcript(log) == "154 Calculator\n9 Taxman\n"


def test_smallest_unique_final_table() -> None:
    """Name, rate, and wins of games; entrants that were disqualified are not in the table."""
    log = tournament(
        "smallest_unique",
        ["Water", "BayesBot", "Out", "I_Like_Nines", "Idle"],
        finished((1, 1, 796, 1991), (2, 0, 660, 2054), (3, 3, 0, 1973), (3, 4, 0, 0)),
        seats=2,
    )
    assert transcript(log) == (
        "BayesBot: 0.3998 (796/1991)\n"
        "Water: 0.3213 (660/2054)\n"
        "I_Like_Nines: 0.0000 (0/1973)\n"
        "Idle: 0.0000 (0/0)\n"
    )


def test_an_empty_final_table_is_empty() -> None:
    """A tournament that too few were left for has no lines."""
    assert transcript(tournament("smallest_unique", ["A", "B"], finished(), seats=2)) == ""


@pytest.mark.parametrize("game", ["coins", "coup", "smallest_unique"])
def test_a_log_without_a_final_table_says_so(game: str) -> None:
    """A tournament that ends without one is an error that names the file."""
    log = tournament(game, [f"bot{n}" for n in range(10)])
    with pytest.raises(UsageError, match=r"^tournament\.jsonl: expected a final table"):
        transcript(log)


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_rate_is_what_the_controller_prints(share: tuple[int, int]) -> None:
    """Four digits of the 64-bit float, which is at most half a digit from the exact rate."""
    wins, games = share
    assert rate(wins, games) == f"{float(Fraction(wins, games)):.4f}"
    assert abs(Fraction(rate(wins, games)) - Fraction(wins, games)) <= Fraction(1, 20_000)


@pytest.mark.parametrize(
    ("wins", "games", "expected"),
    [
        (1, 160, "0.0063"),
        (3, 160, "0.0187"),
        (1, 20_000, "0.0001"),
        (1, 32, "0.0312"),
        (3, 32, "0.0938"),
        (1, 3, "0.3333"),
        (2, 3, "0.6667"),
        (7, 7, "1.0000"),
        (0, 0, "0.0000"),
    ],
)
def test_a_half_is_rounded_as_its_float(wins: int, games: int, expected: str) -> None:
    """An exact half goes where its float goes: up for 1 ÷ 160, to the even digit for 1 ÷ 32."""
    assert rate(wins, games) == expected


# --- The history of a game of Coup ---------------------------------------------------------------


class Looking:
    """A player at random that keeps what every bot saw, and now and then fails."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.seen = ""
        self.play = at_random(rng)

    def __call__(self, ask: Ask) -> Reply:
        """An answer, after the history was looked at; ``seen`` is the history after it."""
        assert isinstance(ask.observation, FileCall)
        self.seen = ask.observation.history
        if self.rng.random() < 0.05:
            fault = Fault("crash", {"appended": b"I\n"})
            wrong: list[Reply] = [answer("Z"), answer(""), fault]
            return self.rng.choice(wrong)
        reply: Answer = self.play(ask)
        self.seen += reply.text("appended") or ""
        return reply


def read(events: Events) -> Log:
    """The log of a match, as it is read."""
    return parse(sealed(events), Path("match.jsonl"))


def test_the_history_is_what_the_bots_saw_at_the_end() -> None:
    """The file that the last bot found, and what it added if that was accepted."""
    reasons = set()
    for number in range(100):
        player = Looking(random.Random(number))
        events = match_events(player, SEED, max_calls=30)
        assert transcript(read(events)) == player.seen
        reasons.add(events[-1]["reason"])
    assert reasons == {"eliminated", "drawn", "forfeit"}


def test_the_history_of_a_game_by_hand() -> None:
    """Line by line; the choice of an Exchange and the answer that lost the game are not in it."""
    start = match_events(lambda ask: Fault("crash"), SEED)[0]
    game = Game("~^", "*!").turn("I\n").turn("Fp\n").turn("Ep\n", keep="~^").say("T", "I\n")
    assert game.events[-1]["reason"] == "forfeit"
    log = read([start, *game.events])
    assert transcript(log) == "I\nFp\nEp\nT"
