"""Draw line plots as SVG for use inside a page: its words are text, its ink is the page's.

Equal numbers give equal bytes. Lines differ by dash and marker, not by colour alone, and carry
their names. Colours have a contrast of 3 : 1 with white and with black (WCAG 1.4.11).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

from schema.columns import width

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Size:
    """The size of a plot, in pixels where nothing scales it."""

    width: int
    height: int
    letters: int
    """Maximum letters of a name beside the lines."""


WIDE = Size(760, 380, 18)
NARROW = Size(340, 340, 10)
"""For a phone."""

NAMED = 10
"""Number of lines that carry a name; the others are drawn thin."""
POINTS = 150
"""Maximum points of a line."""
MARKED = 8
"""Number of points of a line that carry a marker, about."""

COLOURS = (
    "#0f7ab8", "#d0560b", "#0f8f6c", "#b8559a", "#7d6fd1",
    "#94731d", "#678624", "#d0454f", "#2a8a9e", "#7c858d",
)  # fmt: skip
DASHES = ("none", "8 3", "2.4 2.4", "10 3 2.4 3")
MARKERS = (
    "M-2.4 0a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0z",  # a circle
    "M-2.2-2.2H2.2V2.2H-2.2z",  # a square
    "M0-3.2L3.2 0L0 3.2L-3.2 0z",  # a diamond
    "M0-2.8L2.8 2.2H-2.8z",  # triangles: up, down, left, right
    "M0 2.8L2.8-2.2H-2.8z",
    "M-2.8 0L2.2-2.8V2.8z",
    "M2.8 0L-2.2-2.8V2.8z",
    "M-3-1H-1V-3H1V-1H3V1H1V3H-1V1H-3z",  # a plus
    "M-2.6-2.8H2.6L-2.6 2.8H2.6z",  # an hourglass
    "M0-3.4L0.9-1.2L3.2-1L1.4 0.5L2 2.8L0 1.5L-2 2.8L-1.4 0.5L-3.2-1L-0.9-1.2z",  # a star
)

FONT = 12
GAP = 15
"""Minimum distance between the lines of two names, in pixels."""
LEFT, TOP, BOTTOM = 52, 36, 46
"""Room beside the frame, in pixels: for the numbers, the title, and the other axis."""
LETTER = 7
"""Width of a letter, in pixels, about."""
BROAD = dict.fromkeys("MWmw@%…", 12)
"""Width of the broadest letters and signs, in pixels, about."""
CAPITAL, WIDE_LETTER = 9, 15
"""Width of capitals, and of letters such as Chinese ones, in pixels, about."""
LINEAR = 100
"""A logarithmic scale is linear between minus and plus this number."""


def lines(series: Mapping[str, Points], x: str, y: str, *, log: bool, size: Size = WIDE) -> str:
    """Return an ``svg`` element with one line per series; ``x`` and ``y`` name the axes.

    The lines that end highest carry their names. With ``log``, the y axis is logarithmic, but
    linear between -100 and 100.
    """
    best = ranked(series)
    frame = _Frame.of(series, size, log)
    svg = Element("svg", {"viewBox": f"0 0 {size.width} {size.height}", "font-size": str(FONT),
                          "aria-hidden": "true", "focusable": "false"})  # fmt: skip
    _draw_axes(svg, frame, x, y)
    for name in best[NAMED:]:
        _draw(svg, frame, series[name], stroke="currentColor", opacity="0.25", width="0.8")
    for number, name in enumerate(best[:NAMED]):
        dash = DASHES[number % len(DASHES)]
        _draw(svg, frame, series[name], stroke=COLOURS[number], dash=dash, width="1.6")
        _mark(svg, frame, series[name], number)
    _name(svg, frame, [(name, series[name][-1]) for name in best[:NAMED]])
    return tostring(svg, encoding="unicode", short_empty_elements=False)


def ranked(series: Mapping[str, Points]) -> list[str]:
    """Return the names of ``series``, the one that ends highest first."""
    return sorted(series, key=lambda name: (-series[name][-1][1], name))


def short(number: float) -> str:
    """Return a number as an axis shows it: ``1.5M`` for 1,500,000."""
    for size, unit in ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= size:
            return f"{number / size:.4g}{unit}".replace("-", "−")
    return f"{number:.4g}".replace("-", "−")


def thinned(points: Points, most: int) -> Points:
    """Return at most ``most`` of the points, evenly chosen, with the first and the last."""
    if len(points) <= most:
        return points
    step = (len(points) - 1) / (most - 1)
    return [points[round(n * step)] for n in range(most)]


def apart(heights: Sequence[float], top: float) -> list[float]:
    """Move falling heights as little as needed to be ``GAP`` apart, from ``top`` down to 0."""
    moved: list[float] = []
    for height in heights:
        moved.append(min(height, moved[-1] - GAP if moved else top))
    floor = 0.0
    for n in reversed(range(len(moved))):
        moved[n] = max(moved[n], floor)
        floor = moved[n] + GAP
    return moved


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most ``most`` + 1 round numbers from ``low`` to ``high``, evenly spaced.

    Steps are 1, 2 or 5 times a power of ten (Heckbert, Graphics Gems, 1990).
    """
    rough = (high - low) / most or 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [n * step for n in range(first, last + 1)]


def _logarithmic(value: float) -> float:
    """Return ``value`` on a scale that is linear up to ``LINEAR`` and logarithmic beyond."""
    size = abs(value) / LINEAR
    return math.copysign(size if size <= 1 else 1 + math.log10(size), value)


@dataclass(frozen=True)
class _Frame:
    """The rectangle of the lines: pixels of a plot, and the numbers at its edges."""

    size: Size
    x: tuple[float, float]
    y: tuple[float, float]
    log: bool

    @classmethod
    def of(cls, series: Mapping[str, Points], size: Size, log: bool) -> _Frame:
        xs = [float(x) for points in series.values() for x, _ in points]
        ys = [float(y) for points in series.values() for _, y in points]
        if log:
            ys = [_logarithmic(value) for value in ys]
        low, high = min(ys), max(ys)
        # Beside numbers above 2^53, less than their precision adds nothing.
        margin = 0.05 * (high - low) or max(0.5, 4 * math.ulp(high))
        left, right = min(xs), max(xs)
        if left == right:
            right += max(1.0, 4 * math.ulp(right))
        return cls(size, (left, right), (low - margin, high + margin), log)

    @property
    def right(self) -> int:
        return self.size.width - 14 - LETTER * self.size.letters

    @property
    def bottom(self) -> int:
        return self.size.height - BOTTOM

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is drawn, in pixels from the top left corner."""
        value = _logarithmic(float(y)) if self.log else float(y)
        across = (float(x) - self.x[0]) / (self.x[1] - self.x[0])
        up = (value - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (self.right - LEFT), self.bottom - up * (self.bottom - TOP)

    def x_ticks(self) -> list[float]:
        """Return whole numbers for the x axis."""
        marks = ticks(*self.x, 6 if self.size == WIDE else 4)
        return [mark for mark in marks if mark == round(mark)] or [round(self.x[0])]

    def y_ticks(self) -> list[float]:
        """Return numbers for the y axis: round ones, or 0, ±100, ±1,000 and so on."""
        if not self.log:
            return ticks(*self.y, 8)
        top = max(map(abs, self.y))
        powers = [LINEAR * 10.0**n for n in range(math.ceil(top))]
        marks = [-power for power in reversed(powers)] + [0.0] + powers
        return [mark for mark in marks if self.y[0] <= _logarithmic(mark) <= self.y[1]]


def _draw_axes(svg: Element, frame: _Frame, x: str, y: str) -> None:
    """Draw faint lines across with their numbers, the lower axis, and the names of both."""
    words = SubElement(svg, "g", {"fill": "currentColor"})
    rules = SubElement(svg, "g", {"stroke": "currentColor", "stroke-width": "0.8"})
    for mark in frame.y_ticks():
        _, down = frame.at(frame.x[0], mark)
        _line(rules, (LEFT, down), (frame.right, down), {"opacity": "0.15"})
        _text(words, LEFT - 6, down, short(mark), "end")
    _line(rules, (LEFT, frame.bottom), (frame.right, frame.bottom), {})
    for mark in frame.x_ticks():
        across, _ = frame.at(mark, 0)
        _line(rules, (across, frame.bottom), (across, frame.bottom + 3), {})
        _text(words, across, frame.bottom + 14, short(mark), "middle")
    _text(words, (LEFT + frame.right) / 2, frame.bottom + 34, x, "middle")
    _text(words, LEFT - 40, TOP - 18, y, "start")


def _draw(
    svg: Element, frame: _Frame, points: Points, *, stroke: str, width: str,
    dash: str = "none", opacity: str = "1",
) -> None:  # fmt: skip
    path = " ".join(_pair(frame.at(*point)) for point in thinned(points, POINTS))
    style = {"stroke-width": width, "stroke-dasharray": dash, "opacity": opacity}
    SubElement(svg, "polyline", {"points": path, "fill": "none", "stroke": stroke, **style})


def _mark(svg: Element, frame: _Frame, points: Points, number: int) -> None:
    """Draw the line's own marker on some of its points."""
    some = thinned(points, POINTS)
    for point in some[:: max(1, len(some) // MARKED)]:
        place = f"translate({_pair(frame.at(*point), ' ')})"
        SubElement(svg, "path", {"d": MARKERS[number], "fill": COLOURS[number], "transform": place})


def _name(svg: Element, frame: _Frame, ends: Sequence[tuple[str, tuple[float, float]]]) -> None:
    """Write names beside the ends of lines, the highest first, none over another."""
    words = SubElement(svg, "g", {"fill": "currentColor"})
    points = [frame.at(*end) for _, end in ends]
    heights = apart([frame.bottom - down for _, down in points], frame.bottom - TOP)
    for number, ((name, _), point, height) in enumerate(zip(ends, points, heights, strict=True)):
        down = frame.bottom - height
        leader = {"stroke": COLOURS[number], "stroke-width": "0.8"}
        _line(svg, (point[0] + 3, point[1]), (frame.right + 11, down), leader)
        text = _text(words, frame.right + 14, down, _cut(name, frame.size.letters), "start")
        _squeeze(text, LETTER * frame.size.letters)


def _cut(name: str, letters: int) -> str:
    """Return a name, or its beginning and ``…``; a wide letter counts as two."""
    if width(name) <= letters:
        return name
    while width(name) >= letters:
        name = name[:-1]
    return f"{name}…"


def _squeeze(text: Element, room: int) -> None:
    """Squeeze a text into ``room`` pixels if its letters may need more."""
    if sum(map(_pixels, text.text or "")) > room:
        text.attrib |= {"textLength": str(room), "lengthAdjust": "spacingAndGlyphs"}


def _pixels(char: str) -> int:
    """Return the width of a letter, in pixels, about."""
    if width(char) > 1:
        return WIDE_LETTER
    return BROAD.get(char, CAPITAL if char.isupper() else LETTER)


def _line(
    parent: Element, start: tuple[float, float], end: tuple[float, float], style: Mapping[str, str]
) -> None:
    (x1, y1), (x2, y2) = start, end
    ends = {"x1": _number(x1), "y1": _number(y1), "x2": _number(x2), "y2": _number(y2)}
    SubElement(parent, "line", {**ends, **style})


def _text(parent: Element, x: float, y: float, words: str, anchor: str) -> Element:
    """Write ``words`` with the middle of their height at ``y``."""
    place = {"x": _number(x), "y": _number(y + 0.35 * FONT), "text-anchor": anchor}
    text = SubElement(parent, "text", place)
    text.text = words
    return text


def _pair(point: tuple[float, float], between: str = ",") -> str:
    return between.join(map(_number, point))


def _number(pixels: float) -> str:
    return f"{pixels:.1f}".removesuffix(".0")
