"""The faults in a log, and the names of its bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from replay import verdict_render
from replay.faults import faults, names, without_log
from replay.log_verdict import LogVerdict
from replay.render import summary
from replay.verdict_render import verdicts_text
from tests import contests
from tests.factories import SEED, write
from tests.replay.log_factory import (
    SHORT,
    crash_match,
    hex_seed,
    log_of,
    short,
    tournament_events,
)


def test_a_fault_has_the_limit_of_its_match() -> None:
    """A game without a time limit has none."""
    log = log_of(crash_match(), hex_seed(SHORT))
    assert [(fault.event["kind"], fault.time_limit) for fault in faults(log)] == [("crash", "10 s")]
    del log.start["settings"]["time_limit_s"]
    assert [fault.time_limit for fault in faults(log)] == [""]
    assert list(faults(log_of(short(), hex_seed(SHORT)))) == []


def test_the_names_in_a_log(tmp_path: Path) -> None:
    """A match has players, a tournament has entrants; a contest and a damaged log have no names."""
    match = write(tmp_path / "match.jsonl", short(), hex_seed(SHORT))
    events = tournament_events()
    tournament = write(tmp_path / "tournament.jsonl", events, SEED)
    contest = contests.new(tmp_path / "cup") / "contest.jsonl"
    (tmp_path / "damaged.jsonl").write_bytes(b"{}\n")
    assert [*names(match)] == ["player0", "player1"]
    assert [*names(tournament)] == [entrant["name"] for entrant in events[0]["entrants"]]
    assert [*names(contest)] == []
    assert [*names(tmp_path / "damaged.jsonl")] == []


def test_a_match_reports_no_faults_of_other_matches() -> None:
    """Only the log of a tournament reports faults of matches without a log."""
    assert without_log(log_of(crash_match(), hex_seed(SHORT))) == 0


def test_a_summary_of_many_bots() -> None:
    """It names ten bots, those with the most faults, and counts the others."""
    counts = {f"bot{number}": {"crash": 40 - number} for number in range(12)}
    names = "; ".join(f"bot{number} {40 - number} crash" for number in range(10))
    assert summary(counts) == f"414 faults: {names}; and 2 other bots"
    del counts["bot11"]
    assert summary(counts).endswith("; bot9 31 crash; and 1 other bot")
    del counts["bot10"]
    assert summary(counts).endswith("; bot9 31 crash")


def test_the_faults_of_many_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are added up in parts, with the same sum."""
    verdicts = [
        LogVerdict(str(number), "verified", "", faults={f"bot{number % 3}": {"crash": number + 1}})
        for number in range(7)
    ]
    whole = verdicts_text(verdicts, [])
    monkeypatch.setattr(verdict_render, "MOST_COUNTS", 2)
    assert verdicts_text(verdicts, []) == whole
    assert "28 faults: bot0 12 crash; bot2 9 crash; bot1 7 crash; see `koth faults PATH…`" in whole
