"""Play the stages of a contest: plan what is missing, begin it, and record its end."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from games.contest import Stage, chain_seed, stage_seed
from referee.bot import Bot
from referee.contest import entries
from referee.contest.folder import ContestFolder, chain_end
from referee.errors import call_all
from referee.tournament import Tournament, remove_staging, was_begun
from schema import discovery as layout
from schema import merkle, tournament_tree
from schema.errors import UsageError
from schema.files import refuse_links
from schema.reader import IncompleteLog, read

MOST_TEXT = 1_000
"""Maximum characters of a beacon."""


def next_stage(contest: ContestFolder, beacon: str | None) -> Stage | None:
    """Return the stage that was begun, or else the plan of the next; None if nothing is missing.

    Raises UsageError if the contest is closed or has no seed left, for too few bots, and for
    another beacon than that of the stage that was begun.
    """
    path, state = contest.path, contest.state
    contest.check_open()
    if beacon is not None and not (beacon.isprintable() and 1 <= len(beacon) <= MOST_TEXT):
        raise UsageError(
            f"--beacon: expected 1 to {MOST_TEXT} printable characters, found {beacon!r:.80}."
        )
    if (begun := state.stage) is not None:
        if beacon not in (None, begun.beacon):
            used = f"the beacon {begun.beacon!r}" if begun.beacon else "no beacon"
            raise UsageError(f"{path}: stage {begun.number} was begun with {used}; expected this.")
        return begun
    try:
        contest.card.check_number("entrants", len(state.current), contest.settings)
    except ValueError as error:
        raise UsageError(
            f"{path}: a stage of {contest.card.title}: {error}. `koth contest enter` enters bots."
        ) from None
    stage = state.next_stage(beacon or "")
    if stage is not None and stage.number > state.start["stages"]:
        raise UsageError(
            f"{path}: the chain of {state.start['stages']} seeds is used up. Close this contest, "
            "and begin a new one with more --stages."
        )
    return stage


def bots(contest: ContestFolder, stage: Stage) -> list[Bot]:
    """Return the bots of a stage from the files that were entered. Raises BotsError."""
    return call_all(partial(entries.stored, contest.path, entry) for entry in stage.entries)


def tournament(
    contest: ContestFolder,
    stage: Stage,
    bots: list[Bot],
    isolation: str,
    cold: bool = False,
    durable: bool = False,
) -> Tournament:
    """Return the tournament of a stage, or the rest of it if it was begun.

    A folder without any event is removed. Raises UsageError if it has other files and no log of
    its tournament, and OSError if it, or a folder of logs in it, is a link.
    """
    folder = stage_folder(contest, stage)
    _remove_unbound(folder, contest.path)
    return Tournament(
        card=contest.card,
        bots=bots,
        settings=contest.settings,
        seed=stage_seed(stage_chain_seed(contest, stage), stage.beacon),
        name=stage.tournament(contest.state.start["contest"]),
        folder=folder,
        isolation=isolation,
        cold=cold,
        durable=durable,
        again=was_begun(folder),
        pairings=stage.pairings,
    )


def begin(contest: ContestFolder, stage: Stage) -> None:
    """Record that a stage is started, unless it was."""
    if contest.state.stage is None:
        beacon = {"beacon": stage.beacon} if stage.beacon else {}
        contest.append({"type": "stage_started", "stage": stage.number, **beacon})


def is_played(contest: ContestFolder, stage: Stage) -> bool:
    """Return whether the tournament of a stage has its seal. Raises LogError if damaged.

    Whether it is the tournament of this stage is not checked.
    """
    log = stage_folder(contest, stage) / layout.TOURNAMENT
    if contest.state.stage is None or not log.exists():
        return False
    try:
        read(log)
    except IncompleteLog:
        return False
    return True


def finish(contest: ContestFolder, stage: Stage) -> None:
    """Record the end of a stage: its chain seed, and the root over its files."""
    folder = stage_folder(contest, stage)
    (folder / layout.SEED).unlink(missing_ok=True)
    hashes = list(tournament_tree.entries(folder).values())
    contest.append(
        {
            "type": "stage_finished",
            "stage": stage.number,
            "seed": stage_chain_seed(contest, stage),
            "files": len(hashes),
            "root": merkle.root(hashes).hex(),
        }
    )


def stage_folder(contest: ContestFolder, stage: Stage) -> Path:
    """Return the folder of a stage."""
    return contest.path / layout.STAGES / stage.folder


def stage_chain_seed(contest: ContestFolder, stage: Stage) -> str:
    """Return the chain seed of a stage. Raises as :func:`chain_end`."""
    start = contest.state.start
    return chain_seed(chain_end(contest.path, start), start["stages"], stage.number)


def _remove_unbound(folder: Path, contest: Path) -> None:
    """Remove the folder of a stage without any event, which an interrupt left.

    Raises UsageError if something else is in it.
    """
    log = folder / layout.TOURNAMENT
    folders = [folder / name for name in (layout.MATCHES, layout.EVIDENCE)]
    for path in folders:
        refuse_links(path, contest)
    remove_staging(folder)
    if not folder.exists() or was_begun(folder):
        return
    written = {log, layout.evidence(log), folder / layout.SEED, *folders}
    if others := sorted({*folder.rglob("*")} - written):
        raise UsageError(
            f"{folder}: expected {log.name} beside {others[0].relative_to(folder)}, found none. "
            "Put it back; or move the folder out of the contest, and the stage is played again."
        )
    shutil.rmtree(folder)
