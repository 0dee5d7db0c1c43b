"""Plots: limits of a page, marks that distinguish lines, and names beside their lines."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report import page, plots

SERIES = {f"bot{n}": [(x, n * x) for x in range(1, 500)] for n in range(13)}


def drawn(size: plots.Size = plots.WIDE, log: bool = False) -> str:
    """Thirteen lines."""
    return plots.lines(SERIES, "round", "points", log=log, size=size)


@pytest.mark.parametrize("size", [plots.WIDE, plots.NARROW])
def test_an_element_for_a_page(size: plots.Size) -> None:
    """It is one element, with text as text and the page's ink; nothing in it is about the page."""
    text = drawn(size)
    root = ElementTree.fromstring(text)
    words = [element.text for element in root.iter("text")]
    assert root.tag == "svg"
    assert not {"style", "metadata", "script", "image"} & {one.tag for one in root.iter()}
    assert [word for word in words if word and word.startswith("bot")] == [
        f"bot{n}" for n in range(12, 2, -1)
    ]
    assert {"round", "points"} <= set(words)
    assert "currentColor" in text
    assert drawn(size) == text


Points = list[tuple[float, float]]

VALUES = st.lists(st.integers(-1000, 1000), min_size=2, max_size=20)


def polylines(text: str) -> list[Points]:
    """The lines of a plot, each as its points in pixels."""
    found = re.findall(r'<polyline points="([^"]+)"', text)
    return [[(float(x), float(y)) for x, y in re.findall(r"([\d.]+),([\d.]+)", at)] for at in found]


@given(st.lists(VALUES, min_size=1, max_size=13), st.sampled_from([plots.WIDE, plots.NARROW]))
def test_lines_are_where_their_numbers_are(columns: list[list[int]], size: plots.Size) -> None:
    """Each series is a line in the frame; on a linear scale, distances are those of the numbers."""
    series = {f"bot{n}": [*enumerate(values)] for n, values in enumerate(columns)}
    best = plots.ranked(series)
    order = best[plots.NAMED :] + best[: plots.NAMED]  # the named lines are over the others
    shown = polylines(plots.lines(series, "round", "points", log=False, size=size))
    assert [len(line) for line in shown] == [len(series[name]) for name in order]
    pairs = [
        (number, pixel)
        for name, line in zip(order, shown, strict=True)
        for number, pixel in zip(series[name], line, strict=True)
    ]
    room = size.width - plots.LETTER * size.letters
    for axis, (least, most) in enumerate(
        [(plots.LEFT, room), (plots.TOP, size.height - plots.BOTTOM)]
    ):
        (first, start), *_, (last, end) = sorted((n[axis], at[axis]) for n, at in pairs)
        scale = (end - start) / ((last - first) or 1)
        assert scale * (-1 if axis else 1) >= 0
        for number, pixel in pairs:
            assert least <= pixel[axis] <= most
            assert pixel[axis] == pytest.approx(start + (number[axis] - first) * scale, abs=0.2)


@pytest.mark.parametrize("log", [False, True])
def test_numbers_of_the_axis_are_beside_their_height(log: bool) -> None:
    """A line's point is as high as its number on the axis."""
    series = {"one": [(0, 0.0), (1, 100.0), (2, 1000.0), (3, 10_000.0)]}
    text = plots.lines(series, "round", "points", log=log)
    [line] = polylines(text)
    labels = dict(re.findall(r'y="([\d.]+)" text-anchor="end">([\dk]+)<', text))
    heights = {word: float(y) - 0.35 * plots.FONT for y, word in labels.items()}
    words = ("0", "100", "1k", "10k") if log else ("0", "10k")
    points = dict(zip(("0", "100", "1k", "10k"), line, strict=True))
    assert [heights[word] for word in words] == pytest.approx(
        [points[word][1] for word in words], abs=0.2
    )


def test_a_plot_has_no_ids() -> None:
    """A plot has no ids, because both sizes are in one page and would repeat them."""
    assert not re.findall(r' id="', drawn(plots.WIDE) + drawn(plots.NARROW))


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(3, 9))
def test_ticks_are_round_and_inside(low: float, span: float, most: int) -> None:
    """Ticks rise evenly, by 1, 2 or 5 times a power of ten, within the axis."""
    marks = plots.ticks(low, low + span, most)
    steps = {f"{after - before:.3e}" for before, after in pairwise(marks)}
    assert len(marks) <= most + 1
    rounding = span / 1e6 + 4 * math.ulp(low)
    assert all(low - rounding <= mark <= low + span + rounding for mark in marks)
    assert span < 1e-3 * abs(low) or {step[:5] for step in steps} <= {"1.000", "2.000", "5.000"}


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("end", [0, 2**63 - 1, -(2**63)])
def test_the_largest_numbers_are_drawn(end: int, log: bool) -> None:
    """A plot of one point or of close points is drawn, however large its numbers are."""
    near = end - 1000 if end > 0 else end + 1000
    for points in ([(end, end)], [(near, end), (end, near)]):
        text = plots.lines({"bot": points}, "game", "credits", log=log, size=plots.WIDE)
        assert "nan" not in text


def test_lines_differ_by_more_than_colour() -> None:
    """No two lines with names have the same dash and marker."""
    pairs = {(plots.MARKERS[n], plots.DASHES[n % len(plots.DASHES)]) for n in range(plots.NAMED)}
    assert len(pairs) == plots.NAMED == len(plots.COLOURS)


def luminance(colour: str) -> float:
    """The relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_colours_are_seen_in_light_and_dark() -> None:
    """Each has a contrast of 3 : 1 with the paper of both schemes (WCAG 1.4.11)."""
    style = (page.FOLDER / "base.css").read_text()
    papers = re.findall(r"--paper: (#\w{6})", style)
    assert len(papers) == 2
    for colour in plots.COLOURS:
        assert min(contrast(colour, paper) for paper in papers) >= 3, colour


@pytest.mark.parametrize("name", ["$x^{2}$", "<b>&amp;", "\uffff\u202e", "@1", "名前", "a" * 64])
def test_a_name_is_only_text(name: str) -> None:
    """A name in a plot is only text: it is not parsed as mathematics or markup."""
    text = plots.lines({name: [(1, 2), (2, 4)], "other": [(1, 1)]}, "x", "y", log=False)
    shown = name if len(name) <= 18 else "a" * 17 + "…"
    words = re.findall(r"<text[^>]*>([^<]*)</text>", text)
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert words.count(escaped) == 1
    assert "other" in words


@given(st.lists(st.floats(0, 300), min_size=1, max_size=10), st.floats(150, 300))
def test_names_lie_apart(heights: list[float], top: float) -> None:
    """However the lines end, names keep their order and their distance, between top and bottom."""
    places = plots.apart(sorted(heights, reverse=True), top)
    steps = [above - below for above, below in pairwise(places)]
    assert all(step >= plots.GAP - 1e-6 for step in steps)
    assert places[-1] >= 0
    assert places[0] <= max(top, plots.GAP * (len(places) - 1)) + 1e-6


@given(st.lists(st.tuples(st.integers(), st.integers()), min_size=1), st.integers(2, 20))
def test_thinned_points_keep_the_ends(points: list[tuple[int, int]], most: int) -> None:
    """Not more than wanted, in their order, the first and the last among them."""
    some = list(plots.thinned(points, most))
    assert len(some) <= most
    assert (some[0], some[-1]) == (points[0], points[-1])


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0"), (-40, "−40"), (1000, "1k"), (1_500_000, "1.5M"), (0.25, "0.25"), (2**60, "1.153E")],
)
def test_short_numbers(number: float, told: str) -> None:
    """Large ones bear a unit."""
    assert plots.short(number) == told


def test_a_scale_for_numbers_that_grow() -> None:
    """On a logarithmic scale 0, 100 and its tenfolds have even distances."""
    series = {"one": [(1, 0), (2, 100), (3, 1_000_000)]}
    text = plots.lines(series, "game", "credits", log=True)
    heights = {
        word: float(y)
        for y, word in re.findall(r'<text[^>]* y="([\d.]+)"[^>]*>([\dkM]+)</text>', text)
    }
    assert heights["1k"] - heights["10k"] == pytest.approx(
        heights["10k"] - heights["100k"], abs=0.3
    )


def test_wide_letters_are_cut_earlier() -> None:
    """A name of wide letters has no more room beside its line than others."""
    text = plots.lines(
        {"龙" * 10: [(1, 1), (2, 2)]}, "round", "points", log=False, size=plots.NARROW
    )
    assert f">{'龙' * 4}…<" in text
