"""One match on its own: a tournament of one, named after its own seed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from referee import blocks
from referee.blocks import Block
from referee.bots import Bot, number_names
from referee.match import MatchJob
from schema import folder, seal
from schema.errors import UsageError
from schema.registry import Card


def play(
    card: Card,
    bots: Sequence[Bot],
    settings: BaseModel,
    seed: str,
    log: Path,
    isolation: str,
    cold: bool = False,
    durable: bool = False,
) -> str:
    """Play one match into ``log``, the evidence into ``evidence/`` beside it; say how it ended.

    Raises UsageError for a wrong number of bots, and for a log that exists; CardError for a game
    that is broken.
    """
    card.current.check()
    try:
        card.check_number("seats", len(bots), settings)
    except ValueError as error:
        raise UsageError(f"a match of {card.title}: {error}.") from None
    if log.exists():
        raise UsageError(f"{log}: there is a file already; a log is never written over.")
    if not log.parent.is_dir():
        raise UsageError(f"{log.parent}: there is no such folder.")
    bots = number_names(bots)
    job = MatchJob(
        game=card.name,
        tournament=seal.tournament_id(seal.commitment(seed)),
        match="1-000000",
        bots=tuple(bots),
        settings=settings.model_dump(),
        seed=seed,
        log=log,
        evidence=folder.evidence(log),
        isolation=isolation,
        cold=cold,
        durable=durable,
    )
    [result] = blocks.play(Block([job]))
    scores = ", ".join(
        f"{bot.name} {score}" for bot, score in zip(bots, result.scores, strict=True)
    )
    return f"{result.reason}; {scores}"
