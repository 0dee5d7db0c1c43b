"""Levels of isolation make no difference to honest bots; with the referee all of them end."""

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
from tests.abuse import playing
from tests.abuse.playing import PATIENCE, SEED, become_subreaper, descendants

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
"""Example bots: some that draw lots, keep notes, or are no Python; where none is named, all."""

NO_SANDBOX = sandbox.unavailable_reason()
needs_sandbox = pytest.mark.skipif(
    bool(sandbox.unavailable_reason()), reason=sandbox.unavailable_reason() or "is there"
)


def hold(folder: Path, game: str, level: str, words: list[str]) -> dict[str, bytes]:
    """A small tournament of the bots that ``words`` name: its logs, by their paths."""
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
    """The same bots with the same seed make the same bytes, wherever they are kept."""
    words = [f"examples/{name}" for name in SOME[game]] or ["examples"]
    levels = ["sandbox", "process", *(["none"] if game == "smallest_unique" else [])]
    first, *others = (hold(tmp_path / level, game, level, words) for level in levels)
    assert len(first) > 1
    assert all(other == first for other in others)


def referee(folder: Path, level: str) -> None:
    """Play a bot that sleeps for longer than anybody waits."""
    tempfile.tempdir = str(folder)
    card = registry.card("coins")
    bots = resolve([str(playing.BOTS / "time" / "sleep.py"), "examples/passive"], card)
    settings = card.settings({"games": 1, "time_limit_s": 1_000})
    planned = tournament.plan(card, bots, settings, SEED, None, folder / "cup", level)
    tournament.play(planned, serial, lambda done, total: None)


def kill_a_referee(folder: Path, level: str, tell: Callable[[bool], None]) -> None:
    """Have a referee play, kill it, and tell whether all that it started has ended."""
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
    """What runs below a process, and is no zombie."""
    return [line for line in descendants(process or 0).values() if line]


def wait_until(done: Callable[[], bool]) -> bool:
    """Wait, but not for ever. Returns whether it came about."""
    end = time.monotonic() + PATIENCE / 2
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("level", [pytest.param("sandbox", marks=needs_sandbox), "process"])
def test_with_the_referee_all_bots_end(level: str, tmp_path: Path) -> None:
    """A referee that is killed leaves no process behind, in the middle of a match."""
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
