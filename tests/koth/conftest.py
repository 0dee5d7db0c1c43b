"""Fixtures for the tests of the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit import run_rules
from audit.missing import missing_logs
from audit.rule import rules
from audit.tables import open_database
from tests.factories import write
from tests.koth.commands import Koth
from tests.replay.log_factory import SHORT, hex_seed, short


@pytest.fixture
def koth(capsys: pytest.CaptureFixture[str]) -> Koth:
    """Types commands."""
    return Koth(capsys)


@pytest.fixture
def one_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spares a page the audit by all rules, of which one stands for all of its game."""
    monkeypatch.setattr(run_rules, "rules", lambda game: rules(game)[:1])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A sealed log of 21 lines that verifies."""
    return write(tmp_path / "log.jsonl", short(), hex_seed(SHORT))


def missing(path: Path) -> list[str]:
    """Return the sentences about missing logs, which the commands print."""
    with open_database([path], bare=True) as database:
        return missing_logs(database)
