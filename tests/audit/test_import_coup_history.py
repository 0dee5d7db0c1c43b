"""Import of history files of Coup: calls and winners."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.leaderboard import leaderboard
from audit.run_rules import audit
from audit.tables import open_database
from games.coup import importer
from games.coup.transcript import of_match
from games.importing import formats
from games.importing.imported import write
from schema import reader
from tests import factories
from tests.audit.doctored_logs import patient
from tests.audit.imported_logs import bring_in, match_in, refusal
from tests.audit.together import report_on
from tests.golden.make import HERE

FORMAT = "coup-history"
NAME = "Anna_Ben_3_1.txt"
GOLDEN = sorted(path for path in (HERE / "coup-1").glob("*.jsonl") if "tournament" not in path.stem)
WORKED = {
    "I\n": "I⏎",
    "Fp\n": "F p ⏎",
    "C=\n": "C = ⏎",
    "Ep\n": "E p ⏎",
    "Eq~<\n": "E q ~ < ⏎",
    "Tq'\n": "T q '⏎",
    "A=\n": "A = ⏎",
    "Asq!'\n": "A s q ! '⏎",
    "Sq*0\n": "S q * 0 ⏎",
    "Sc\n": "S c ⏎",
    "Fdq$<\n": "F d q $ <⏎",
    "Fdq0\n": "F d q 0 ⏎",
}
"""The worked lines of the rulebook, call by call."""


def imported(tmp_path: Path, history: str) -> list[dict[str, Any]]:
    """The events of a history, without start and seal."""
    (tmp_path / NAME).write_text(history)
    log = match_in(bring_in(FORMAT, tmp_path / "new", tmp_path / NAME))
    return [dict(event) for event in log.events[1:-1]]


def answers(events: Any) -> list[tuple[int, str, str]]:
    """Seat, question and what was appended, of every answer."""
    return [(e["seat"], e["ask"], e["appended"]) for e in events if e["type"] == "answered"]


@pytest.mark.parametrize("line", WORKED)
def test_a_line_falls_into_calls(line: str, tmp_path: Path) -> None:
    """A newline belongs to the symbol before it where the same player writes both."""
    read = [reply for _, reply in importer.read_history(tmp_path / NAME, line.encode()).calls]
    assert read == [call.replace("⏎", "\n") for call in WORKED[line].split(" ")]


def test_players_are_called_in_turn(tmp_path: Path) -> None:
    """Every call is the other player's, and says what was asked."""
    assert answers(imported(tmp_path, "Fp\nSa")) == [
        (0, "turn", "F"),
        (1, "response", "p"),
        (0, "close", "\n"),
        (1, "turn", "S"),
        (0, "response", "a"),
    ]


@pytest.mark.parametrize(
    ("history", "reason", "winners"),
    [
        ("Tq'\nTq<\nTq'\n", "eliminated", [1]),
        ("C=\nI\nC=", "eliminated", [0]),
        ("Tq'\nTq<\nTq'\nTq<\n", "eliminated", [1]),
        ("I\nAq^_", "eliminated", [1]),
        ("I\nAsq_", "eliminated", [1]),
        ("Aq_\n", "unfinished", []),
        ("", "unfinished", []),
        ("I\n" * 199, "unfinished", []),
        ("I\n" * 200, "drawn", []),
    ],
)
def test_the_end_is_what_the_history_shows(
    history: str, reason: str, winners: list[int], tmp_path: Path
) -> None:
    """A player without cards is out (CP-2, CP-12); 200 calls are a draw (CP-3)."""
    end = imported(tmp_path, history)[-1]
    scores = [int(seat in winners) for seat in (0, 1)]
    assert (end["reason"], end["winners"], end["scores"]) == (reason, winners, scores)


FORFEITS: list[tuple[bytes, int, str, dict[str, str]]] = [
    (b"I\nFx\n", 0, "response", {"appended": "x\n"}),
    (b"I\nI", 1, "turn", {"appended": "I"}),
    (b"Fp\nSa\n\n", 0, "turn", {"appended": "\n"}),
    (b"Tqx", 0, "proof", {"appended": "x"}),
    (b"hello\n", 0, "turn", {"appended": "hello\n"}),
    (b"I\nF\xff\n", 0, "response", {"appended_base64": "/wo="}),
    (b"A", 0, "turn", {"appended": "A"}),
    (b"Tp\nI\nC", 0, "turn", {"appended": "C"}),
    (b"Sp\nFd\nS", 0, "turn", {"appended": "S"}),
    (b"I\nI\n" * 9 + b"I\n", 0, "turn", {"appended": "I\n"}),
]
"""Histories that end in an illegal answer: its seat, its question, and what it appended."""


def test_an_illegal_answer_at_the_end_is_a_forfeit(tmp_path: Path) -> None:
    """An illegal answer at the end is a fault of the caller, and the other player wins."""
    files = [tmp_path / f"Anna_Ben_3_{number}.txt" for number in range(len(FORFEITS))]
    for file, (history, *_) in zip(files, FORFEITS, strict=True):
        file.write_bytes(history)
    (tmp_path / "Ben_Cleo_3_9.txt").write_text("I\n")
    folder = bring_in(FORMAT, tmp_path / "new", *files, tmp_path / "Ben_Cleo_3_9.txt")
    for number, (_, seat, ask, wrote) in enumerate(FORFEITS):
        [*_, fault, end, _] = match_in(folder, f"1-{number:06}").events
        expected = {"type": "fault", "seat": seat, "kind": "illegal", "clause": "CP-17", "ask": ask}
        assert expected.items() | wrote.items() <= dict(fault).items()
        assert (end["reason"], end["winners"]) == ("forfeit", [1 - seat])
    assert match_in(folder, f"1-{len(FORFEITS):06}").events[-2]["reason"] == "unfinished"
    report = report_on(folder)
    assert (report.findings, report.unread) == ([], [])


def test_a_match_that_breaks_off_counts_for_nobody(tmp_path: Path) -> None:
    """In a leaderboard, a history without an end is no game, and nobody's loss."""
    for number, history in enumerate(("Fx", "I\n", "")):
        (tmp_path / f"A_B_0_{number}.txt").write_text(history)
    folder = bring_in(FORMAT, tmp_path / "new", *sorted(tmp_path.glob("*.txt")))
    with open_database([folder], current_only=True) as database:
        rows = leaderboard(database, "coup").rows
    names_games_wins_losses = [(row[1], row[2], row[4], row[6]) for row in rows]
    assert names_games_wins_losses == [("A", 1, 1, 0), ("B", 1, 0, 1)]


def test_an_illegal_answer_is_said(tmp_path: Path) -> None:
    """The import names a history that ends so, and counts the others."""
    for number, history in enumerate(("Fx", "I\n", "q")):
        (tmp_path / f"A_B_0_{number}.txt").write_text(history)
    found = importer.read(sorted(tmp_path.iterdir()))
    assert found.summary == "3 matches of Coup for two"
    assert found.note is not None
    assert found.note.startswith(f"{tmp_path}/A_B_0_0.txt and 1 more: ends in an illegal answer")
    one = importer.read([tmp_path / "A_B_0_1.txt"])
    assert (one.summary, one.note) == ("1 match of Coup for two", None)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_an_export_comes_back(path: Path, tmp_path: Path) -> None:
    """Export and import keep every accepted answer, and the winner unless a bot failed."""
    log = reader.read(path)
    events = imported(tmp_path, of_match(log))
    assert answers(events) == answers(log.events)
    end: Any = log.events[-2]
    if end["reason"] != "forfeit":
        assert events[-1] == end


def test_any_match_comes_back_and_breaks_no_rule(tmp_path: Path) -> None:
    """Fifty matches at random: answers, result and coins come back; the audit finds nothing."""
    files = []
    for number in range(50):
        seed = f"{number:064x}"
        events = factories.match_events(patient(random.Random(number)), seed)
        events[0]["match"] = f"1-{number:06}"
        log = reader.read(factories.write(tmp_path / "played" / f"{number}.jsonl", events, seed))
        files.append(tmp_path / f"A_B_0_{number}.txt")
        files[-1].write_text(of_match(log))
        back = importer.read([files[-1]]).matches["1-000000"]
        assert answers(back) == answers(log.events)
        assert back[-1] == log.events[-2]
    folder = bring_in(FORMAT, tmp_path / "new", *files)
    with open_database([tmp_path / "played", folder], current_only=True) as database:
        report = audit(database)
        coins = database.execute(
            "SELECT match, call, list_distinct(list(own)), list_distinct(list(other)), count(*) "
            "FROM coup_calls GROUP BY match, call"
        ).fetchall()
    assert (report.logs, report.findings) == (100, [])
    assert all(len(own) == len(other) == 1 and n == 2 for _, _, own, other, n in coins)


def test_several_histories_are_as_many_matches(tmp_path: Path) -> None:
    """Files become matches in their order, players out of their names."""
    files = [tmp_path / "A_B_0_0.txt", tmp_path / "B_C_0_1.txt"]
    for file in files:
        file.write_text("I\n")
    folder = bring_in(FORMAT, tmp_path / "new", *files)
    logs = [match_in(folder, match) for match in ("1-000000", "1-000001")]
    assert [[p["name"] for p in log.start["players"]] for log in logs] == [["A", "B"], ["B", "C"]]
    assert logs[0].start["tournament"] == logs[1].start["tournament"]
    assert not (folder / "tournament.jsonl").exists()


BROKEN = {
    "Tq'\nTq<\nTq'\nI\n": "play_after_elimination",
    "Tq'\nTq<\nTq'\nTq<\n": "play_after_elimination",
    "C=": "coup_without_seven_coins",
    "Aq": "assassination_without_three_coins",
    "Sp\nFd\nSc": "steal_from_the_penniless",
    "Tp\n" * 8: "forced_coup_avoided",
    "Ep\n" * 67: "played_past_the_last_call",
}
"""Histories that break the rules, and the rule of the audit that finds it."""


def test_a_history_that_breaks_the_rules_is_found(tmp_path: Path) -> None:
    """The audit checks the end of a history, and the coins that follow from it."""
    files = [tmp_path / f"Anna_Ben_3_{number}.txt" for number in range(len(BROKEN))]
    for file, history in zip(files, BROKEN, strict=True):
        file.write_text(history)
    report = report_on(bring_in(FORMAT, tmp_path / "new", *files))
    violations = {(finding.match, finding.rule.id) for finding in report.findings}
    expected = enumerate(BROKEN.values())
    assert violations == {(f"1-{number:06}", f"coup/{rule}") for number, rule in expected}


def test_a_result_that_the_history_does_not_show_is_found(tmp_path: Path) -> None:
    """An imported match that says more than its history is found."""
    (tmp_path / NAME).write_text("I\n")
    found = formats.read(FORMAT, [tmp_path / NAME])
    events = found.matches["1-000000"]
    forged = [*events[:-1], {**events[-1], "reason": "agreed"}]
    write(replace(found, matches={"1-000000": forged}), tmp_path / "new")
    report = report_on(tmp_path / "new")
    assert {finding.rule.id for finding in report.findings} == {"coup/broken_off"}


@pytest.mark.parametrize(
    ("history", "told"),
    [
        (
            "hello\nyou\n",
            r""":1: expected 'I\n' or 'F' or 'E' or 'T' or 'A' or 'C' or 'S' after '', """,
        ),
        ("I\nFx\nI\n", r":2: expected 'd' or 'p' after 'F', found 'x\n'."),
        ("I\nFdp\n\n", ":2: expected 'q' or '\\n' after 'Fd', found 'p\\n'."),
        ("Tq'\nTq<\nTq'\nX", ":4: expected 'I\\n' or"),
        ("I\r\n", ":1: expected lines that end in LF, found a carriage return."),
        (
            "Tq~\nI\n",
            ":1: expected '$' or '_\\n' or \"'\\n\" or '<\\n' or '=\\n' or '0\\n' after 'Tq'",
        ),
        (b"I\nF\xff\nI\n", ":2: expected UTF-8, found byte 0xff."),
    ],
)
def test_a_call_that_cannot_be_is_refused(history: str | bytes, told: str, tmp_path: Path) -> None:
    """The message names the line and the calls that CP-5 allows next."""
    assert refusal(FORMAT, tmp_path, history, NAME).startswith(told)


@pytest.mark.parametrize("name", ["game.txt", "A_B_C_1_1.txt", "A_A_1_1.txt", "A_B_1.txt"])
def test_a_name_without_two_players_is_refused(name: str, tmp_path: Path) -> None:
    """The name of a history must name exactly two different players, in one way."""
    told = refusal(FORMAT, tmp_path, "I\n", name)
    assert told.startswith(": expected a file called PLAYER_OTHER_ROUND_GAME.txt")
