"""The transcript of a match of Bank Heist: the form, and that it says what the events say."""

from __future__ import annotations

import random
import re

import pytest

from games.bank_heist.transcript import of_match
from games.table import Ask, Fault, Reply
from schema.dice import Dice
from tests.factories import SEED, printed
from tests.games.heist_matches import (
    CARD,
    Played,
    arguments,
    at_random,
    heist,
    loaded,
    match,
    scripted,
)

NAME = r"[^\s/\\]+"
GAME = re.compile(
    rf"#####GAME \d+: \d+ players######\n"
    rf"Round 1:\n({NAME} bet \d+\.\n)+"
    rf"Round 2\n({NAME} decided to \S(.*\S)?\.\n)*"
    rf"(Results\n({NAME} (was successful, and may gain ¥\d+|failed\. :\()\n)*)?"
    rf"Results:\n(\d+\. {NAME}: \d+\n)+"
)
"""A game, as published runs have it."""


def transcript(played: Played) -> str:
    """The transcript that the game's card names, of the sealed log."""
    write = CARD.current.transcript("match")
    assert write is of_match
    return write(played.log())


def test_a_small_match() -> None:
    """Orders of round 1 and 2, winnings after BH-18, and the final tables, line by line."""
    orders = {
        "game/0/bet/order": "1 0 4 2 3",
        "game/0/action/order": "4 3 0 1",
        "game/0/finger/0/0": 1,
    }
    lines = ["100 finger +", "69 carry on -", "0", "100 deposit +", "1 all in +"]
    second = ["500 x +", "0", "0", "1 back out", "10 double cross +"]
    assert transcript(heist(lines, second, dice=orders)) == (
        "#####GAME 0: 5 players######\n"
        "Round 1:\n"
        "player1 bet 69.\n"
        "player0 bet 100.\n"
        "player4 bet 1.\n"
        "player2 bet 0.\n"
        "player3 bet 100.\n"
        "Round 2\n"
        "player4 decided to all in.\n"
        "player3 decided to deposit.\n"
        "player0 decided to finger.\n"
        "player1 decided to carry on.\n"
        "Results\n"
        "player1 failed. :(\n"
        "player0 was successful, and may gain ¥180\n"
        "player4 was successful, and may gain ¥0\n"
        "player3 was successful, and may gain ¥0\n"
        "Results:\n"
        "0. player4: 864\n"
        "1. player0: 488\n"
        "2. player2: 480\n"
        "3. player1: 441\n"
        "4. player3: 410\n"
        "#####GAME 1: 5 players######\n"
        "Round 1:\n"
        "player0 bet 488.\n"
        "player1 bet 0.\n"
        "player2 bet 0.\n"
        "player3 bet 1.\n"
        "player4 bet 10.\n"
        "Round 2\n"
        "player0 decided to x.\n"
        "player3 decided to back out.\n"
        "player4 decided to double cross.\n"
        "Results\n"
        "player0 was successful, and may gain ¥854\n"
        "player4 was successful, and may gain ¥18\n"
        "Results:\n"
        "0. player4: 1966\n"
        "1. player2: 720\n"
        "2. player1: 681\n"
        "3. player3: 410\n"
        "4. player0: 228\n"
    )


def test_players_with_equal_credits_keep_their_order() -> None:
    """At first that of the seats, then that of the table before."""
    lines = ["0", "1 change jobs -", "0", "0"]
    again = ["240 x -", "1 x -", "0", "240 x -"]
    text = transcript(heist(lines, ["1 x -", "0", "0", "1 x -"], again))
    tables = [part.split("#")[0].split("\n")[:-1] for part in text.split("Results:\n")[1:]]
    assert tables == [
        ["0. player0: 480", "1. player2: 480", "2. player3: 480", "3. player1: 239"],
        ["0. player2: 720", "1. player0: 719", "2. player3: 719", "3. player1: 239"],
        ["0. player2: 960", "1. player0: 719", "2. player3: 719", "3. player1: 238"],
    ]


def test_a_game_without_heisters_has_no_results_of_a_heist() -> None:
    """Nobody decided anything, and nothing was rolled."""
    assert transcript(heist(["0"])) == (
        "#####GAME 0: 1 players######\nRound 1:\nplayer0 bet 0.\nRound 2\n"
        "Results:\n0. player0: 480\n"
    )


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        (printed("hello, world\n"), "hello, world"),
        (printed(" \t finger\r\n"), "finger"),
        (printed("größer"), "größer"),
        (printed("!guncheck"), "!guncheck"),
        *((printed(text), "!guncheck") for text in ("", "\n", "a\nb", "a\tb", "\x1b[2J", b"\xff")),
        (printed("a\u2028b"), "!guncheck"),
        (Fault("crash", {"output": b"finger"}), "!guncheck"),
        (Fault("timeout"), "!guncheck"),
    ],
    ids=str,
)
def test_an_action_is_printed_as_it_was_answered(reply: Reply, line: str) -> None:
    """If it is one printable line; else, and after a fault, it is the customary word."""

    def bot(ask: Ask) -> Reply:
        return printed("1") if ask.name == "bet" else reply

    assert f"Round 2\nplayer0 decided to {line}.\nResults" in transcript(match(bot, 1))


def test_random_matches_have_the_published_form() -> None:
    """Every random game fits the published form, and its last table is the result."""
    for seed in range(4):
        bot = at_random(random.Random(seed), faulty=0.2)
        played = match(bot, 1 + 3 * seed, Dice(SEED), games=15, rabble=5 * seed)
        games = list(GAME.finditer(text := transcript(played)))
        assert "".join(game[0] for game in games) == text
        assert len(games) == 15
        table = dict(re.findall(rf"\d+\. ({NAME}): (\d+)", games[-1][0]))
        expected = {f"player{seat}": str(score) for seat, score in enumerate(played.credits)}
        assert table == expected


def test_rabble_is_counted_and_has_no_lines() -> None:
    """The first line counts who takes part; only players are named."""
    played = match(scripted([["1 x -"]]), 1, loaded([["1 x -"]], {}), rabble=50)
    text = transcript(played)
    participants = arguments(played.asks[0])[2]
    assert text.startswith(f"#####GAME 0: {participants} players######\n")
    assert int(participants) > 10
    assert text.count("\n") == 9
