"""The bots of a recorded match, to be asked again: who they are, and where they sit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from games.table import Replies
from referee import scratch
from referee.bots import Bot
from referee.errors import BotsError
from referee.match import PROTOCOLS
from referee.protocol import Seating
from schema.reader import Log


def seated(log: Log, bots: Sequence[Bot], any_files: bool = False) -> list[Bot]:
    """Of ``bots`` the one for each seat of ``log``: that whose files have the recorded hash.

    With ``any_files`` one of the same name will do; and the bots as they are given, where there
    is one for each seat. Raises BotsError that names the seat, the hash expected and those found.
    """
    players = log.start["players"]
    in_order = bots if len(bots) == len(players) else [None] * len(players)
    return [
        _seated(log, player, bots, given if any_files else None, any_files)
        for player, given in zip(players, in_order, strict=True)
    ]


def _seated(
    log: Log, player: dict[str, Any], bots: Sequence[Bot], given: Bot | None, any_files: bool
) -> Bot:
    named = [bot for bot in bots if player["name"] in (bot.name, f"{bot.name}-2")]
    same = [bot for bot in bots if bot.hash == player["bot"]]
    found = [bot for bot in named if bot in same] or same or (named if any_files else [])
    if found or given:
        return found[0] if found else given  # type: ignore[return-value]
    hint = ""
    if named:
        hint = f"; {named[0].name} has {named[0].hash[:16]}… now (--any-files asks it all the same)"
    raise BotsError(
        f"{log.path}: seat {player['seat']}, {player['name']}: expected a bot whose files have the "
        f"hash {player['bot'][:16]}…, found none{hint}."
    )


@contextmanager
def session(
    log: Log, bots: Sequence[Bot], cold: bool = False
) -> Iterator[Callable[[Any], Replies]]:
    """Bots at the table of a sealed match, with the seeds that they had; it puts asks to them."""
    seed, limit = log.seal["seed"], log.start["settings"]["time_limit_s"]
    with scratch.folder() as place:
        seating = Seating(bots, seed, place, log.card.scratch, limit, cold)
        with PROTOCOLS[log.card.protocol](seating) as asked:
            yield lambda asks: asked(asks)[0]
