"""The table of evidence: what the referee noted, read leniently."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from audit.query import Result, query, query_parquet
from audit.tables import open_database
from tests import factories
from tests.audit.doctored_logs import turn

HEAD = {"format": "koth-evidence/1", "match": "7-000007", "host": "den", "isolation": "process"}
NOTE = {"seq": 2, "seat": 1, "ask": "turn", "ms": 12.5, "exit": 0}
ALL = "FROM evidence ORDER BY seq"
BROKEN = [
    b"\n",
    b"{\n",
    b"\xff\xfe\n",
    b"[1]\n",
    b'"seat"\n',
    b"{}\n",
    b'{"seat":"1"}\n',
    b'{"seat":true}\n',
    b'{"seat":1,"ms":"fast"}\n',
    b'{"seat":1,"ms":NaN}\n',
    b'{"seat":1,"exit":9223372036854775808}\n',
    b'{"seat":1,"stderr":["x"]}\n',
    b'{"seat":1,"stderr":"\\ud800"}\n',
    b'{"seat":1,"partial":"x"}\n',
    b'{"seat":1,"early":1}\n',
    b'{"seat":1,"answered_otherwise":[true]}\n',
    b'{"seat":1,"answered_otherwise":2}\n',
    b'{"seat":1,"binds":["/x",7]}\n',
    b'{"seat":1,"partial":{"x":' + b"[" * 900 + b"]" * 900 + b"}}\n",
]
"""Lines that are no notes."""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """One match of Coup in a tournament's folder, without evidence."""
    doctored = turn("Tp\n")
    return factories.write(tmp_path / "matches" / "1-000000.jsonl", doctored.events, doctored.seed)


def note(log: Path, *lines: object) -> Path:
    """Puts evidence beside ``log``: bytes as they are, anything else as a line of JSON."""
    path = log.parent.parent / "evidence" / log.name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(
        b"".join(one if isinstance(one, bytes) else orjson.dumps(one) + b"\n" for one in lines)
    )
    return path


def asked(log: Path, sql: str = ALL) -> tuple[Result, int | None]:
    """Return the result of a query, and the number of unreadable lines of evidence."""
    with open_database([log], current_only=True) as database:
        return query(database, sql), database.skipped


def test_a_note_is_a_row(log: Path) -> None:
    """A note is a row with its log, match and game, and with the fields of the first line."""
    note(log, HEAD, NOTE | {"stderr": "a\x00|é\n"})
    found, skipped = asked(log)
    row = dict(zip(found.columns, found.rows[0], strict=True))
    assert {name: value for name, value in row.items() if value is not None} == {
        **NOTE,
        **{"log": 0, "match": "1-000000", "game": "coup", "stderr": "a\x00|é\n"},
        **{"host": "den", "isolation": "process"},
    }
    assert (len(found.rows), skipped) == (1, 0)


def test_every_field_of_a_note_is_a_column(log: Path) -> None:
    """A row also has the notes about class bots and stream bots, and the limits of the match."""
    head = {"limits": {"time_limit_s": 10}, "binds": ["/opt/words"], "in_process": [0]}
    stepwise = {"in_step": 40, "resumed_after": 7, "answered_otherwise": [2, 5]}
    about = NOTE | stepwise | {"ahead": True, "early": True, "ended_earlier": False}
    note(log, HEAD | head, about)
    found, skipped = asked(log, "SELECT * EXCLUDE (log, match, game) FROM evidence")
    row = dict(zip(found.columns, found.rows[0], strict=True))
    shown = {name: value for name, value in row.items() if value is not None}
    expected = {"host": "den", "isolation": "process"} | about | head
    assert shown | {"limits": orjson.loads(str(shown["limits"]))} == expected
    assert skipped == 0


def test_a_note_joins_the_answer_that_it_is_about(log: Path) -> None:
    """By log, seat and seq a note belongs to an answer or a fault, and to a player."""
    note(log, HEAD, NOTE | {"seat": 0})
    sql = "SELECT name, appended FROM evidence JOIN answers USING (log, seat, seq) "
    found, _ = asked(log, sql + "JOIN players USING (log, seat)")
    assert len(found.rows) == 1


def test_evidence_that_was_never_kept(log: Path) -> None:
    """Without evidence the table is there, and empty."""
    assert asked(log)[0].rows == []
    assert asked(log)[1] == 0


def test_unknown_fields_are_left_out_and_known_ones_may_be_missing(log: Path) -> None:
    """More may be added to evidence, and all but the seat and one other field may be missing."""
    mood = {"seat": 1, "ask": "turn", "mood": {"a": [1]}}
    note(log, HEAD | {"moon": "full"}, mood, {"seat": 0, "exit": None})
    found, skipped = asked(log, "SELECT seat, ms, exit, host FROM evidence ORDER BY seat")
    assert found.rows == [(0, None, None, "den"), (1, None, None, "den")]
    assert skipped == 0


def test_a_note_about_no_answer_is_no_row(log: Path) -> None:
    """The later matches that were not kept after a fault are named in a line with a seat."""
    note(log, HEAD, NOTE, {"seat": 1, "not_kept": ["1-000001"]})
    found, skipped = asked(log)
    assert (len(found.rows), skipped) == (1, 0)


def test_lines_that_are_no_notes_are_passed_over_and_counted(log: Path) -> None:
    """A line that is not a note is skipped and counted, also a torn last line."""
    note(log, HEAD, *(line for one in BROKEN for line in (NOTE, one)), NOTE, b'{"seat":1,"seq":2')
    found, skipped = asked(log)
    assert (len(found.rows), skipped) == (len(BROKEN) + 1, len(BROKEN) + 1)


def test_a_first_line_that_cannot_be_read(log: Path) -> None:
    """The notes after an unreadable first line are read."""
    note(log, HEAD | {"host": 7}, NOTE)
    found, skipped = asked(log, "SELECT host, ms FROM evidence")
    assert (found.rows, skipped) == ([(None, 12.5)], 1)


def test_something_else_in_the_place_of_evidence(log: Path) -> None:
    """A folder where the file should be is no error."""
    path = note(log)
    path.unlink()
    path.mkdir()
    assert asked(log)[0].rows == []


def test_evidence_is_read_when_a_query_names_it(log: Path) -> None:
    """A query that does not name the table costs nothing; one that does reads it just once."""
    path = note(log, HEAD, NOTE)
    with open_database([log], current_only=True) as database:
        query(database, "FROM players")
        assert database.skipped is None
        for _ in range(2):
            assert len(query(database, "FROM Evidence").rows) == 1
        path.unlink()
        assert len(query(database, ALL).rows) == 1


def test_evidence_is_read_again_after_an_interrupt(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A query that is interrupted while it reads evidence does not leave the table empty."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    note(log, HEAD, NOTE, b"{}")
    with open_database([log], current_only=True) as database:
        with monkeypatch.context() as patch:
            patch.setattr("audit.evidence._known", interrupted)
            with pytest.raises(KeyboardInterrupt):
                query(database, ALL)
        assert len(query(database, ALL).rows) == 1
        assert database.skipped == 1


def test_evidence_as_parquet(log: Path) -> None:
    """Evidence is there for all formats."""
    note(log, HEAD, NOTE)
    with open_database([log], current_only=True) as database:
        assert query_parquet(database, ALL)[:4] == b"PAR1"
        assert database.skipped == 0


def test_long_lines(log: Path) -> None:
    """A line may be as long as a log's; at a longer one reading ends, and it is counted."""
    for size, lengths, skipped in ((7 << 20, [(7 << 20,), (1,)], 0), (8 << 20, [], 1)):
        note(log, HEAD, NOTE | {"stderr": "x" * size}, NOTE | {"stderr": "x"})
        result, unread = asked(log, "SELECT length(stderr) FROM evidence")
        assert (result.rows, unread) == (lengths, skipped)


def test_each_match_has_its_own(log: Path, tmp_path: Path) -> None:
    """The evidence of two matches is kept apart, also of logs that lie alone in a folder."""
    doctored = turn("Tp\n")
    lone = factories.write(tmp_path / "alone" / "log.jsonl", doctored.events, doctored.seed)
    note(log, HEAD, NOTE)
    other = lone.parent / "evidence" / lone.name
    other.parent.mkdir()
    other.write_bytes(b'{"seat":0,"ms":1}\n')
    with open_database([lone, log], current_only=True) as database:
        found = query(database, "SELECT path, ms FROM evidence JOIN logs USING (log) ORDER BY ms")
    assert found.rows == [(str(lone), 1.0), (str(log), 12.5)]
