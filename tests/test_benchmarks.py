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

from tests.sampling import one_in

package = pytest.importorskip("benchmarks", reason="benchmarks are no part of the wheel")
ROOT = Path(package.__file__ or "").parent.parent
MAIN = import_module("benchmarks.__main__")
measure = import_module("benchmarks.measure")
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


@pytest.mark.parametrize("name", one_in(2, {name: name for name in NAMES}))
def test_a_benchmark_gives_figures(name: str) -> None:
    """As JSON: numbers with units, some of them with a calibration and their ratio to it."""
    if name in LONG and not os.environ.get("KOTH_FUZZ"):
        pytest.skip("takes long; `make fuzz` runs it")
    found = benchmark(name, "--json", "--size", str(SIZES.get(name, LITTLE)))
    assert found.returncode == 0, found.stderr
    report = json.loads(found.stdout)
    assert (report["format"], report["benchmark"]) == ("koth-benchmark/1", name)
    assert set(report["machine"]) == {"processor", "processors", "system", "python"}
    assert all(milliseconds > 0 for milliseconds in report["calibration"].values())
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


def reported(name: str, **changed: object) -> str:
    """Return a line of a report, with one figure of each kind."""
    goal = MAIN.Figure("with a goal | bar", 2000.0, "1/s", "plain", 500.0, (measure.times(5),))
    interval = MAIN.Figure("by chance", 0.5, "ms", "other", 2.0, interval=(0.1, 0.4))
    report = MAIN.report(name, [goal, interval, MAIN.Figure("alone", 3.0, "MB")])
    return json.dumps(report | changed)


def test_a_table_has_every_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The page names the machine once, and has one row per figure, with ratio and goals."""
    file = tmp_path / "run.jsonl"
    slower = {"loop": 10.0, "orjson": 40.0}
    lines = [reported("dice"), reported("verify", calibration=slower, quick=True)]
    file.write_text("\n".join(lines))
    MAIN.main("table", file)
    page = capsys.readouterr().out
    assert page.count("\n| processor |") == 1
    assert page.count("\n## ") == 2
    assert (
        page.count("| with a goal \\| bar | 2,000 1/s | 4.00 | plain: 500 | ratio ≥ 5 ✗ |\n") == 2
    )
    assert page.count("| by chance | 0.5 ms | 0.25 (0.10–0.40) | other: 2 |  |\n") == 2
    assert page.count("| alone | 3 MB |  |  |  |\n") == 2
    assert "Calibration of this run: loop 10 ms, orjson 40 ms. With less work" in page


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "No such file or directory."),
        ("", "expected lines of the format koth-benchmark/1, found none."),
        ('{"format":"other"}', "line 1: expected a JSON object of the format koth-benchmark/1."),
        ("no JSON", "line 1: expected a JSON object of the format koth-benchmark/1."),
    ],
)
def test_a_table_needs_reports(
    content: str | None, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Any other file is refused with one sentence."""
    file = tmp_path / "run.jsonl"
    if content is not None:
        file.write_text(content)
    with pytest.raises(SystemExit) as end:
        MAIN.main("table", file)
    assert end.value.code == 2
    assert capsys.readouterr() == ("", f"{file}: {expected}\n")


def test_a_benchmark_takes_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    """A file is refused where no page is made from it."""
    with pytest.raises(SystemExit) as end:
        MAIN.main("verify", Path("run.jsonl"))
    assert end.value.code == 2
    message = "verify: expected a file for table and hours only, found 'run.jsonl'.\n"
    assert capsys.readouterr() == ("", message)


def test_the_committed_page_is_of_this_form() -> None:
    """``benchmarks/figures.md`` begins as the command writes it, and names only benchmarks."""
    page = (ROOT / "benchmarks" / "figures.md").read_text()
    assert page.startswith(import_module("benchmarks._page").HEAD)
    headings = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    assert headings
    assert set(headings) <= set(NAMES)


def test_the_page_explains_each_benchmark_that_misses_a_goal() -> None:
    """A benchmark with a ✗ in ``figures.md`` is among the README's goals that are not reached."""
    parts = (ROOT / "benchmarks" / "figures.md").read_text().split("\n## ")[1:]
    missing = [part.split("\n")[0] for part in parts if "✗" in part]
    page = (ROOT / "benchmarks" / "README.md").read_text()
    explained = page.partition("## Goals that are not reached")[2]
    assert missing
    assert [name for name in missing if f"`{name}`" not in explained] == []


def test_bots_without_a_proof_have_one_goal() -> None:
    """A process per match has no goal but that in sandboxes with two jobs, as the README says."""
    unique = import_module("benchmarks._smallest_unique")
    assert set(import_module("benchmarks.class_bots").UNPROVEN) == {unique.SANDBOX_JOBS}


def test_hours_follow_from_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Matches by decisions by measured time, on at most one processor per match."""
    hours = import_module("benchmarks._hours")
    names = {hours.PYTHON: 3.6, hours.JAVA: 36.0}
    figures = [MAIN.Figure(name, value, "ms/decision") for name, value in names.items()]
    rounds = MAIN.Figure(hours.CLASS_BOTS, 1_000.0, "1/s")
    reports = [MAIN.report("languages", figures), MAIN.report("class_bots", [rounds])]
    file = tmp_path / "run.jsonl"
    file.write_text("\n".join(map(json.dumps, reports)))
    MAIN.main("hours", file)
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].endswith("| hours, 2 cores | hours, 16 cores | hours, 1,000 cores |")
    assert len(rows) == 2 + 3 * (3 * 3 + 1)
    assert "| Coup for two | 10 | Python | 900 | 200 | 3.6 | 0.09 | 0.011 | < 0.01 |" in rows
    assert "| Coins | 100 | Java | 200 | 2,500 | 36 | 2.5 | 0.31 | 0.025 |" in rows
    assert "| Bank Heist | 1,000 | mixed | 2 | 1,100,000 | 20 | 6 | 6 | 6 |" in rows
    assert (
        "| Smallest Unique Number | 10 | Python | 2,000 | 1,000 | 1 | 0.28 | 0.035 | < 0.01 |"
        in rows
    )


def test_hours_need_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run of other benchmarks is refused with one sentence."""
    file = tmp_path / "run.jsonl"
    file.write_text(reported("dice"))
    with pytest.raises(SystemExit) as end:
        MAIN.main("hours", file)
    assert end.value.code == 2
    assert "expected figures of languages and class_bots" in capsys.readouterr().err
