"""Run benchmarks and print their figures: ``python -m benchmarks [NAME] [--quick] [--json]``."""

from __future__ import annotations

import os
import pkgutil
import platform
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib import import_module
from typing import Annotated

import orjson
import typer

import benchmarks
from benchmarks.measure import Figure

FORMAT = "koth-benchmark/1"
SHARED = ("__main__", "measure")


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
            metavar="[NAME]", help="Name of the benchmark, 'list' for all names, 'all' for all."
        ),
    ] = "all",
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
    if name == "list":
        for benchmark in names():
            summary = (import_module(f"benchmarks.{benchmark}").__doc__ or "").partition("\n")[0]
            print(f"{benchmark:12} {summary}")
        return
    if name not in ("all", *names()):
        print(f"expected one of {', '.join(names())}; found '{name}'.", file=sys.stderr)
        raise SystemExit(2)
    for benchmark in names() if name == "all" else [name]:
        measured = figures(benchmark, size, quick)
        if json:
            print(orjson.dumps(report(benchmark, measured)).decode(), flush=True)
        else:
            show(benchmark, measured)


def report(name: str, measured: Iterable[Figure]) -> dict[str, object]:
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


def number(value: float) -> str:
    """Return a number with four significant digits at least, without an exponent."""
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}"


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(main)
    app(prog_name="python -m benchmarks")
