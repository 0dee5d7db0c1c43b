"""Fixtures for the tests of the second verifier: a contest, held once and copied for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from replay.signatures import signing
from schema.signed_note import PrivateKey
from tests import contests

KEY = PrivateKey("example.com/cup", b"\x07" * 32)


@pytest.fixture(scope="session")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest of two stages with a bot that is revised, and one that is withdrawn; signed."""
    folder = tmp_path_factory.mktemp("agreed")
    return contests.two_stages(folder, lambda cup: signing.sign(cup, KEY, KEY.name), max_calls=3)


@pytest.fixture
def cup(signed: Path, tmp_path: Path) -> Path:
    """A copy of the contest, to be changed."""
    return shutil.copytree(signed, tmp_path / "cup")


@pytest.fixture
def unsigned_cup(cup: Path) -> Path:
    """The same without its checkpoints."""
    unsigned(cup)
    return cup


def unsigned(cup: Path) -> None:
    """Remove all checkpoints."""
    (cup / "checkpoint").unlink()
    shutil.rmtree(cup / "checkpoints")
