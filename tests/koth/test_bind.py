"""Paths that bots may read in addition: --bind."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest

from referee import tournament
from referee.tournament import SEED_FILE, Tournament
from schema import discovery as layout
from schema.executor import serial
from tests import contests
from tests.factories import SEED
from tests.koth.commands import Koth, typed

pytestmark = pytest.mark.usefixtures("sandboxes")

READS = """import os
try:
    print(open({path!r}).read(), end="")
except OSError:
    print("NNN")
try:
    open({path!r}, "a")
except OSError:
    pass
"""
GAME = ["coins", "--seed", SEED, "--set", "rounds=1"]


@pytest.fixture(autouse=True)
def _isolation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTH_ISOLATION", "sandbox")


@pytest.fixture
def shown() -> Iterator[Path]:
    """A file that no sandbox has: an answer of Coins."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        path = Path(folder, "answer")
        path.write_text("3FF\n")
        path.chmod(0o644)
        yield path


@pytest.fixture
def bots(shown: Path, tmp_path: Path) -> list[str]:
    """Two bots that answer what is in the file, and try to change it."""
    paths = [tmp_path / name for name in ("a.py", "b.py")]
    for path in paths:
        path.write_text(READS.format(path=str(shown)))
    return [*map(str, paths)]


def kept(log: Path) -> dict[str, object]:
    """The first line of a log's evidence."""
    found: dict[str, object] = orjson.loads(layout.evidence(log).read_bytes().splitlines()[0])
    return found


def test_a_bot_reads_what_is_named(
    shown: Path, bots: list[str], koth: Koth, tmp_path: Path
) -> None:
    """With --bind it is there, read-only, and on record; without, it is not there."""
    without, log = tmp_path / "without.jsonl", tmp_path / "with.jsonl"
    assert koth("play", *GAME, *bots, "--isolation", "sandbox", "-o", without).code == 0
    assert "binds" not in kept(without)
    played = koth("play", *GAME, *bots, "--isolation", "sandbox", "--bind", shown, "-o", log)
    assert played.code == 0
    assert kept(log)["binds"] == [str(shown)]
    assert log.read_bytes().count(b"3FF") > without.read_bytes().count(b"3FF")
    assert shown.read_text() == "3FF\n"
    assert koth("reask", log, *bots, "--bind", shown).code == 0
    assert koth("reask", log, *bots).code == 1


def test_the_command_of_a_line_of_play_names_it(
    shown: Path, bots: list[str], koth: Koth, tmp_path: Path
) -> None:
    """Typed as `koth blame` prints it, the command ends with the result of the table."""
    log = tmp_path / "log.jsonl"
    assert koth("play", *GAME, *bots, "--bind", shown, "-o", log).code == 0
    listed = koth("blame", log, "--seat", 0, "--bots", *bots, "--bind", shown).out.splitlines()
    at = next(number for number, line in enumerate(listed) if line.startswith(" " * 4 + "$ koth "))
    after = koth(*shlex.split(listed[at])[2:]).out.splitlines()
    assert after[-1].split() == listed[at - 2].split()


@pytest.mark.parametrize(
    ("level", "path", "complaint"),
    [
        ("sandbox", "/no/such/file", "--bind /no/such/file: expected a file or a folder, found"),
        ("sandbox", "/", "--bind /: expected another path; a sandbox has /dev, /proc, /sys, /tmp"),
        ("sandbox", "/proc/self", "--bind /proc/self: expected another path"),
        ("sandbox", "/usr/../proc", "--bind /usr/../proc: expected another path"),
        ("sandbox", "/usr/..", "--bind /usr/..: expected another path"),
        ("sandbox", "/run", "--bind /run: expected another path"),
        ("process", "/var", "--bind: expected the isolation sandbox, found process, where bots"),
    ],
)
def test_what_cannot_be_shown(
    level: str, path: str, complaint: str, bots: list[str], koth: Koth, tmp_path: Path
) -> None:
    """It is named, with the reason, before anything is played."""
    words = ["--isolation", level, "--bind", path, "-o", tmp_path / "log.jsonl"]
    assert koth.complaint("play", *GAME, *bots, *words).startswith(complaint)
    assert not (tmp_path / "log.jsonl").exists()


def test_it_is_named_again_on_resume(
    shown: Path, bots: list[str], koth: Koth, tmp_path: Path
) -> None:
    """A folder shows bots nothing of the machine that is not named again."""
    cup = tmp_path / "cup"
    words = ["--isolation", "sandbox", "--set", "games=2", "--bind", str(shown)]
    assert typed("tournament", *GAME, *bots, *words, "-o", cup).code == 0
    log = cup / layout.TOURNAMENT
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:1]))
    (cup / SEED_FILE).write_text(f"{SEED}\n")
    told = koth.complaint("resume", cup, *bots)
    assert f"begun with --bind {shown}, which is not taken from the folder. Name it again." in told
    told = koth.complaint("resume", cup, *bots, "--bind", shown, "--isolation", "process")
    assert told.startswith("--bind: expected the isolation sandbox, found process")
    assert koth("resume", cup, *bots, "--bind", shown).code == 0
    assert koth("verify", cup).code == 0


def test_it_is_named_again_for_the_rest_of_a_stage(
    shown: Path, bots: list[str], koth: Koth, tmp_path: Path
) -> None:
    """The bots of a contest read in all matches of a stage what they read in the first."""

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    def play_one(planned: Tournament, *_: object, play: Any = tournament.play) -> None:
        play(planned, serial, stop)

    cup = contests.new(tmp_path / "cup", "coins", rounds=1, games=3)
    contests.enter(cup, bots)
    with patch.object(tournament, "play", play_one):
        stopped = koth("contest", "run", cup, "--bind", shown)
    assert f"stopped; `koth contest run {cup} --bind {shown}` goes on.\n" in stopped.err
    for words in (["resume", cup], ["contest", "run", cup]):
        told = koth.complaint(*words)
        assert f"begun with --bind {shown}, which is not taken from the folder." in told
    assert koth("resume", cup, "--bind", shown).code == 0
    assert koth("faults", cup).out == "no faults\n"


def test_all_settings_can_be_shown(koth: Koth, tmp_path: Path) -> None:
    """Bots that are shown all of /etc find the settings that every sandbox has."""
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(READS.format(path="/etc/hosts"))
    bots = [tmp_path / "a.py", tmp_path / "b.py"]
    played = koth("play", *GAME, *bots, "--bind", "/etc", "-o", tmp_path / "log.jsonl")
    assert played.code == 0, played.err
