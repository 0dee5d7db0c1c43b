"""A tournament's folder, changed as a whole: its log and those of its matches fit no more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from replay.verify import Verdict, verify_all
from schema.folder import logs
from tests.making import SEED, Events, loads, sealed, write
from tests.replay.edits import edited
from tests.replay.making_logs import hex_seed, random_match, tournament_events, tournament_folder


def findings(folder: Path) -> dict[str, Verdict]:
    """The verdicts on all logs below a folder that are not fine, by file name."""
    return {Path(one.path).name: one for one in verify_all(logs([folder])) if not one.fine}


def test_a_match_that_is_dropped_is_missed(tmp_path: Path) -> None:
    """A match whose log is gone breaks the chain, and is named."""
    tournament_folder(tmp_path)
    (tmp_path / "matches/1-000003.jsonl").unlink()
    found = findings(tmp_path)
    assert {name: one.verdict for name, one in found.items()} == {"tournament.jsonl": "forged"}
    assert "1-000003.jsonl" in found["tournament.jsonl"].reason
    assert found["tournament.jsonl"].line == 5


def test_a_match_that_is_added_is_found(tmp_path: Path) -> None:
    """A match that verifies, but that the tournament does not know, breaks the chain."""
    tournament_folder(tmp_path)
    write(tmp_path / "matches/1-000099.jsonl", random_match(1), hex_seed(1))
    found = findings(tmp_path)
    assert list(found) == ["tournament.jsonl"]
    assert "1-000099.jsonl" in found["tournament.jsonl"].reason


def test_a_match_of_another_tournament_is_found(tmp_path: Path) -> None:
    """A match log with the right name, out of a tournament with another seed, breaks the chain."""
    tournament_folder(tmp_path / "one")
    tournament_folder(tmp_path / "two", hex_seed(2))
    other = (tmp_path / "two/matches/1-000002.jsonl").read_bytes()
    (tmp_path / "one/matches/1-000002.jsonl").write_bytes(other)
    found = findings(tmp_path / "one")
    assert found["tournament.jsonl"].verdict == "forged"
    assert "1-000002.jsonl: seed" in found["tournament.jsonl"].reason


def test_two_matches_that_change_places_are_found(tmp_path: Path) -> None:
    """The names of two match logs exchanged break the chain."""
    tournament_folder(tmp_path)
    one, other = tmp_path / "matches/1-000000.jsonl", tmp_path / "matches/1-000001.jsonl"
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert findings(tmp_path)["tournament.jsonl"].verdict == "forged"


def _renamed(events: Events) -> Events:
    return edited(events, 0, "players[0].name", "somebody")


def _another_bot(events: Events) -> Events:
    return edited(events, 0, "players[1].bot", "0" * 64)


def _another_tournament(events: Events) -> Events:
    return edited(events, 0, "tournament", "autumn")


def _another_setting(events: Events) -> Events:
    return edited(events, 0, "settings.time_limit_s", 3)


@pytest.mark.parametrize("change", [_renamed, _another_bot, _another_tournament, _another_setting])
def test_inputs_of_a_match_are_held_against_the_tournament(
    change: Callable[[Events], Events], tmp_path: Path
) -> None:
    """What the rules of a match do not derive, its tournament knows: edited, it is forged."""
    path = tournament_folder(tmp_path)[4]
    data = path.read_bytes()
    seed = data[data.index(b'"seed":"') + 8 :][:64].decode()
    path.write_bytes(sealed(change(loads(data)), seed))
    found = findings(tmp_path)
    assert {name: one.verdict for name, one in found.items()} == {"tournament.jsonl": "forged"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reason", "drawn"),
        ("winners", []),
        ("seal", "0" * 64),
        ("faults", [{"seat": 0, "kind": "crash"}]),
    ],
)
def test_reports_of_a_match_are_held_against_its_log(
    field: str, value: Any, tmp_path: Path
) -> None:
    """What a tournament's log only takes over from a match is held against the match's log."""
    tournament_folder(tmp_path)
    events = tournament_events()
    [seq, *_] = [
        n for n, event in enumerate(events) if event["type"] == "match_played" and event["winners"]
    ]
    assert events[seq][field] != value
    write(tmp_path / "tournament.jsonl", edited(events, seq, field, value), SEED)
    found = findings(tmp_path)
    assert {name: one.verdict for name, one in found.items()} == {"tournament.jsonl": "forged"}
    assert found["tournament.jsonl"].line == seq + 1


def test_a_match_log_that_is_corrupt_is_found_once(tmp_path: Path) -> None:
    """A corrupt match log is a finding of its own; the tournament's log is not blamed for it."""
    path = tournament_folder(tmp_path)[4]
    path.write_bytes(path.read_bytes().replace(b"answered", b"answerer", 1))
    found = findings(tmp_path)
    assert {name: one.verdict for name, one in found.items()} == {path.name: "corrupt"}


def test_the_order_of_the_arguments_does_not_matter(tmp_path: Path) -> None:
    """A tournament's log that is named before its matches is held against them all the same."""
    paths = tournament_folder(tmp_path)
    swapped = [*paths[:2], paths[3], *paths[3:]]
    paths[2].write_bytes(swapped[2].read_bytes())
    told = {one.path: one.verdict for one in verify_all(reversed(paths))}
    assert told[str(paths[-1])] == "forged"
