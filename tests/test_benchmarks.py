"""Each benchmark runs with little work; its speed is not tested."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

package = pytest.importorskip("benchmarks", reason="benchmarks are no part of the wheel")
ROOT = Path(package.__file__ or "").parent.parent
MAIN = import_module("benchmarks.__main__")
NAMES: list[str] = MAIN.names()

LONG = {
    *(
        "archive",
        "audit",
        "blame",
        "class_bots",
        "cluster",
        "contest",
        "growth",
        "languages",
        "leaderboard",
        "memory",
    ),
    *("mirrored", "site", "sql", "startup", "tournament"),
}
"""Benchmarks that take long however little work they are given: only in the long run."""
SIZES = {"dice": 100, "mirrored": 8}
"""Amounts of little work, for the benchmarks for which it is not ``LITTLE``."""
LITTLE = 2


def benchmark(*words: str) -> subprocess.CompletedProcess[str]:
    """``python -m benchmarks`` with these words."""
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_gives_figures(name: str) -> None:
    """As JSON: numbers with units, some of them with a calibration and their ratio to it."""
    if name in LONG and not os.environ.get("KOTH_FUZZ"):
        pytest.skip("takes long; `make fuzz` runs it")
    found = benchmark(name, "--json", "--size", str(SIZES.get(name, LITTLE)))
    assert found.returncode == 0, found.stderr
    report = json.loads(found.stdout)
    assert (report["format"], report["benchmark"]) == ("koth-benchmark/1", name)
    assert set(report["machine"]) == {"processors", "system", "python"}
    figures: list[dict[str, Any]] = report["figures"]
    assert len({figure["name"] for figure in figures}) == len(figures)
    for figure in figures:
        assert math.isfinite(figure["value"])
        assert figure["unit"]
        assert (figure["against"] is None) == (figure["ratio"] is None)
        assert all(type(goal["reached"]) is bool for goal in figure["goals"])
    assert any(figure["calibration"] and figure["ratio"] for figure in figures)


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_says_what_it_is(name: str) -> None:
    """Its docstring begins with one sentence; it has an amount of work to quote, and a smaller."""
    module = import_module(f"benchmarks.{name}")
    summary = (module.__doc__ or "").partition("\n")[0]
    assert summary.endswith(".")
    assert type(module.SIZE) is int
    assert module.SIZE > module.QUICK > 0


def test_the_list_names_them_all() -> None:
    """The list has one line per benchmark, in order, with the first sentence of its docstring."""
    found = benchmark("list")
    assert (found.returncode, found.stderr) == (0, "")
    lines = found.stdout.splitlines()
    assert [line.split()[0] for line in lines] == sorted(NAMES)
    assert all(len(line.split()) > 1 for line in lines)


def test_the_page_tells_of_them_all() -> None:
    """``benchmarks/README.md`` has a line for each benchmark."""
    page = (ROOT / "benchmarks" / "README.md").read_text()
    assert [name for name in NAMES if f"| `{name}` |" not in page] == []


def test_an_unknown_name_is_refused() -> None:
    """One sentence has the expected and the actual value."""
    found = benchmark("dyce")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == f"expected one of {', '.join(NAMES)}; found 'dyce'.\n"
