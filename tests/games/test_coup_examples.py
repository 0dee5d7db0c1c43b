"""The example turns of Coup's rulebook, each with the exact coins and hands it leads to."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from schema import registry
from tests.games.coup_games import Game, calls


class Example(NamedTuple):
    """A line of the rulebook, played from hands and coins, and what there is afterwards.

    ``?`` is a card drawn for one that was shown.
    """

    line: str
    hands: tuple[str, str]
    coins: tuple[int, int]
    hands_after: tuple[str, str]
    coins_after: tuple[int, int]
    keep: str = ""


EXAMPLES = (
    Example("I\n", ("~^", "*!"), (1, 1), ("~^", "*!"), (2, 1)),
    Example("Fp\n", ("~^", "*!"), (1, 1), ("~^", "*!"), (3, 1)),
    Example("Fdq<\n", ("~^", "*!"), (1, 1), ("~^", "!"), (3, 1)),
    Example("Fdq=\n", ("~^", "*!"), (1, 1), ("~^", "*"), (3, 1)),
    Example("Fdq$<\n", ("*^", "!$"), (1, 1), ("^", "!?"), (1, 1)),
    Example("Tq'\n", ("~^", "*!"), (1, 1), ("~", "*!"), (1, 1)),
    Example("Sc\n", ("~^", "*!"), (1, 1), ("~^", "*!"), (1, 1)),
    Example("Sq*0\n", ("*^", "$!"), (1, 3), ("^?", "!"), (3, 1)),
    Example("Ep\n", ("~^", "*!"), (1, 1), ("~^", "*!"), (1, 1), "~^"),
    Example("Eq~<\n", ("~^", "*!"), (1, 1), ("~^", "!"), (1, 1), "~^"),
    Example("A=\n", ("~^", "*!"), (3, 1), ("~^", "*"), (0, 1)),
    Example("Asq!'\n", ("~^", "*!"), (3, 1), ("~", "*?"), (0, 1)),
    Example("C=\n", ("~^", "*!"), (7, 1), ("~^", "*"), (0, 1)),
)

BY_LINE = {example.line: example for example in EXAMPLES}


def in_the_rulebook() -> list[str]:
    """The lines of the rulebook's table of example turns."""
    text = registry.card("coup").rulebook.read_text().partition("## Example turns")[2]
    lines = re.findall(r"^\| `(.*)` \|", text.partition("\n## ")[0], re.M)
    return [line.replace("\\n", "\n") for line in lines]


@pytest.mark.parametrize("line", in_the_rulebook(), ids=repr)
def test_an_example_turn(line: str) -> None:
    """A turn of the rulebook's examples is legal and leads to these hands and coins."""
    assert line in BY_LINE, "no hands and coins lead to this line"
    example = BY_LINE[line]
    game = Game(*example.hands, coins=example.coins)
    assert (game.coins, game.hands) == (list(example.coins), list(example.hands))
    game.turn(example.line, example.keep)
    drawn = next((e["drawn"] for e in game.events if e["type"] == "card_replaced"), "")
    assert game.coins == list(example.coins_after)
    assert game.hands == [hand.replace("?", drawn) for hand in example.hands_after]
    assert game.ask
    assert (game.ask.name, game.ask.seat) == ("turn", 1)


def test_the_rulebook_has_examples() -> None:
    """The table of examples is found, and each line is in it once."""
    lines = in_the_rulebook()
    assert len(set(lines)) == len(lines) >= 12


def test_calls_of_a_line() -> None:
    """The helper of these tests splits a line into calls of the owner and the other in turn."""
    assert calls("I\n") == ["I\n"]
    assert calls("Sc\n") == ["S", "c", "\n"]
    assert calls("Fdq$<\n") == ["F", "d", "q", "$", "<\n"]
    assert calls("C=\n") == ["C", "=", "\n"]
