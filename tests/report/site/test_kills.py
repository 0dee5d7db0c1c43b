"""``kill -9`` at random moments of ``koth site``.

In the suite this is a sample. ``KOTH_FUZZ=50 python -m pytest tests/report/site/test_kills.py``
kills fifty times.
"""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from report.site.output import MANIFEST
from tests.koth.commands import started
from tests.referee.test_resume_kills import killed
from tests.report.site.sites import built
from tests.report.site.test_output import contents
from tests.sampling import FACTOR

KILLS = FACTOR
"""The number of times that the command is killed."""

SECONDS = 2.0
"""Longest time between the first written file and the kill."""


def test_killed_at_random_moments(
    sites: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that is killed, and run again, has the bytes of an undisturbed one."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a killed command leaves its tables there
    expected, site = contents(sites / "contest"), tmp_path / "site"
    kills = 0
    while kills < KILLS:
        process = started("site", sites / "cup", "-o", site, "--no-browser-tools")
        while not (site / MANIFEST).exists() and process.poll() is None:
            time.sleep(0.01)
        kills += killed(process, random.uniform(0, SECONDS))
        built([sites / "cup"], site)
        assert contents(site) == expected
        shutil.rmtree(site)
