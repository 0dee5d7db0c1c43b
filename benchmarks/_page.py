"""Write the JSON lines of a run (``python -m benchmarks all --json``) as a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

import orjson

HEAD = """\
# Benchmark figures

The output of `python -m benchmarks … --json` as a page, by `python -m benchmarks table FILE`. The
[README](README.md) says what each benchmark measures and how to read a ratio.
"""

WORKS = {
    "loop": "a loop of 1,000,000 additions in pure Python",
    "orjson": "`orjson.loads` of 50,000 small objects",
}


class NoReport(ValueError):
    """Raised for a line that is no report of a benchmark."""


def read(lines: Iterable[bytes], format: str) -> list[dict[str, Any]]:
    """Return the reports in ``lines``. Raises NoReport, with the line's number."""
    reports = []
    for number, line in enumerate(lines, 1):
        try:
            report = orjson.loads(line)
        except orjson.JSONDecodeError:
            report = None
        if not isinstance(report, dict) or report.get("format") != format:
            raise NoReport(f"line {number}: expected a JSON object of the format {format}.")
        reports.append(report)
    if not reports:
        raise NoReport(f"expected lines of the format {format}, found none.")
    return reports


def page(reports: Sequence[Mapping[str, Any]]) -> str:
    """Return the page with the machine, its calibration, and one table per benchmark."""
    return "\n".join(
        [HEAD, *machine(reports), *(line for report in reports for line in table(report))]
    )


def machine(reports: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a table of the machine; several values of the same fact are all shown."""
    rows = {
        name: ", ".join(dict.fromkeys(str(report["machine"][name]) for report in reports))
        for name in ("processor", "processors", "system", "python")
    }
    for work, description in WORKS.items():
        taken = [report["calibration"][work] for report in reports]
        span = f"{number(min(taken))} to {number(max(taken))}"
        rows[description] = f"{number(median(taken))} ms (median of the benchmarks; {span} ms)"
    return [
        *("| the machine | |", "| --- | --- |"),
        *(f"| {name} | {value} |" for name, value in rows.items()),
        "",
    ]


def table(report: Mapping[str, Any]) -> list[str]:
    """Return the heading of a benchmark and a table of its figures."""
    works = ", ".join(f"{work} {number(report['calibration'][work])} ms" for work in WORKS)
    quick = " With less work (`--quick`)." if report.get("quick") else ""
    return [
        *(f"## {report['benchmark']}", "", f"Calibration of this run: {works}.{quick}", ""),
        *("| figure | value | ratio | calibration | goal |", "| --- | --- | --- | --- | --- |"),
        *map(row, report["figures"]),
        "",
    ]


def row(figure: Mapping[str, Any]) -> str:
    """Return the row of one figure."""
    ratio = "" if figure["ratio"] is None else f"{figure['ratio']:.2f}"
    if figure["interval"]:
        ratio += " ({:.2f}–{:.2f})".format(*figure["interval"])
    against = figure["calibration"]
    if figure["against"] is not None:
        against += f": {number(figure['against'])}"
    goals = "; ".join(
        f"{goal['goal']} {'✓' if goal['reached'] else '✗'}" for goal in figure["goals"]
    )
    value = f"{number(figure['value'])} {figure['unit']}"
    cells = (figure["name"], value, ratio, against, goals)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def number(value: float) -> str:
    """Return a number with four significant digits at least, without an exponent."""
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}"
