"""Run a benchmark and print its figures: ``python -m benchmarks NAME [--json] [--size N]``."""

from __future__ import annotations

import os
import pkgutil
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib import import_module
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.table import Table

import benchmarks
from benchmarks.measure import Figure

FORMAT = "koth-benchmark/1"
SHARED = ("__main__", "measure")


def names() -> list[str]:
    """Return the names of the benchmarks, sorted."""
    modules = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in modules if name not in SHARED and not name.startswith("_"))


def figures(name: str, size: int | None = None) -> Iterator[Figure]:
    """Run one benchmark, and yield its figures."""
    module = import_module(f"benchmarks.{name}")
    yield from module.run(size or module.SIZE)


def main(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the benchmark, or 'list' for all names.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    size: Annotated[
        int | None,
        typer.Option(help="Amount of work, to try a benchmark; quote only the default.", min=1),
    ] = None,
) -> None:
    """Run a benchmark; print each figure, its calibration and their ratio.

    benchmarks/README.md explains the figures.
    """
    if name not in names():
        if name != "list":
            print(f"expected one of {', '.join(names())}; found '{name}'.", file=sys.stderr)
            raise SystemExit(2)
        for benchmark in names():
            summary = (import_module(f"benchmarks.{benchmark}").__doc__ or "").partition("\n")[0]
            print(f"{benchmark:12} {summary}")
        return
    measured = list(figures(name, size))
    if json:
        print(orjson.dumps(report(name, measured), option=orjson.OPT_INDENT_2).decode())
    else:
        show(measured)


def report(name: str, measured: list[Figure]) -> dict[str, object]:
    """Return the figures, and the machine that they were measured on, as JSON data."""
    return {
        "format": FORMAT,
        "benchmark": name,
        "machine": {
            "processors": len(os.sched_getaffinity(0)),
            "system": platform.platform(),
            "python": platform.python_version(),
        },
        "figures": [
            asdict(figure)
            | {"ratio": figure.ratio}
            | {"goals": [{"goal": str(g), "reached": g.reached(figure)} for g in figure.goals]}
            for figure in measured
        ],
    }


def show(measured: list[Figure]) -> None:
    """Print the figures as a table."""
    table = Table("figure", "value", "unit", "calibration", "its value", "ratio", "goal")
    for figure in measured:
        goals = [f"{goal} {'✓' if goal.reached(figure) else '✗'}" for goal in figure.goals]
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
        if figure.interval:
            ratio += " ({:.2f}–{:.2f})".format(*figure.interval)
        against = "" if figure.against is None else f"{figure.against:,.4g}"
        row = (f"{figure.value:,.4g}", figure.unit, figure.calibration, against, ratio)
        table.add_row(figure.name, *row, "\n".join(goals))
    Console(width=None if sys.stdout.isatty() else 160).print(table)


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(main)
    app(prog_name="python -m benchmarks")
