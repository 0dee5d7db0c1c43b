"""Checks a stage that was played before, when its contest is about to record its end."""

from __future__ import annotations

from pathlib import Path

from games.contest import Event, Stage
from replay.contest import Forged, compare_stage
from replay.errors import ReplayError
from replay.verify import verify_all
from schema import discovery
from schema.errors import LogError
from schema.executor import Mapper


def check_played(folder: Path, contest: Event, stage: Stage, chain_seed: str, each: Mapper) -> None:
    """Check that the sealed tournament in ``folder`` is that of a stage, with all its matches.

    ``contest`` is the first event of the contest. Raises ReplayError, since the end of a stage
    reveals its chain seed, and can never be taken back.
    """
    try:
        for verdict in verify_all(discovery.logs_at(folder), each, {folder}):
            if verdict.verdict != "verified":
                raise Forged(f"{verdict.path} is {verdict.verdict}: {verdict.reason}")
        compare_stage(contest, stage, chain_seed, folder)
    except (Forged, LogError) as error:
        raise ReplayError(
            f"{folder}: this stage was played, and is not as it was: {error}. Nothing is recorded. "
            "Put its files back; or move the folder out of the contest, and the stage is played "
            "again."
        ) from None
