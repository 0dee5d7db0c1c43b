"""Contests for the tests, whose bots play in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import orjson

from referee import tournament
from referee.contest import entries, stages
from referee.contest.folder import make, opened
from referee.roster.resolve import resolve
from schema import discovery as layout
from schema import registry
from schema.canonical import line
from schema.executor import serial
from tests.factories import SEED
from tests.referee.interruptions import Disk, disk, playing, unheard

Events = list[dict[str, Any]]


def new(folder: Path, game: str = "coup", stages: int = 20, **settings: Any) -> Path:
    """Make a contest called ``cup``, by default of Coup with one round."""
    values = settings or {"rounds": 1, "max_calls": 12}
    card = registry.card(game)
    make(folder, card, card.settings(values), SEED, stages, "cup")
    return folder


def bot(folder: Path, name: str, content: str = "", suffix: str = "py") -> str:
    """Write a bot, which is never run, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.{suffix}"
    path.write_text(f"# {name} {content}\n")
    return str(path)


def enter(folder: Path, words: Iterable[str], name: str | None = None) -> list[str]:
    """Enter bots without asking them a first question; return the types of the events."""
    with opened(folder) as held:
        bots = entries.as_name(resolve(words, held.card), name)
        planned = entries.planned(held, bots)
        entries.enter(held, planned)
    return [type for _, type in planned]


def withdraw(folder: Path, *names: str) -> None:
    """Withdraw bots."""
    with opened(folder) as held:
        entries.withdraw(held, names)


def run(folder: Path, beacon: str | None = None) -> int:
    """Play what is missing; return the number of matches of the stage, 0 without a stage."""
    with opened(folder) as held:
        stage = stages.next_stage(held, beacon)
        if stage is None:
            return 0
        if not stages.is_played(held, stage):
            bots = stages.bots(held, stage)
            planned = stages.tournament(held, stage, bots, "process")
            stages.begin(held, stage)
            tournament.play(planned, serial, unheard)
        stages.finish(held, stage)
        return len([*(stages.stage_folder(held, stage) / layout.MATCHES).iterdir()])


def simulated(work: Callable[[], object]) -> None:
    """Do the work with bots in this process, and without waiting for the disk."""
    with playing(), disk(Disk()):
        work()


def two_stages(
    folder: Path, after: Callable[[Path], object] = lambda cup: None, max_calls: int = 12
) -> Path:
    """Hold a contest in ``folder``: late, revised and withdrawn bots, a beacon; call ``after``.

    ``after`` gets the contest at the end of each stage. A match ends after ``max_calls``. Return
    the contest.
    """
    cup, bots = folder / "cup", folder / "bots"

    def hold() -> None:
        new(cup, rounds=1, max_calls=max_calls)
        enter(cup, [bot(bots, name) for name in ("anna", "bert", "cleo", "fred")])
        run(cup)
        after(cup)
        withdraw(cup, "cleo")
        enter(cup, [bot(bots, "dora"), bot(bots, "bert", "better")])
        run(cup, "drand 4711")
        after(cup)

    simulated(hold)
    return cup


def events(folder: Path) -> Events:
    """Return the events in the contest's log, without ``seq``."""
    lines = (folder / layout.CONTEST).read_bytes().splitlines()
    recorded = [orjson.loads(text) for text in lines]
    for event in recorded:
        del event["seq"]
    return recorded


def rewrite(folder: Path, events: Sequence[Any]) -> None:
    """Replace the contest's log by these events, numbered again, as a forger would."""
    data = b"".join(line(seq, event) for seq, event in enumerate(events))
    (folder / layout.CONTEST).write_bytes(data)
