"""The game's own story as a page shows it: lines, drawn and in numbers, or a table of pairs."""

from __future__ import annotations

from collections import Counter

from markupsafe import Markup

from report import plots
from report.contents import Plot
from report.standings import places

PAIRED = 40
"""So many bots stand in a table of pairs."""
STOPS = 11
"""At so many points a line is told in numbers."""


def picture(plot: Plot) -> dict[str, object]:
    """A plot as the page shows it: lines drawn and in numbers, or a table of pairs."""
    told = {"title": plot.title, "note": plot.note, "kind": plot.kind, "x": plot.x, "y": plot.y}
    return told | (_pairs(plot) if plot.kind == "pairs" else _lines(plot))


def _lines(plot: Plot) -> dict[str, object]:
    series: dict[str, list[tuple[float, float]]] = {}
    for name, x, y in plot.rows:
        series.setdefault(name, []).append((x, y))
    stops = [x for x, _ in plots.thinned(max(series.values(), key=len), STOPS)]
    exact = {name: dict(points) for name, points in series.items()}
    table = [(name, [exact[name].get(x) for x in stops]) for name in plots.ranked(series)]
    sizes = {"wide": plots.WIDE, "narrow": plots.NARROW}
    return {
        "stops": stops,
        "table": table,
        "places": places(y for _, _, y in plot.rows),
        "unnamed": max(0, len(series) - plots.NAMED),
        "drawn": {
            name: Markup(plots.lines(series, plot.x, plot.y, log=plot.log, size=size))
            for name, size in sizes.items()
        },
    }


def _pairs(plot: Plot) -> dict[str, object]:
    """Who won how often against whom; the best by the share of all its meetings come first."""
    won: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for name, _, wins, meetings in plot.rows:
        won[name] += wins
        met[name] += meetings
    order = sorted(met, key=lambda name: (-won[name] / (met[name] or 1), name))
    cells = {(name, other): (wins, meetings) for name, other, wins, meetings in plot.rows}
    some = order[:PAIRED]
    return {
        "names": some,
        "left_out": len(order) - len(some),
        "table": [(name, [cells.get((name, other)) for other in some]) for name in some],
    }
