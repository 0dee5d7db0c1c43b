"""The types of ``import koth`` for a user's own strict mypy, in a folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

pytest.importorskip("mypy")

ROOT = Path(__file__).parent.parent.parent
SCRIPT = """\
from pathlib import Path

import koth

verdict: koth.Verdict = koth.verify(Path("log.jsonl"), jobs=2)
reason: str = verdict.reason
line: int | None = verdict.logs[0].line
event: koth.Event = koth.replay("log.jsonl", at=10)
clause: str = koth.explain("log.jsonl", 10).clause_text
match: koth.Match = koth.play("coins", [lambda situation: "NNN", "bot.py"], seed=42)
names: tuple[str, ...] = match.winners
rows: list[dict[str, object]] = koth.leaderboard(["a", Path("b")]).boards[0].rows
settings: tuple[koth.Setting, ...] = koth.games()[0].settings
clean: bool = koth.audit("spring").clean
try:
    with koth.open("spring") as database:
        answer: list[tuple[object, ...]] = database.sql("FROM matches").fetchall()
except koth.KothError as error:
    code: int = error.exit_code

reveal_type(koth.verify)
"""
WRONG = """\
import koth

koth.verfy("log.jsonl")
koth.verify(7)
koth.replay("log.jsonl", at="10")
koth.play("coins", [7])
koth.verify("log.jsonl").verdict = "verified"
"""
SETTINGS = """\
[mypy]
strict = True
[mypy-cryptography.*,distributed.*,duckdb.*,jinja2.*,numpy.*,orjson.*,pydantic.*,rich.*]
follow_imports = skip
"""
"""Large libraries are skipped, because reading their types takes most of the time."""


def test_every_package_has_types() -> None:
    """The marker of PEP 561 is in each package of the wheel, so that no result is ``Any``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert [name for name in packages if not (files(name) / "py.typed").is_file()] == []


def test_a_strict_type_checker_accepts_the_library(tmp_path: Path) -> None:
    """Mypy finds the types of every function, and an error in each wrong line."""
    (tmp_path / "good.py").write_text(SCRIPT)
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "mypy.ini").write_text(SETTINGS)
    command = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "good.py", "wrong.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    lines = ran.stdout.splitlines()
    assert ran.stderr == ""
    [revealed] = [line for line in lines if line.startswith("good.py")]
    assert "-> koth.library.verdicts.Verdict" in revealed
    places = [
        line.split(":")[1] for line in lines if line.startswith("wrong.py") and "error" in line
    ]
    assert places == ["3", "4", "5", "6", "7"]
