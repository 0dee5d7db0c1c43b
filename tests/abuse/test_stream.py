"""Stream bots that misbehave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tests.abuse.parties import Bait, are_contained, each_party
from tests.game_factory import install


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the name of the game that these bots play, which is installed."""
    with pytest.MonkeyPatch.context() as patch:
        yield install(tmp_path_factory.mktemp("game"), patch, {}, "stream", "abused_stream")


@each_party("stream")
def test_a_stream_bot(names: Sequence[str], level: str, bait: Bait, game: str) -> None:
    """The bot is out of the match or has no effect, and the others play on."""
    are_contained(names, level, bait, game)
