"""``python -m benchmarks NAME [--json] [--size N]``: run a benchmark and print its figures."""

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
    """The benchmarks there are."""
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in found if name not in SHARED and not name.startswith("_"))


def figures(name: str, size: int | None = None) -> Iterator[Figure]:
    """Run one benchmark."""
    module = import_module(f"benchmarks.{name}")
    yield from module.run(size or module.SIZE)


def main(
    name: Annotated[str, typer.Argument(help="The benchmark; 'list' names them.")],
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    size: Annotated[int | None, typer.Option(help="How much work; not for quoting.", min=1)] = None,
) -> None:
    """Measure, and print each figure with its calibration and their ratio."""
    if name not in names():
        if name != "list":
            print(f"expected one of {', '.join(names())}; found '{name}'.", file=sys.stderr)
            raise SystemExit(2)
        for one in names():
            summary = (import_module(f"benchmarks.{one}").__doc__ or "").partition("\n")[0]
            print(f"{one:12} {summary}")
        return
    found = list(figures(name, size))
    if json:
        print(orjson.dumps(report(name, found), option=orjson.OPT_INDENT_2).decode())
    else:
        show(found)


def report(name: str, found: list[Figure]) -> dict[str, object]:
    """The figures with where they were taken."""
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
            for figure in found
        ],
    }


def show(found: list[Figure]) -> None:
    """The figures as a table."""
    table = Table("figure", "value", "unit", "calibration", "its value", "ratio", "goal")
    for figure in found:
        goals = [f"{goal} {'✓' if goal.reached(figure) else '✗'}" for goal in figure.goals]
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
        against = "" if figure.against is None else f"{figure.against:,.4g}"
        row = (f"{figure.value:,.4g}", figure.unit, figure.calibration, against, ratio)
        table.add_row(figure.name, *row, "\n".join(goals))
    Console(width=None if sys.stdout.isatty() else 160).print(table)


if __name__ == "__main__":
    typer.run(main)
