"""``koth demo``: a real tournament, from bots to a verdict."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

SEED = "2026"

A_RULING = """
    SELECT path, seq FROM coup_card_replaced JOIN logs USING (log) ORDER BY path, seq LIMIT 1
"""
A_QUESTION = """\
SELECT name, count(*) AS challenges, count(*) FILTER (cause = 'false_claim') AS lies_found
FROM answers JOIN players USING (log, seat) ASOF JOIN coup_card_lost AS lost
  ON answers.log = lost.log AND answers.seq < lost.seq
WHERE appended = 'q' GROUP BY name ORDER BY challenges DESC"""


def demo(
    output: Annotated[
        Path | None, typer.Option("-o", help="A new folder for it.", metavar="DIR")
    ] = None,
) -> None:
    """Play, verify, audit, explain and query a small real tournament."""
    root = output if output is not None else Path(tempfile.mkdtemp(prefix="koth-demo-"))
    coup = root / "coup"
    options = ["--seed", SEED, "--set", "rounds=1", "--jobs", "2"]
    _show("tournament", "coup", "examples", "-o", str(coup), *options)
    _show("verify", str(coup), "--jobs", "2", tail=1)
    _show("audit", str(coup))
    _show("leaderboard", str(coup))
    path, seq = _a_ruling(coup)
    _show("explain", path, seq)
    _show("sql", str(coup), A_QUESTION)
    print(f"\nAll of it is in {root}.")


def _a_ruling(folder: Path) -> tuple[str, str]:
    from audit.query import query
    from audit.tables import open_database

    with open_database([folder]) as database:
        [(path, seq)] = query(database, A_RULING).rows
    return str(path), str(seq)


def _show(*words: str, tail: int | None = None) -> None:
    """Show a command as one would type it, run it, and show the end of what it prints."""
    pipe = "" if tail is None else f" | tail -n {tail}"
    print(f"\n$ koth {' '.join(map(_quoted, words))}{pipe}", flush=True)
    command = [sys.executable, "-m", "koth.main", *words]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    print("\n".join(ran.stdout.splitlines()[-(tail or 0) :]), flush=True)
    if ran.returncode:
        raise typer.Exit(ran.returncode)


def _quoted(word: str) -> str:
    """A word as one would type it: SQL is full of single quotes, so it goes into double ones."""
    return f'"{word}"' if "'" in word and not set('"$`\\!') & set(word) else shlex.quote(word)
