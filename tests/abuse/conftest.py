"""Fixtures that the tests of all groups of misbehaving bots share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.abuse.parties import Bait, laid_out


@pytest.fixture
def bait(tmp_path: Path) -> Iterator[Bait]:
    """Yield secrets, servers and files that the bots try to reach or to change."""
    with laid_out(tmp_path) as bait:
        yield bait
