"""The game's own plot on a page: drawn lines with a table of their numbers, or a table of pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from audit.match_plot import MatchPlot
from report import plots
from report.links import Links
from report.standings import places

PAIRED_BOTS = 60
"""Maximum bots in a table of pairs."""
LINKED_BYTES = 100_000
"""Maximum bytes of the same table on a site, where each cell is a link."""
CELL_BYTES = 76
"""Bytes of a cell without the address of its link."""
DRAWN_BOTS = 100
"""Maximum bots in a plot of lines on a site, and in its table of numbers."""
TABLE_POINTS = 11
"""Number of points of a line in the table of numbers."""


def picture(plot: MatchPlot, links: Links | None) -> dict[str, object]:
    """Return the values that the template needs for a plot; on a site, of fewer bots."""
    head = {"title": plot.title, "note": plot.note, "kind": plot.kind, "x": plot.x, "y": plot.y}
    if plot.kind == "pairs":
        return head | _pairs(plot, links)
    return head | _lines(plot, DRAWN_BOTS if links else None)


def _lines(plot: MatchPlot, most: int | None) -> dict[str, object]:
    every: dict[str, list[tuple[float, float]]] = {}
    for name, x, y in plot.rows:
        every.setdefault(name, []).append((x, y))
    series = {name: every[name] for name in plots.ranked(every)[:most]}
    stops = [x for x, _ in plots.thinned(max(series.values(), key=len), TABLE_POINTS)]
    exact = {name: dict(points) for name, points in series.items()}
    table = [(name, [exact[name].get(x) for x in stops]) for name in plots.ranked(series)]
    sizes = {"wide": plots.WIDE, "narrow": plots.NARROW}
    return {
        "stops": stops,
        "table": table,
        "places": places(y for _, _, y in plot.rows),
        "left_out": len(every) - len(series),
        "unnamed": max(0, len(series) - plots.NAMED),
        "drawn": {
            name: Markup(plots.lines(series, plot.x, plot.y, log=plot.log, size=size))
            for name, size in sizes.items()
        },
    }


def _pairs(plot: MatchPlot, links: Links | None) -> dict[str, object]:
    """Return how often each bot won against each other one; the largest share of wins first."""
    won: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for name, _, wins, meetings in plot.rows:
        won[name] += wins
        met[name] += meetings
    order = sorted(met, key=lambda name: (-won[name] / (met[name] or 1), name))
    cells = {(name, other): (wins, meetings) for name, other, wins, meetings in plot.rows}
    names = order[: _fitting(order, links) if links else PAIRED_BOTS]
    return {
        "names": names,
        "left_out": len(order) - len(names),
        "table": [(name, [cells.get((name, other)) for other in names]) for name in names],
    }


def _fitting(order: Sequence[str], links: Links) -> int:
    """Return how many of the first bots fit into a table whose cells are links."""
    size = 0
    for number, name in enumerate(order):
        addresses = [links.pairing(name, other) or "" for other in order[:number]]
        size += 2 * sum(CELL_BYTES + len(address) for address in addresses)
        if size > LINKED_BYTES:
            return number
    return len(order)
