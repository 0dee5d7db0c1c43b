"""Sites: match pages per second, bytes per page, peak memory, and the time of a second run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import _command
from benchmarks._histories import tournament
from benchmarks.measure import Figure, at_least, at_most, within

SIZE = 10_000
"""Matches of Coup of the tournament."""

QUICK = 300

ENTRANTS = 5
"""Bots of the tournament."""

PER_ROUND = ENTRANTS * (ENTRANTS - 1)
"""Matches of a round: each bot meets each other one in both seats."""


def run(size: int) -> Iterator[Figure]:
    """Build sites of Coup matches, each against the work that it contains."""
    with TemporaryDirectory() as place:
        many = tournament(Path(place) / "cup", "coup", ENTRANTS, rounds=max(1, size // PER_ROUND))
        verified = _command.run("verify", many)
        audited = _command.run("audit", many)
        site = Path(place) / "site"
        built = _command.run("site", many, "-o", site)
        again = _command.run("site", many, "-o", site)
        few = tournament(
            Path(place) / "few", "coup", ENTRANTS, rounds=max(1, size // 10 // PER_ROUND)
        )
        small = _command.run("site", few, "-o", Path(place) / "small")
        pages = [path.stat().st_size for path in (site / "matches").glob("1-*.html")]
        others = [path.stat().st_size for path in site.rglob("*.html")]
    checks = verified.seconds + audited.seconds
    yield Figure(
        "match pages",
        len(pages) / (built.seconds - checks),
        "pages/s",
        "koth verify, logs",
        len(pages) / verified.seconds,
        (at_least(50),),
    )
    yield Figure(
        f"whole site, {len(pages):,} matches",
        built.seconds,
        "s",
        "koth verify and audit",
        checks,
    )
    yield Figure(
        "second run",
        again.seconds,
        "s",
        "first run",
        built.seconds,
        (within(0.05),),
    )
    yield Figure(
        "peak memory",
        built.megabytes,
        "MB",
        "a tenth of the matches",
        small.megabytes,
        (within(1.25),),
    )
    for name, sizes, most in ("match page", pages, 60), ("page", others, 300):
        mean = sum(sizes) / len(sizes) / 1e3
        yield Figure(f"largest {name}", max(sizes) / 1e3, "KB", "mean", mean, (at_most(most),))
