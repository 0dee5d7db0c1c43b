"""Play a single match: a tournament of one match, named by its own seed commitment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from games.narration import result_line
from games.table import Result
from referee.batch import scheduler
from referee.batch.scheduler import Batch
from referee.bot import Bot, number_names
from referee.match import MatchJob
from schema import discovery, seal
from schema.card import Card
from schema.errors import UsageError
from schema.files import require_folder_of


def plan(
    card: Card,
    bots: Sequence[Bot],
    settings: BaseModel,
    seed: str,
    log: Path,
    isolation: str,
    cold: bool = False,
    durable: bool = False,
) -> MatchJob:
    """Return a match to be played into ``log``, with its evidence in ``evidence/`` beside it.

    Raises UsageError for a wrong number of bots and as :func:`check_new`, and CardError for a
    broken game.
    """
    card.current.check()
    try:
        card.check_number("seats", len(bots), settings)
    except ValueError as error:
        raise UsageError(f"a match of {card.title}: {error}.") from None
    check_new(log)
    return MatchJob(
        game=card.name,
        rules=card.rules,
        tournament=seal.tournament_id(seal.commitment(seed)),
        match="1-000000",
        bots=tuple(number_names(bots)),
        settings=settings.model_dump(),
        seed=seed,
        log=log,
        evidence=discovery.evidence(log),
        isolation=isolation,
        cold=cold,
        durable=durable,
    )


def check_new(log: Path) -> None:
    """Check that a log can be written at ``log``, and its evidence where that of a log is.

    Raises UsageError if it exists, if it would be a match of a tournament, or if the evidence of
    another log has that place.
    """
    if os.path.lexists(log):
        found = "a folder" if log.is_dir() else "a file"
        raise UsageError(f"{log}: there is {found} already; a log is never written over.")
    require_folder_of(log)
    evidence = discovery.evidence(log)
    folder, home = evidence.parent, evidence.parent.parent
    tournament = home / discovery.TOURNAMENT
    if home != log.parent and tournament.exists():
        raise UsageError(
            f"{log}: expected a path outside of the matches of {tournament}, which would be forged "
            "with one more."
        )
    for other in (home / log.name, home / discovery.MATCHES / log.name):
        if other.exists():
            raise UsageError(
                f"{log}: its evidence would replace that of {other}, which is in {evidence}. Name "
                "another log."
            )
    if folder == log or (os.path.lexists(folder) and not folder.is_dir()):
        raise UsageError(f"{folder}: expected a folder for evidence, found a file.")


def play(job: MatchJob) -> Result:
    """Play a planned match; return its result. Raises the errors of :func:`referee.match.play`."""
    [result] = scheduler.play(Batch([job]))
    return result


def in_words(players: Sequence[str], result: Result) -> str:
    """Return the result of a match as text; ``players`` are names by seat."""
    event = {"reason": result.reason, "scores": result.scores, "winners": result.winners}
    return result_line(event, players)
