"""Rules that ask several seats at the same time, as no built-in game does: each answer counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from replay import timeline
from replay.verify import verify
from replay.watch import lines
from schema.reader import read
from tests.factories import loads, write
from tests.game_factory import install
from tests.koth.commands import Koth

BESIDE = "answers at the same time: event 2 (seat 0)"


@pytest.fixture
def match(koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A match of two rounds; in each both bots are asked after ``dealt``, before ``scored``."""
    game, log = install(tmp_path, monkeypatch, {}), tmp_path / "log.jsonl"
    words = ("-o", log, "--seed", 7, "--set", "rounds=2", "--isolation", "none")
    assert koth("play", game, "examples/cautious", "examples/envious", *words).code == 0
    types = [event["type"] for event in read(log).events]
    assert types[1:5] == ["dealt", "answered", "answered", "scored"]
    return log


@pytest.mark.parametrize(("seq", "named"), [(2, False), (3, False), (4, True), (5, True)])
def test_an_event_of_no_seat_names_all_answers(
    seq: int, named: bool, koth: Koth, match: Path
) -> None:
    """It follows from the answers of all seats; an answer follows from itself."""
    text = koth("explain", match, seq).out
    assert (BESIDE in text) == named
    assert ("answer, event 3: " in text) == (seq != 2)
    shown = [line.text for line in lines.details(timeline.read(match), seq)]
    assert (BESIDE in shown) == named
    assert koth("explain", match, seq, "--format", "json").json["beside"] == [2] * named


@pytest.mark.parametrize(("kept", "seat"), [(2, 0), (3, 1)])
def test_the_missing_one_of_two_answers_is_named(kept: int, seat: int, match: Path) -> None:
    """If a sealed log ends among answers of one time, the verdict names the first missing one."""
    events, seed = loads(match.read_bytes()), read(match).seal["seed"]
    log = write(match.with_name("cut.jsonl"), events[:kept], seed)
    found = verify(log).divergence
    assert found is not None
    assert (found.seq, found.field, found.recorded) == (kept, "type", "match_sealed")
    assert found.event_recomputed == {"type": "answered", "seat": seat, "ask": "again"}


def test_a_list_of_questions_may_be_empty(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules may have nobody left to ask; the match goes on, verifies and can be explained."""
    asked = "        replies: list[Reply] = yield asks\n"
    game = install(tmp_path, monkeypatch, {"rules.py": (asked, f"        yield []\n{asked}")})
    log = tmp_path / "log.jsonl"
    words = ("-o", log, "--seed", 7, "--set", "rounds=2", "--isolation", "none")
    assert koth("play", game, "examples/cautious", "examples/envious", *words).code == 0
    assert koth("verify", log).code == koth("audit", log).code == 0
    assert BESIDE in koth("explain", log, 4).out
