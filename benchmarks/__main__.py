"""Run benchmarks and print their figures: ``python -m benchmarks [NAME] [--quick] [--json]``."""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Annotated, NoReturn

import orjson
import typer

import benchmarks
from benchmarks import _calibration, _hours, _page
from benchmarks._page import number
from benchmarks.measure import Figure

FORMAT = "koth-benchmark/1"
SHARED = ("__main__", "measure")
PAGES = {"table": _page.page, "hours": _hours.table}
"""Pages that are made from the reports of a run."""


def names() -> list[str]:
    """Return the names of the benchmarks, sorted."""
    modules = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in modules if name not in SHARED and not name.startswith("_"))


def figures(name: str, size: int | None = None, quick: bool = False) -> Iterator[Figure]:
    """Run one benchmark, and yield each figure when it is measured."""
    module = import_module(f"benchmarks.{name}")
    yield from module.run(size or (module.QUICK if quick else module.SIZE))


def main(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="Name of a benchmark, 'list' for all names, 'all' for all of them; "
            "'table' for their figures as a page, 'hours' for the time of large contests.",
        ),
    ] = "all",
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="For 'table' and 'hours': the output of 'all --json'."
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON, one line per benchmark.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Do less work: at most a minute per benchmark.")
    ] = False,
    size: Annotated[
        int | None,
        typer.Option(help="Amount of work, to try a benchmark; quote only the default.", min=1),
    ] = None,
) -> None:
    """Run benchmarks; print each figure, its calibration and their ratio when it is measured.

    benchmarks/README.md explains the figures.
    """
    if file is not None and name not in PAGES:
        refuse(f"{name}: expected a file for {' and '.join(PAGES)} only, found '{file}'.")
    if name == "list":
        for benchmark in names():
            summary = (import_module(f"benchmarks.{benchmark}").__doc__ or "").partition("\n")[0]
            print(f"{benchmark:12} {summary}")
        return
    if name in PAGES:
        print_page(name, file)
        return
    if name not in ("all", *names()):
        refuse(f"expected one of {', '.join(names())}; found '{name}'.")
    for benchmark in names() if name == "all" else [name]:
        measured = figures(benchmark, size, quick)
        if json:
            print(orjson.dumps(report(benchmark, measured, quick)).decode(), flush=True)
        else:
            show(benchmark, measured)


def refuse(message: str) -> NoReturn:
    """Print a message and end with the exit code of wrong usage."""
    print(message, file=sys.stderr)
    raise SystemExit(2)


def print_page(name: str, file: Path | None) -> None:
    """Print a page in Markdown that follows from the reports in ``file``."""
    if file is None:
        refuse(f"{name}: expected the file with the output of 'all --json', found no file.")
    try:
        with file.open("rb") as lines:
            print(PAGES[name](_page.read(lines, FORMAT)), end="")
    except OSError as error:
        refuse(f"{file}: {error.strerror}.")
    except _page.NoReport as error:
        refuse(f"{file}: {error}")


def report(name: str, measured: Iterable[Figure], quick: bool = False) -> dict[str, object]:
    """Return the figures, the machine that they were measured on and its calibration, as JSON."""
    return {
        "format": FORMAT,
        "benchmark": name,
        "quick": quick,
        "machine": _calibration.machine(),
        "calibration": _calibration.calibration(),
        "figures": [
            asdict(figure)
            | {"ratio": figure.ratio}
            | {"goals": [{"goal": str(g), "reached": g.reached(figure)} for g in figure.goals]}
            for figure in measured
        ],
    }


def show(name: str, measured: Iterable[Figure]) -> None:
    """Print each figure when it is measured, on one line."""
    print(f"{name:48} {'value':>22}  {'ratio':>6}  calibration", flush=True)
    for figure in measured:
        value = f"{number(figure.value)} {figure.unit}"
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
        against = figure.calibration
        if figure.against is not None:
            against += f": {number(figure.against)}"
        if figure.interval:
            against += "; 95 % interval of the ratio {:.2f}–{:.2f}".format(*figure.interval)
        for goal in figure.goals:
            against += f"; {goal} {'✓' if goal.reached(figure) else '✗'}"
        print(f"  {figure.name:46} {value:>22}  {ratio:>6}  {against}", flush=True)


if __name__ == "__main__":
    # Without this, each process that a benchmark starts compiles all modules anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(main)
    app(prog_name="python -m benchmarks")
