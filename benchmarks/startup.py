"""Milliseconds of whole commands on a small log, and of ``import koth``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks._command import KOTH
from benchmarks.measure import Figure, at_most, in_turn, medians, within

SIZE = 21
"""Processes of each kind."""

QUICK = 5

EMPTY_APP = """\
import typer

app = typer.Typer()

@app.command()
def main() -> None:
    "Nothing."

app()
"""
GOALS = {"koth --help": (at_most(300),), "koth verify": (within(1.3),)}

IMPORT = """\
import time

begun = time.perf_counter()
import koth

print(1000 * (time.perf_counter() - begun))
"""
IMPORT_GOAL = at_most(30)


def run(size: int) -> Iterator[Figure]:
    """Compare four commands with an empty typer app, and the rest with an empty script."""
    with TemporaryDirectory() as folder:
        script = partial(_script, folder)
        bots = ("examples/taxman", "examples/bandit")
        script(KOTH, "play", "coup", *bots, "--seed", "2026", "-o", "log.jsonl")
        works = {
            "koth --help": partial(script, KOTH, "--help"),
            "koth verify": partial(script, KOTH, "verify", "log.jsonl"),
            "koth games": partial(script, KOTH, "games"),
            "koth explain": partial(script, KOTH, "explain", "log.jsonl", "2"),
            "app": partial(script, EMPTY_APP),
            "nothing": partial(script, "pass"),
        }
        imports = median(float(script(IMPORT)) for _ in range(size))
        taken = {name: 1000 * s for name, s in medians(in_turn(works, size)).items()}
    app, nothing = taken.pop("app"), taken.pop("nothing")
    for name, milliseconds in taken.items():
        yield Figure(name, milliseconds, "ms", "an empty typer app", app, GOALS.get(name, ()))
    yield Figure("an empty typer app", app, "ms", "python -c pass", nothing)
    yield Figure("import koth", imports, "ms", "python -c pass", nothing, (IMPORT_GOAL,))


def _script(folder: str, code: str, *words: str) -> str:
    """Run a script in a new process until it ends; return its output."""
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, check=True, text=True).stdout
