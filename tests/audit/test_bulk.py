"""Bulk events, read a column at a time, are taken exactly when the strict reader takes them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import pytest

from audit.loading import columnar
from audit.loading.columnar import bulk_types, split_log
from audit.query import query
from audit.tables import Database, open_database
from schema import reader
from schema.errors import LogError
from tests import factories
from tests.sampling import one_in

Change = Callable[[bytes], bytes]

ROUNDS = 150
TABLES = ("smallest_unique_round", "matches", "players", "logs", "answers", "events", "faults")


def game(seed: int = 1, rounds: int = ROUNDS) -> bytes:
    """The log of a game with as many rounds."""
    player = factories.at_random(random.Random(seed), 4)
    settings: dict[str, Any] = {"players": 4, "seats": 4, "rounds": rounds}
    return factories.sealed(factories.match_events(player, game="smallest_unique", **settings))


def changed(line: int, change: Change) -> bytes:
    """The log of a game in which one line is another, with a seal that fits."""
    lines = game().splitlines(keepends=True)
    lines[line] = change(lines[line])
    *above, seal = b"".join(lines).splitlines(keepends=True)
    body = b"".join(above)
    ending = b'"events":%d,"sha256":"%s"}\n' % (len(above), sha256(body).hexdigest().encode())
    return body + re.sub(rb'"events":.+\n', lambda _: ending, seal)


def put(old: bytes, new: bytes) -> Change:
    """Puts another text in the place of what a pattern finds."""

    def change(line: bytes) -> bytes:
        found = re.sub(old, lambda _: new, line, count=1)
        assert found != line
        return found

    return change


def rows(database: Database) -> dict[str, list[Any]]:
    """Return the rows of all tables."""
    return {name: sorted(query(database, f"FROM {name}").rows, key=repr) for name in TABLES}


@pytest.fixture
def cuts(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each log that was read was cut."""
    done: list[bool] = []

    def counting(data: bytes) -> columnar.SplitLog | None:
        found = split_log(data)
        done.append(found is not None)
        return found

    monkeypatch.setattr("audit.loading.strict.split_log", counting)
    return done


def test_which_events_are_bulk() -> None:
    """Those whose fields are integers and lists of them; not those with texts or structures."""
    assert "counted" in bulk_types("coins")
    assert "acted" not in bulk_types("coins")
    assert not bulk_types("coup")
    found = bulk_types("smallest_unique")["round"]
    assert found.optional == {"winner"}
    assert found.bounds == {
        "round": (1, 2**63 - 1),
        "choices": (-(2**63), 2**63 - 1),
        "winner": (0, 2**31 - 1),
    }


def test_both_ways_give_the_same_tables(
    tmp_path: Path, cuts: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every table is the same, whether the rounds were read as bulk or one by one."""
    for seed in range(3):
        (tmp_path / f"{seed}.jsonl").write_bytes(game(seed, ROUNDS + seed))
    (tmp_path / "short.jsonl").write_bytes(game(rounds=5))
    with open_database([tmp_path]) as database:
        fast = rows(database)
    assert cuts == [True, True, True, False]
    monkeypatch.setattr("audit.loading.columnar.MIN_BULK_LINES", 1 << 60)
    with open_database([tmp_path]) as database:
        assert rows(database) == fast
    assert not any(cuts[4:])


def test_logs_that_are_loaded_in_many_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every table is the same if each log is loaded by itself; bulk events stay in one file."""
    for seed in range(3):
        (tmp_path / f"{seed}.jsonl").write_bytes(game(seed, ROUNDS + seed))
        (tmp_path / f"{seed}-short.jsonl").write_bytes(game(seed, rounds=5))
    with open_database([tmp_path]) as database:
        together = rows(database)
    monkeypatch.setattr("audit.loading.strict.PART_BYTES", 1)
    with open_database([tmp_path], on_disk=True) as database:
        assert rows(database) == together
        assert (len(database.parts), len(database.bulk_files)) == (5, 1)


def test_a_game_that_ends_in_replies(tmp_path: Path, cuts: list[bool]) -> None:
    """Events after the last round, as in a void game, keep their place."""
    events = factories.loads(game())
    fault = {"type": "fault", "seat": 2, "kind": "crash", "clause": "SU-9"}
    events[-2:-1] = [
        {**fault, "penalty": "disqualified", "ask": "update"},
        {**events[-2], "reason": "void", "winners": []},
    ]
    factories.write(tmp_path / "log.jsonl", events)
    with open_database([tmp_path]) as database:
        assert query(database, "SELECT seq, seat FROM faults").rows == [(ROUNDS + 1, 2)]
        assert query(database, "SELECT finished, events FROM matches").rows == [
            (ROUNDS + 2, ROUNDS + 3)
        ]
        assert query(database, "SELECT count(*), max(seq) FROM events").rows == [
            (ROUNDS + 4, ROUNDS + 3)
        ]
    assert cuts == [True]


REFUSED: dict[str, Change] = {
    "round 0": put(rb'"round":\d+', b'"round":0'),
    "no seat": put(rb'"winner":\d+', b'"winner":2147483648'),
    "a seat below 0": put(rb'"winner":\d+', b'"winner":-1'),
    "null for none": put(rb'"winner":\d+', b'"winner":null'),
    "null as a round": put(rb'"round":\d+', b'"round":null'),
    "null as a list": put(rb"\[.+\]", b"null"),
    "null in a list": put(rb"\[\d+", b"[null"),
    "a text": put(rb'"round":(\d+)', b'"round":"7"'),
    "a text in a list": put(rb"\[\d+", b'["3"'),
    "a fraction": put(rb'"round":\d+', b'"round":7.0'),
    "an exponent": put(rb'"round":\d+', b'"round":1e1'),
    "true": put(rb'"winner":\d+', b'"winner":true'),
    "a list in a list": put(rb"\[\d+", b"[[3]"),
    "more than 64 bits": put(rb"\[\d+", b"[9223372036854775808"),
    "a leading zero": put(rb"\[", b"[0"),
    "minus zero": put(rb"\[\d+", b"[-0"),
    "another field": put(rb"\}", b',"x":1}'),
    "the same field twice": put(rb'"round":\d+', b'"round":7,"round":7'),
    "a field less": put(rb'"round":\d+,', b""),
    "a list less": put(rb'"choices":\[.+\],', b""),
    "another order": put(rb'("round":\d+),("choices":[^]]+\])', b'"choices":[1],"round":7'),
    "a space": put(rb",", b", "),
    "a space at the end": put(rb"\}\n", b"} \n"),
    "a tab": put(rb"\}\n", b"}\t\n"),
    "a carriage return": put(rb"\}\n", b"}\r\n"),
    "our separator of lines": put(rb"\}\n", b"}\x1f\n"),
    "a line in a line": put(rb"\}\n", b'}\x1f{"seq":51,"type":"round","round":51,"choices":[1]}\n'),
    "an empty line": put(rb"\n", b"\n\n"),
    "no JSON": put(rb"\]", b""),
    "another type": put(rb'"type":"round"', b'"type":"rounds"'),
    "an escape": put(rb'"type":"round"', b'"type":"r\\u006fund"'),
    "no UTF-8": put(rb'"round"', b'"r\xffund"'),
    "a NUL": put(rb"\}\n", b"}\0\n"),
    "another number": put(rb'"seq":\d+', b'"seq":51'),
    "a line twice": lambda line: line + line,
    "no line": lambda line: b"",
}


@pytest.mark.parametrize("what", one_in(2, {what: what for what in REFUSED}))
def test_what_the_strict_reader_refuses(what: str, tmp_path: Path) -> None:
    """A log with a wrong line is not taken, although its seal fits."""
    wrong = changed(50, lambda line: REFUSED[what](with_winner(line)))
    with pytest.raises(LogError):
        reader.parse(wrong, tmp_path)
    assert not taken(changed(50, with_winner), wrong, tmp_path)
    assert taken(changed(50, with_winner), game(2), tmp_path)


@pytest.mark.parametrize("what", ["a carriage return", "a tab", "our separator of lines"])
def test_separators_at_the_end_of_the_bulk_are_refused(what: str, tmp_path: Path) -> None:
    """Nothing that ends a row or a line for DuckDB is taken for a part of the file's layout."""
    assert not taken(game(2), changed(ROUNDS, REFUSED[what]), tmp_path)


def test_a_log_that_breaks_off_after_a_bulk_line(tmp_path: Path) -> None:
    """It is unread, because it has no seal."""
    (tmp_path / "log.jsonl").write_bytes(b"".join(game().splitlines(keepends=True)[: ROUNDS + 1]))
    with open_database([tmp_path]) as database:
        assert query(database, "SELECT verdict FROM unread").rows == [("incomplete",)]


@pytest.mark.parametrize(
    ("line", "change"),
    [
        (50, put(rb'"round":\d+', b'"round":0')),
        (ROUNDS + 1, put(rb'"scores":\[', b'"scores":["x",')),
    ],
)
def test_what_is_refused_is_told_as_ever(line: int, change: Change, tmp_path: Path) -> None:
    """A log with a wrong line is unread, with the strict reader's word; the others are read."""
    wrong = changed(line, change)
    (tmp_path / "right.jsonl").write_bytes(game(2))
    (tmp_path / "wrong.jsonl").write_bytes(wrong)
    with pytest.raises(LogError) as refused:
        reader.parse(wrong, tmp_path)
    told = f"line {refused.value.line}: {refused.value.found}"
    with open_database([tmp_path]) as database:
        assert query(database, "FROM unread").rows == [
            (str(tmp_path / "wrong.jsonl"), refused.value.verdict, told)
        ]
        counted = query(database, "SELECT count(*), count(DISTINCT log) FROM smallest_unique_round")
        assert counted.rows == [(ROUNDS, 1)]


@pytest.mark.parametrize("line", [0, 1, 2, ROUNDS, ROUNDS + 1, ROUNDS + 2])
def test_a_wrong_seq_in_any_line(line: int, tmp_path: Path) -> None:
    """Above, in and after the bulk, a line whose seq is not its position makes a log unread."""
    for seq in {0, 1, 7, ROUNDS, ROUNDS + 1, ROUNDS + 2, ROUNDS + 3, 2**63 - 1} - {line}:
        wrong = changed(line, put(rb'"seq":\d+', b'"seq":%d' % seq))
        (tmp_path / f"{seq}.jsonl").write_bytes(wrong)
    with open_database([tmp_path]) as database:
        assert (database.logs, database.unread) == (0, len([*tmp_path.iterdir()]))


def taken(one: bytes, other: bytes, folder: Path) -> bool:
    """Whether two logs, of which the first is right, are read as bulk."""
    cuts = [split_log(one), split_log(other)]
    with (folder / "lines").open("wb") as file, duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA raw")
        connection.execute(
            "CREATE TABLE raw.logs (_log BIGINT, _game VARCHAR, bulk_type VARCHAR, bulk BIGINT)"
        )
        for number, found in enumerate(cuts):
            if found is None:
                return False
            connection.execute(
                "INSERT INTO raw.logs VALUES (?, 'smallest_unique', 'round', ?)",
                [number, found.count],
            )
            file.writelines(found.rows(number, "1-000000"))
        file.flush()
        type = bulk_types("smallest_unique")["round"]
        try:
            columnar.write(connection, type, folder / "lines", folder / "out", "COMPRESSION snappy")
        except columnar.NeedsStrictRead:
            return False
    return True


def with_winner(line: bytes) -> bytes:
    """A round with a winner."""
    return re.sub(rb"\](,.+)?\}", b'],"winner":1}', line)


@pytest.mark.parametrize("piece", [1, 100, 1_000, 1 << 20])
def test_pieces_of_any_size(piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bulk lines of a log are the same in pieces of any size, and all of them are taken."""
    monkeypatch.setattr(columnar, "PIECE", piece)
    split = split_log(game())
    assert split
    rows = [row.removesuffix(b"\n").split(b"\t") for row in split.rows(7, "1-000000")]
    assert {(log, match) for log, match, _ in rows} == {(b"7", b"1-000000")}
    lines = b"\x1f".join(text for *_, text in rows).replace(b"\x1f", b"\n") + b"\n"
    assert lines == split.bulk_lines
    assert taken(game(), game(2), tmp_path)


def test_lines_that_changed_places(tmp_path: Path) -> None:
    """Two rounds in the wrong order are refused, although each by itself is right."""
    lines = game().splitlines(keepends=True)
    lines[20], lines[21] = lines[21], lines[20]
    body = b"".join(lines[:-1])
    events = b'"events":%d,"sha256":' % (len(lines) - 1)
    seal = re.sub(rb'"events":.+', events + b'"%s"}' % sha256(body).hexdigest().encode(), lines[-1])
    assert split_log(body + seal)
    assert not taken(game(), body + seal, tmp_path)


TAKEN = {
    "the least and the most": put(rb"\[\d+,\d+", b"[-9223372036854775808,9223372036854775807"),
    "no choices": put(rb"\[.+\]", b"[]"),
    "the last seat": put(rb'"winner":\d+', b'"winner":2147483647'),
    "the last round": put(rb'"round":\d+', b'"round":9223372036854775807'),
    "no winner": put(rb',"winner":\d+', b""),
}


@pytest.mark.parametrize("what", TAKEN)
def test_what_the_strict_reader_takes(what: str, tmp_path: Path) -> None:
    """Odd lines that are right by their model are taken, each value as it is."""
    data = changed(50, lambda line: TAKEN[what](with_winner(line)))
    event = dict(reader.parse(data, tmp_path).events[50])
    assert taken(game(), data, tmp_path)
    with duckdb.connect() as connection:
        [row] = connection.execute(
            "SELECT round, choices, winner FROM read_parquet(?) WHERE log = 1 AND seq = 50",
            [str(tmp_path / "out")],
        ).fetchall()
    assert row == (event["round"], event["choices"], event.get("winner"))


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: data + b"{",
        lambda data: data[: data.rindex(b"\n", 0, -1) + 1],
        lambda data: data.replace(b'"round":7,', b'"round":8,'),
        lambda data: data.replace(b'"events":152', b'"events":153'),
        lambda data: data.replace(b"koth-log/1", b"koth-log/2"),
        lambda data: data.replace(b'"game":"smallest_unique"', b'"game":"chess"'),
        lambda data: data.split(b"\n")[1] + b"\n",
        lambda data: b"",
    ],
)
def test_what_cannot_be_cut(change: Change) -> None:
    """A log that is torn, without its seal, changed, or of something unknown is left whole."""
    data = game()
    assert split_log(data)
    assert change(data) != data
    assert split_log(change(data)) is None
