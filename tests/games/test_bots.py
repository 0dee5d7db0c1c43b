"""The example bots of all games."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.roster.resolve import character, examples
from schema import registry

BOTS = {
    f"{name}/{bot.name}": bot for name in registry.names() for bot in examples(registry.card(name))
}


@pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
def test_a_bot_says_what_it_does(bot: Path) -> None:
    """The first line of a bot's docstring, or its first comment, describes it in a sentence."""
    sentence = character(bot)
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert len(sentence.split()) > 3
