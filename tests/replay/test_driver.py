"""The parts of a log that its driver finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from replay.driver import ReplayDriver
from replay.faults import names, without_log
from schema.reader import Log, parse
from tests import contests
from tests.factories import sealed, write
from tests.replay.log_factory import SHORT, hex_seed, short, tournament_events


def log() -> Log:
    """Return the log of the short match."""
    return parse(sealed(short(), hex_seed(SHORT)), Path("log.jsonl"))


def test_answers_are_found_between_other_events() -> None:
    """Answers to one question may have other events between them, and faults are answers."""
    whole = log()
    types = ["answered", "coins_moved", "fault", "card_lost", "answered", "answered"]
    events: list[Any] = [whole.start, *({"type": type, "seat": 0} for type in types)]
    driver = ReplayDriver(whole, hex_seed(SHORT))
    driver.log = replace(whole, events=events)
    for first, number, seqs in (1, 3, [1, 3, 5]), (2, 2, [3, 5]), (1, 9, [1, 3, 5, 6]), (1, 0, []):
        driver.next_seq = first
        replies: Any = [None] * number
        assert driver.answer_seqs((), replies) == seqs


def test_the_names_in_a_log(tmp_path: Path) -> None:
    """A match has players, a tournament has entrants; a contest and a damaged log have no names."""
    match = write(tmp_path / "match.jsonl", short(), hex_seed(SHORT))
    events = tournament_events()
    tournament = write(tmp_path / "tournament.jsonl", events, hex_seed(SHORT))
    contest = contests.new(tmp_path / "cup") / "contest.jsonl"
    (tmp_path / "damaged.jsonl").write_bytes(b"{}\n")
    assert [*names(match)] == ["player0", "player1"]
    assert [*names(tournament)] == [entrant["name"] for entrant in events[0]["entrants"]]
    assert [*names(contest)] == []
    assert [*names(tmp_path / "damaged.jsonl")] == []


def test_a_match_reports_no_faults_of_other_matches() -> None:
    """Only the log of a tournament reports faults of matches without a log."""
    assert without_log(log()) == 0
