"""The lists of a bot's faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.tables import open_database
from games.table import Fault, Reply
from report.page import visible
from report.site import fault_lists
from report.site.fault_lists import FaultLists
from tests.factories import match_events, printed, write


def failing(path: Path, number: int, reply: Reply) -> None:
    """Write a match whose bots give this reply in every turn."""
    start, *events = match_events(lambda ask: reply, game="coins", rounds=2)
    write(path, [start | {"match": f"1-00000{number}"}, *events])


def test_a_list_has_the_first_faults_of_each_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are in the order of their matches, with the ids that the site gives these."""
    paths = [tmp_path / f"{number}.jsonl" for number in range(3)]
    for number, path in enumerate(paths):
        failing(path, number, printed("x") if number < 2 else Fault("crash"))
    monkeypatch.setattr(fault_lists, "LISTED", 3)
    ids = {str(paths[0]): "2/1-000000"}
    with open_database([tmp_path]) as database:
        found = FaultLists(database, {str(path): path for path in paths}, ids)
    places = {
        (name, kind): [(fault.path, fault.seq) for fault in found.of(name, kind)]
        for name in ("player0", "player1")
        for kind in ("illegal", "crash")
    }
    first, second, third = map(str, paths)
    assert places == {
        ("player0", "illegal"): [(first, 2), (first, 6), (second, 2)],
        ("player0", "crash"): [(third, 2), (third, 6)],
        ("player1", "illegal"): [(first, 4), (first, 8), (second, 4)],
        ("player1", "crash"): [(third, 4), (third, 8)],
    }
    (tmp_path / "evidence").mkdir()
    note = '{"seq":6,"seat":0,"ask":"turn","exit":1,"stderr":"oops","more":[1]}'
    (tmp_path / "evidence/0.jsonl").write_text(f'{{"format":"koth-evidence/1"}}\n{note}\n')
    bare, noted, _ = found.of("player0", "illegal")
    assert (bare.match, bare.seq, bare.name) == ("2/1-000000", 2, "player0")
    assert (bare.notes, bare.stderr) == ({}, "")
    assert (noted.seq, noted.notes, noted.stderr) == (6, {"exit": 1}, "oops")
    paths[0].unlink()
    paths[2].write_bytes(b"garbage\n")
    assert [fault.path for fault in found.of("player1", "illegal")] == [second]
    assert not [*found.of("player1", "crash")]


@pytest.mark.parametrize(
    ("text", "length"), [("ab", 2000), ("\u202e12345678", 500), ("\u202e", 100)]
)
def test_a_text_of_a_fault_is_small_on_its_page(text: str, length: int) -> None:
    """Its end is shown; of signs for invisible characters there are fewer."""
    end = fault_lists._end(text * 1_100)
    assert end == (text * 1_100)[-length:]
    assert len(visible(end)) <= fault_lists.LARGEST or length == fault_lists.LENGTHS[-1]
