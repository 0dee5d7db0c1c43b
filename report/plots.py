"""Plots as SVG that stands inside a page: its words stay text, its ink is that of the page.

Equal numbers give equal bytes. Lines differ by dash and marker, not by colour alone, and bear
their names; colours are chosen to be seen on white and on black (WCAG 1.4.11, contrast 3 : 1).
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Size:
    """How large a plot is, in points; one is a pixel where nothing scales it."""

    width: int
    height: int
    letters: int
    """How many letters of a name fit beside the lines."""


WIDE = Size(760, 380, 18)
NARROW = Size(340, 340, 10)
"""For a phone."""

NAMED = 10
"""So many lines bear a name; the others are drawn thin."""
POINTS = 150
"""So many points of a line are drawn, at most."""

COLOURS = (
    "#0f7ab8", "#d0560b", "#0f8f6c", "#b8559a", "#7d6fd1",
    "#94731d", "#678624", "#d0454f", "#2a8a9e", "#7c858d",
)  # fmt: skip
DASHES = ("solid", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
MARKERS = "osD^vPX<>*"

INK = "#010203"
"""Stands for the colour of the text around the plot, until it is put there."""
FONT = 12
GAP = 15
"""What the lines of two names lie apart at least, in points."""

_ID = re.compile(r"#([\w-]+)")
_NUMBER = re.compile(r"-?\d+\.\d+")
_FAMILY = re.compile(r"font-family: [^;]+;? ?")


def lines(series: Mapping[str, Points], x: str, y: str, *, log: bool, size: Size = WIDE) -> str:
    """A line for each of ``series``; ``x`` and ``y`` say what stands along the axes.

    The lines that end highest bear their names. With ``log`` y is drawn on a logarithmic scale,
    but plainly between -100 and 100.
    """
    salt = f"{x}-{y}-{size.width}"
    with matplotlib.rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": salt, "font.size": FONT, "figure.dpi": 72}
    ):
        figure = Figure(figsize=(size.width / 72, size.height / 72))
        axes = _axes(figure, size, x, y, log)
        best = ranked(series)
        for name in best[NAMED:]:
            axes.plot(*_columns(series[name]), color=INK, alpha=0.25, linewidth=0.8)
        for n, name in enumerate(best[:NAMED]):
            points = series[name]
            axes.plot(
                *_columns(points), color=COLOURS[n], linestyle=DASHES[n % len(DASHES)],
                marker=MARKERS[n], markevery=max(1, min(len(points), POINTS) // 8),
                linewidth=1.6, markersize=4.5, clip_on=False,
            )  # fmt: skip
        _name(axes, [series[name][-1] for name in best[:NAMED]], size)
        return _inline(figure, [_cut(name, size.letters) for name in best[:NAMED]])


def ranked(series: Mapping[str, Points]) -> list[str]:
    """The names of ``series``, the one that ends highest first."""
    return sorted(series, key=lambda name: (-series[name][-1][1], name))


def short(number: float, position: object = None) -> str:
    """A number for an axis: ``1.5M`` for 1,500,000."""
    for size, unit in ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= size:
            return f"{number / size:.4g}{unit}".replace("-", "−")
    return f"{number:.4g}".replace("-", "−")


def thinned(points: Points, most: int) -> Points:
    """At most ``most`` of the points, evenly chosen, the first and the last among them."""
    if len(points) <= most:
        return points
    step = (len(points) - 1) / (most - 1)
    return [points[round(n * step)] for n in range(most)]


def _axes(figure: Figure, size: Size, x: str, y: str, log: bool) -> Axes:
    """The frame: two axes, faint lines across, room for names on the right."""
    left, right = 52 / size.width, 1 - (14 + 7 * size.letters) / size.width
    bottom, top = 46 / size.height, 1 - 36 / size.height
    axes = figure.add_axes((left, bottom, right - left, top - bottom))
    if log:
        axes.set_yscale("symlog", linthresh=100)
    axes.margins(x=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(INK)
    axes.tick_params(colors=INK, length=3, width=0.8)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color=INK, alpha=0.15, linewidth=0.8)
    axes.xaxis.set_major_locator(MaxNLocator(6 if size == WIDE else 4, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(short))
    axes.yaxis.set_major_formatter(FuncFormatter(short))
    axes.set_xlabel(x, color=INK, labelpad=6, parse_math=False)
    axes.set_title(y, color=INK, loc="left", x=-40 / (size.width * (right - left)), fontsize=FONT,
                   pad=11, parse_math=False)  # fmt: skip
    return axes


def _columns(points: Points) -> tuple[list[float], list[float]]:
    some = thinned(points, POINTS)
    return [float(x) for x, _ in some], [float(y) for _, y in some]


def _name(axes: Axes, ends: Sequence[tuple[float, float]], size: Size) -> None:
    """Leave words for names beside the ends of lines, the highest first, none over another."""
    axes.get_xlim(), axes.get_ylim()  # fixes the limits of the axes
    frame = axes.get_position()
    edge, bottom = frame.x1 * size.width, frame.y0 * size.height
    heights = [float(axes.transData.transform(end)[1]) - bottom for end in ends]
    for n, place in enumerate(apart(heights, frame.height * size.height)):
        axes.annotate(
            _word(n),
            xy=ends[n], xycoords="data",
            xytext=(edge + 14, place + bottom), textcoords="figure pixels",
            va="center", color=INK, parse_math=False, annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": COLOURS[n], "linewidth": 0.8,
                        "relpos": (0, 0.5), "shrinkA": 3, "shrinkB": 2},
        )  # fmt: skip


def apart(heights: Sequence[float], top: float) -> list[float]:
    """The heights, falling, moved as little as makes them lie apart, from ``top`` down to 0."""
    places: list[float] = []
    for height in heights:
        places.append(min(height, places[-1] - GAP if places else top))
    floor = 0.0
    for n in reversed(range(len(places))):
        places[n] = max(places[n], floor)
        floor = places[n] + GAP
    return places


def _word(n: int) -> str:
    """What stands in the figure for the n-th name: a stranger's text is no business of its."""
    return f"@{n}"


def _cut(name: str, letters: int) -> str:
    return name if len(name) <= letters else f"{name[: letters - 1]}…"


def _inline(figure: Figure, names: Sequence[str]) -> str:
    """The figure with the names, as an ``svg`` element that can stand in a page of HTML."""
    words = {_word(n): name for n, name in enumerate(names)}
    written = io.BytesIO()
    figure.savefig(written, format="svg", transparent=True, metadata={"Date": None})
    root = ElementTree.fromstring(written.getvalue())
    used = set(_ID.findall(written.getvalue().decode()))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.endswith(("}metadata", "}style")):  # a style would hold for the whole page
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.partition("}")[2]
        for key, value in list(element.attrib.items()):
            del element.attrib[key]
            if key != "id" or value in used:
                element.set(key.partition("}")[2] or key, _cleaned(value))
        element.tail = None
        text = element.text if element.tag == "text" else None
        element.text = words.get(text, text) if text else None
    width, height = (figure.get_size_inches() * 72).round()
    root.attrib.clear()
    root.attrib |= {
        "viewBox": f"0 0 {width:g} {height:g}",
        "style": "stroke-linejoin:round;stroke-linecap:butt",
        "aria-hidden": "true",
        "focusable": "false",
    }
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def _cleaned(value: str) -> str:
    """An attribute with short numbers, the page's ink, and the page's font."""
    value = _FAMILY.sub("", " ".join(value.split())).replace(INK, "currentColor")
    return _NUMBER.sub(lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), value)
