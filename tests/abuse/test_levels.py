"""Honest bots play the same at all levels of isolation, and end with the referee."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import tournament
from referee.roster.resolve import resolve
from referee.sandbox import sandbox
from schema import registry
from schema.executor import serial
from tests.abuse import parties
from tests.abuse.parties import PATIENCE, SEED, become_subreaper, descendants

SMALL: dict[str, dict[str, int]] = {
    "bank_heist": {"games_min": 3, "games_max": 3, "rabble": 5},
    "coins": {"games": 1, "rounds": 5},
    "coup": {"rounds": 1, "max_calls": 12},
    "smallest_unique": {"rounds": 20, "games_per_entrant": 2},
}
SOME: dict[str, tuple[str, ...]] = {
    "bank_heist": ("gambler", "investor", "double_crosser"),
    "coins": ("bookkeeper", "random_player", "thrifty"),
    "coup": ("random_player", "statistician", "miser"),
    "smallest_unique": (),
}
"""Example bots by game: some that draw lots, keep notes, or are not Python; if empty, all."""

NO_SANDBOX = sandbox.unavailable_reason()
needs_sandbox = pytest.mark.skipif(bool(NO_SANDBOX), reason=NO_SANDBOX or "is there")


def hold(folder: Path, game: str, level: str, words: list[str]) -> dict[str, bytes]:
    """Play a small tournament of these bots; return its logs by path."""
    card = registry.card(game)
    settings = card.settings(SMALL[game])
    bots = resolve(words, card)
    planned = tournament.plan(card, bots, settings, SEED, None, folder, level)
    tournament.play(planned, serial, lambda done, total: None)
    logs = [folder / "tournament.jsonl", *(folder / "matches").iterdir()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in logs}


@needs_sandbox
@pytest.mark.parametrize("game", SMALL)
def test_logs_are_the_same_at_every_level(game: str, tmp_path: Path) -> None:
    """The same bots with the same seed give the same bytes at every level."""
    words = [f"examples/{name}" for name in SOME[game]] or ["examples"]
    levels = ["sandbox", "process", *(["none"] if game == "smallest_unique" else [])]
    first, *others = (hold(tmp_path / level, game, level, words) for level in levels)
    assert len(first) > 1
    assert all(other == first for other in others)


def referee(folder: Path, level: str) -> None:
    """Play a bot that sleeps longer than any test."""
    tempfile.tempdir = str(folder)
    card = registry.card("coins")
    bots = resolve([str(parties.BOTS / "time" / "sleep.py"), "examples/passive"], card)
    settings = card.settings({"games": 1, "time_limit_s": 1_000})
    planned = tournament.plan(card, bots, settings, SEED, None, folder / "cup", level)
    tournament.play(planned, serial, lambda done, total: None)


def kill_a_referee(folder: Path, level: str, tell: Callable[[bool], None]) -> None:
    """Start a referee, kill it, and report whether all its processes have ended."""
    become_subreaper()
    process = multiprocessing.get_context("fork").Process(target=referee, args=(folder, level))
    process.start()
    log = folder / "cup" / "matches" / "1-000000.jsonl"
    begun = wait_until(
        lambda: log.exists() and any("sleep.py" in one for one in below(process.pid))
    )
    process.kill()
    tell(begun and wait_until(lambda: not below(os.getpid())))


def below(process: int | None) -> list[str]:
    """Return the command lines of the descendants of a process, without zombies."""
    return [line for line in descendants(process or 0).values() if line]


def wait_until(done: Callable[[], bool]) -> bool:
    """Wait until ``done`` is true; return False if that takes too long."""
    end = time.monotonic() + PATIENCE / 2
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("level", [pytest.param("sandbox", marks=needs_sandbox), "process"])
def test_with_the_referee_all_bots_end(level: str, tmp_path: Path) -> None:
    """A referee that is killed in the middle of a match leaves no process behind."""
    ended, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=kill_a_referee, args=(tmp_path, level, theirs.send)
    )
    process.start()
    theirs.close()
    try:
        assert ended.poll(PATIENCE)
        assert ended.recv() is True
    finally:
        process.kill()
        process.join()
