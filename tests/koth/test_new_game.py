"""``koth new-game``: what it writes is a package that works, and nothing is overwritten."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from koth.game_skeleton import EVERY_GAME, MAX_NAME, PARTS, TEMPLATES
from tests.koth.commands import Koth
from tests.sampling import left_to_the_long_run, left_to_the_wheel
from tests.test_docs import generate

LONG = ("a_game_of_a_long_name_" + "x" * MAX_NAME)[:MAX_NAME]
"""The longest name there may be, so that a line that it makes too long is found."""


@pytest.fixture(params=PARTS["protocols"])
def project(koth: Koth, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The skeleton of a game with a long name, as it was written for a protocol."""
    folder = tmp_path / "project"
    typed = koth("new-game", LONG, "-o", folder, "--protocol", request.param)
    assert (typed.code, typed.err, typed.out.count("\n")) == (0, "", 3)
    return folder


def run(project: Path, *words: str, **environment: str) -> None:
    """Run a program of this Python's environment in the project; it must end well."""
    found = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=project,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr


@left_to_the_wheel
def test_the_skeleton_passes_its_own_checks(project: Path, tmp_path: Path) -> None:
    """The skeleton installs with pip, passes its own tests, and has no style findings."""
    site = str(tmp_path / "site")
    run(project, "pip", "install", ".", PIP_TARGET=site, **generate.OFFLINE)
    run(project, "pytest", "-p", "no:cacheprovider", PYTHONPATH=site)
    run(project, "ruff", "format", "--check", ".")
    run(project, "ruff", "check", "--no-cache", ".")


@left_to_the_long_run
def test_the_skeletons_types_are_in_order(project: Path, tmp_path: Path) -> None:
    """Mypy, as strict as the skeleton sets it, has nothing to say of it."""
    run(project, "mypy", "--cache-dir", str(tmp_path / "cache"), PYTHONPATH=str(project))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Three-Dice", "such as 'three_dice'; found 'Three-Dice'"),
        ("3d", "and a letter in front, such as 'd'"),
        ("dice_", "with single '_' between them and a letter in front, such as 'dice'"),
        ("a" * (MAX_NAME + 1), f"at most {MAX_NAME} "),
        ("_", "found '_'"),
        ("class", "'class' is taken by Python"),
        ("coup", "there is a game called 'coup' already"),
        ("json", "'json' is taken by Python or by Koth"),
        ("log", "'log' is taken"),
    ],
)
def test_a_name_that_cannot_be(name: str, told: str, koth: Koth, tmp_path: Path) -> None:
    """A name is refused if no package or table can have it, or if it is taken."""
    assert told in koth.complaint("new-game", name, "-o", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_tool_that_is_not_installed_yet(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No game can have the name of a tool that the skeleton's own checks need."""
    monkeypatch.setattr("koth.game_skeleton.find_spec", lambda name: None)
    template = (TEMPLATES / EVERY_GAME / "pyproject.toml.template").read_text()
    tools = re.findall(r'"(\w+)>=', re.findall(r"^dev = (.*)$", template, re.M)[0])
    assert set(tools) == {"mypy", "pytest", "ruff"}
    for tool in tools:
        assert "is taken" in koth.complaint("new-game", tool, "-o", tmp_path / "new")


def test_nothing_is_overwritten(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that exists is left as it is, also an empty one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dice_duel").mkdir()
    assert "dice_duel: this path already exists" in koth.complaint("new-game", "dice_duel")
    assert list((tmp_path / "dice_duel").iterdir()) == []
    assert "a: there is no such folder" in koth.complaint(
        "new-game", "dice_duel", "-o", tmp_path / "a" / "b"
    )
