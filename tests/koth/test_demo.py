"""``koth demo``: what it promises to show, in at most 60 lines."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace
from typing import Any

import pytest

from koth.cli import demo
from koth.cli.main import status
from schema import registry
from schema.discovery import MATCHES
from tests.golden.make import HERE
from tests.sampling import left_to_the_long_run, left_to_the_wheel
from tests.schema.test_writer_and_reader import full_disk

recording = import_module("docs.recording")


def typed(command: list[str], **options: Any) -> CompletedProcess[str]:
    """Run a command of the demo in this process."""
    words = command[command.index("koth") + 1 :]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = status(words)
    texts = []
    for stream in (out, err):
        stream.seek(0)
        texts.append(stream.read())
    return CompletedProcess(command, code, *texts)


def shown(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return all that the demo prints."""
    assert status(["demo", *words]) == 0
    return capsys.readouterr().out


def test_a_full_disk_stops_the_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the file that cannot be written."""
    with full_disk(100):
        assert status(["demo", "-o", str(tmp_path / "demo")]) == 4
    assert capsys.readouterr().err == f"koth: {tmp_path}/demo/fumbler.py: File too large.\n"


@left_to_the_wheel
@pytest.mark.parametrize(
    "run",
    [typed, pytest.param(subprocess.run, marks=left_to_the_long_run)],
    ids=["one process", "processes"],
)
def test_the_demo_shows_a_dispute(
    run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forfeit has its clause, both forgeries are caught by line and field, both pages exist.

    The recording in the README shows exactly this run.

    In the long run each of its commands has a process of its own, as it has for people.
    """
    monkeypatch.setattr(demo, "subprocess", SimpleNamespace(run=run))
    monkeypatch.setenv("COLUMNS", str(recording.COLUMNS))
    monkeypatch.chdir(tmp_path)
    out = shown(["-o", "demo"], capsys)
    assert out.count("\n") <= 60
    for title in ("low    high", "challenges  lies_found"):
        assert title in out
    assert "it forfeits (CP-17)." in out
    assert "corrupt  demo/changed.jsonl:" in out
    diverged = out[out.index("diverged  demo/resealed.jsonl:") :]
    assert "field winners[0]: recorded 0, recomputed 1 (CP-17)" in diverged
    for page in ("tournament.html", "match.html"):
        assert f"\n  demo/{page}\n" in out
        assert "fumbler" in Path("demo", page).read_text()
    assert recording.recorded(out) == recording.PICTURE.read_text()


@left_to_the_long_run
def test_the_demo_of_all_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With ``--all``, there is a tournament of each game, and all of its logs verify."""
    out = shown(["--all", "-o", str(tmp_path)], capsys)
    assert out.count("$ koth tournament ") == len(registry.names())
    for game, logs in {"bank_heist": 3, "coins": 3, "smallest_unique": 19}.items():
        assert f"\n{logs} logs: {logs} verified\n" in out[out.index(f"$ koth tournament {game} ") :]
    for column in ("credits", "rounds_won", "rotating"):
        assert column in out


def test_a_folder_whose_name_is_not_utf8(tmp_path: Path) -> None:
    """The demo finds the match with a fault there, although tables escape its path."""
    folder = tmp_path / os.fsdecode(b"\xff")
    log = folder / MATCHES / "1-000000.jsonl"
    log.parent.mkdir(parents=True)
    shutil.copy(HERE / "coup-2/forfeit_by_timeout.jsonl", log)
    assert demo._first_fault(folder) == log


def test_a_folder_whose_name_begins_with_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of the demo take it for a folder, as the demo does."""
    given: list[Path] = []
    monkeypatch.setattr(demo, "_show_coup", given.append)
    assert status(["demo", "--output=-x"]) == 0
    assert given == [Path.cwd() / "-x"]


@left_to_the_wheel
def test_another_encoding_of_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output of the commands is read as what it is, for example quotes in a terminal of GBK."""
    monkeypatch.setenv("PYTHONIOENCODING", "gbk")
    demo._show("explain", str(HERE / "bank_heist-1/all_in_won_and_lost.jsonl"), "3")
    assert "\u201c" in capsys.readouterr().out


def test_a_command_that_fails_ends_the_demo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo ends with the exit code of a command that does not end as it should."""

    def fails(command: list[str], **options: Any) -> CompletedProcess[str]:
        return CompletedProcess(command, 3, "", "koth: no room.\n")

    monkeypatch.setattr(demo, "subprocess", SimpleNamespace(run=fails))
    assert status(["demo", "-o", str(tmp_path)]) == 3
    assert capsys.readouterr().err == "koth: no room.\n"


def test_a_command_that_is_killed_ends_the_demo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo says so, and ends with 4, because no signal has an exit code of its own."""

    def killed(command: list[str], **options: Any) -> CompletedProcess[str]:
        return CompletedProcess(command, -9, "", "")

    monkeypatch.setattr(demo, "subprocess", SimpleNamespace(run=killed))
    assert status(["demo", "-o", str(tmp_path)]) == 4
    assert capsys.readouterr().err == "koth: the command above was stopped by the signal SIGKILL.\n"


@pytest.mark.parametrize(("system", "options"), [("linux", []), ("win32", ["--isolation", "none"])])
def test_its_own_bots_are_trusted_where_none_are_isolated(
    system: str, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows and macOS the demo names the only level that they have."""
    played: list[str] = []
    monkeypatch.setattr(demo, "_show", lambda *words, first: played.extend(words))
    monkeypatch.setattr(sys, "platform", system)
    demo._play("coup", "cup", "examples", settings=())
    assert played[-len(options) or len(played) :] == options
