"""Progress reports: never "nothing left" while work goes on, and no report of short work."""

from __future__ import annotations

import io
import re
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koth.cli import progress
from koth.cli.main import status
from koth.cli.progress import Work


class Clock:
    """A clock that moves only when the test moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Seconds since the test began."""
        return self.now


def after(*steps: tuple[float, int], total: int) -> str:
    """Return the report after these steps, each of so many seconds with so many results."""
    clock = Clock()
    work = Work(clock)
    for seconds, done in steps:
        clock.now += seconds
        work.update(done, total)
    return str(work)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (after((0.1, 1), total=840), "1 of 840"),
        (after((20, 1), total=840), "1 of 840, 0:00:20 so far"),
        (after((10, 45), total=840), "45 of 840, 4.5/s, about 0:02:57 left"),
        (after((1, 370_000), total=10**6), "370000 of 1000000, 370000/s, about 0:00:02 left"),
        (
            after((600, 1), (600, 2), (600, 4), total=5),
            "4 of 5, less than 1/min, about 0:06:40 left",
        ),
        (after((8, 840), total=840), "840 of 840, finishing, 0:00:08 so far"),
        (after((0.0, 0), total=0), ""),
        (after((90, 3), total=0), "0:01:30 so far"),
    ],
)
def test_what_is_told(told: str, expected: str) -> None:
    """Done, rate and time left where they are known; the time so far where they are not."""
    assert told == expected


@given(
    st.lists(st.tuples(st.floats(0, 1e5), st.integers(0, 100)), max_size=20), st.integers(0, 500)
)
def test_it_is_never_over(steps: list[tuple[float, int]], total: int) -> None:
    """While the work goes on nothing says `0:00:00`, `?` or a fraction of a large rate."""
    done, sums = 0, []
    for seconds, more in steps:
        done += more
        sums.append((seconds, done))
    told = after(*sums, total=total)
    assert "0:00:00" not in told.replace("10:00:00", "").replace("20:00:00", "")
    assert not re.search(r"\?|\d\d\.\d/s|…", told)


def test_matches_that_were_there_do_not_make_it_look_quick() -> None:
    """The rate is that of the last half minute: a resumed tournament starts with many at once."""
    steps = [(1.0, 400), *((1.0, 400 + n) for n in range(1, 61))]
    assert after(*steps, total=520) == "460 of 520, 1.0/s, about 0:01:00 left"


def test_a_line_now_and_then_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a pipe, long work prints a line at intervals, also while no result comes."""
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.01)
    with progress.bar("verify") as shown:
        shown(3, 7)
        while capsys.readouterr().err.count("koth: verify: 3 of 7") < 2:
            time.sleep(0.01)


def test_nothing_is_told_of_short_work(capsys: pytest.CaptureFixture[str]) -> None:
    """Work that ends within ten seconds prints no line."""
    with progress.bar("verify") as shown:
        shown(7, 7)
    assert capsys.readouterr() == ("", "")


class Terminal(io.StringIO):
    """Says that it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


def test_a_terminal_has_a_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal there is a bar at once; its title is no markup, and it is wiped in the end."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    with progress.bar("[red]three\x9bsided") as shown:
        shown(45, 840)
    printed = stream.getvalue()
    assert "[red]three\\x9bsided" in printed
    assert "45 of 840" in printed
    assert printed.endswith("\x1b[2K")


def test_a_dumb_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal without a cursor, such as a shell in Emacs, gets lines and no escape sequence."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.01)
    with progress.bar("verify") as shown:
        shown(3, 7)
        while "koth: verify: 3 of 7\n" not in stream.getvalue():
            time.sleep(0.01)
    status(["verify", "nowhere"])
    assert "koth: nowhere: there is no such file or folder.\n" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


@pytest.mark.parametrize("columns", ["60", "80", "200"])
def test_the_text_beside_the_bar_stays_in_one_line(
    columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal that is too narrow for both shows less of the bar, and all of the text."""
    stream, clock = Terminal(), Clock()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("TERM", "xterm")
    with progress.bar("Coup for two", Work(clock)) as shown:
        clock.now = 10
        shown(60, 396)
    assert "60 of 396, 6.0/s, about 0:00:56 left" in stream.getvalue()
