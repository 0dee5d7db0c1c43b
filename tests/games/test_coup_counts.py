"""Counted positions: numbers of legal turns, from the rules and calculated by hand.

A turn is counted as its text, from its first symbol to the newline that closes it or the end of
the game. In the sums, *o* and *t* are the numbers of different cards of the owner and of the
other player. A player that chooses a card to give up has that number of ways to continue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from games.table import Ask
from tests.games.coup_games import Game, calls, turn_by_turn


def turns(begin: Callable[[], Game]) -> set[str]:
    """Every text of a whole turn that legal answers can write, from a position."""
    return {
        line
        for line, game in turn_by_turn(begin, one_choice)
        if game.ask is None or line.endswith("\n")
    }


def one_choice(game: Game, ask: Ask) -> Iterator[str]:
    """All legal answers; an Exchange keeps the cards in hand."""
    kept = f":{game.hands[ask.seat]}" if ask.name == "exchange" else ""
    return (f"{action}{kept}" for action in game.legal)


def at_start() -> Game:
    """The first turn of a game, one coin each; o = 2, t = 2."""
    return Game("~^", "*!")


def rich() -> Game:
    """Coins enough for everything but the forced Coup."""
    return Game("~^", "*!", coins=(7, 1))


def pairs() -> Game:
    """Two Dukes against two Contessas: only one way to give up a card; o = 1, t = 1."""
    return Game("$$", "!!", coins=(7, 7))


def forced() -> Game:
    """Ten coins."""
    return Game("~^", "*!", coins=(10, 1))


def penniless_other() -> Game:
    """The other's only coin was stolen, and its Foreign Aid blocked."""
    return Game("*^", "$!").turn("Sp\n").turn("Fd\n")


def last_cards() -> Game:
    """An Ambassador against a Contessa, with 3 coins each; o = 1, t = 1."""
    return Game("~^", "*!", coins=(3, 3)).turn("Tq'\n").turn("Tq<\n")


def blockers() -> Game:
    """Assassin and Captain against Ambassador and Duke; o = 2, t = 2."""
    return Game("^*", "~$", coins=(3, 2))


def liar() -> Game:
    """Two Contessas, which back no action, against Captain and Duke; o = 1, t = 2."""
    return Game("!!", "*$", coins=(9, 1))


COUNTS: list[tuple[Callable[[], Game], dict[str, int]]] = [
    (
        at_start,
        {
            "I": 1,
            "F": 2 + 2,  # passed, accepted; Fdq is a lie: t
            "E": 1 + 2,  # passed; Eq~ is honest: t
            "T": 1 + 2,  # passed; Tq is a lie: o
            "S": 1 + 2 + (1 + 2) + (1 + 2),  # passed; Sq a lie: o; Sa, a lie: t; Sc, honest: o
        },
    ),
    (
        rich,
        {
            "I": 1,
            "F": 4,
            "E": 3,
            "T": 3,
            "A": 2 + 2 + (1 + 2),  # a card: t; Aq^ honest: t (both cards); As, honest: o
            "C": 2,  # t
            "S": 9,
        },
    ),
    (
        pairs,
        {
            "I": 1,
            "F": 2 + 1,  # Fdq is a lie: t
            "E": 1 + 1,  # Eq is a lie: o
            "T": 1 + 1,  # Tq$ is honest: t
            "A": 1 + 1 + (1 + 1),  # a card: t; Aq a lie: o; As, honest: o
            "C": 1,  # t
            "S": 1 + 1 + (1 + 1) + (1 + 1),  # Sq a lie: o; Sa and Sc lies: t
        },
    ),
    (forced, {"C": 2}),
    (
        penniless_other,  # o = 2, t = 2
        {
            "I": 1,
            "F": 2 + 2,  # Fdq$ is honest: o
            "E": 1 + 2,  # a lie: o
            "T": 1 + 2,  # a lie: o
        },
    ),
    (
        last_cards,
        {
            "I": 1,
            "F": 2 + 1,
            "E": 1 + 1,  # Eq~ is honest: t, and the end
            "T": 1 + 1,  # Tq is a lie: o, and the end
            "A": 1 + 1 + (1 + 1),  # the card; Aq a lie: o; As, honest: o
            "S": 1 + 1 + (1 + 1) + (1 + 1),
        },
    ),
    (
        blockers,
        {
            "I": 1,
            "F": 2 + 2,  # Fdq$ is honest: o
            "E": 1 + 2,  # a lie: o
            "T": 1 + 2,  # a lie: o
            "A": 2 + 2 + (1 + 2),  # a card: t; Aq^ honest: t; As, a lie: t (both cards)
            "S": 1 + 2 + (1 + 2) + (1 + 2),  # Sq* honest: t; Saq~ honest: o; Scq a lie: t
        },
    ),
    (
        liar,
        {
            "I": 1,
            "F": 2 + 1,  # Fdq$ is honest: o
            "E": 1 + 1,  # a lie: o
            "T": 1 + 1,  # a lie: o
            "A": 2 + 1 + (1 + 2),  # a card: t; Aq a lie: o; As, a lie: t (both cards)
            "C": 2,  # t
            "S": 1 + 1 + (1 + 2) + (1 + 1),  # Sq a lie: o; Saq a lie: t; Scq* honest: o
        },
    ),
]


@pytest.mark.parametrize(("begin", "expected"), COUNTS, ids=[begin.__name__ for begin, _ in COUNTS])
def test_the_turns_that_are_legal(begin: Callable[[], Game], expected: dict[str, int]) -> None:
    """From a position there are so many turns of each action, and no others."""
    assert Counter(line[0] for line in turns(begin)) == expected


def test_the_turns_of_a_position_by_name() -> None:
    """From the first turn of a game exactly these twenty lines can be written."""
    assert turns(at_start) == {
        "I\n",
        *("Fp\n", "Fd\n", "Fdq<\n", "Fdq=\n"),
        *("Ep\n", "Eq~<\n", "Eq~=\n"),
        *("Tp\n", "Tq_\n", "Tq'\n"),
        *("Sp\n", "Sq_\n", "Sq'\n"),
        *("Sa\n", "Saq<\n", "Saq=\n"),
        *("Sc\n", "Scq*_\n", "Scq*'\n"),
    }


def test_turns_that_end_the_game_stay_open() -> None:
    """Of the turns with the last cards, these end the game; only the owner's loss closes a line."""
    ended = {line for line in turns(last_cards) if last_cards().say(*spoken(line)).ask is None}
    assert ended == {"Fdq=", "Eq~=", "Tq_\n", "A=", "Aq_\n", "Asq!_\n", "Sq_\n", "Saq=", "Scq="}


def spoken(line: str) -> list[str]:
    """The answers that write a line; an Exchange keeps the Ambassador."""
    return [f"{call}:~" if call == "\n" and line[0] == "E" else call for call in calls(line)]
