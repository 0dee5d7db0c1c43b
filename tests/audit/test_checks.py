"""The audit as a whole: what it runs, what it reports, and what it never loads."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit import render, rule
from audit.errors import AuditError
from audit.run_rules import Report, audit
from audit.tables import Database, open_database
from games.table import Fault
from schema.errors import NothingToDo
from tests import factories
from tests.audit import bank_heists, coin_games, unique_games
from tests.audit.contest import contest
from tests.audit.doctored_logs import failing, patient, turn
from tests.audit.imported_logs import COINS, COUP, SMALLEST_UNIQUE, bring_in
from tests.audit.together import Log, report_on
from tests.factories import answer
from tests.golden.make import HERE
from tests.sampling import LONG_RUN

HEAD = "-- clause: X-1\n-- severity: warning\n-- Something is wrong.\n"


def test_random_matches_break_no_rule(tmp_path: Path) -> None:
    """200 matches of players that do anything legal are audited without a finding."""
    for number in range(200):
        rng, seed = random.Random(number), f"{number + 1000:064x}"
        player = (patient, factories.at_random)[number % 2](rng)
        factories.write(tmp_path / f"{number}.jsonl", factories.match_events(player, seed), seed)
    report = report_on(tmp_path)
    assert report.logs == 200
    assert report.clean


def test_golden_logs_break_no_rule_beside_those_of_other_games() -> None:
    """No rule accuses the golden logs, audited together, save one that no referee writes."""
    report = report_on(HERE)
    assert {Path(finding.path).stem for finding in report.findings} == {
        "forfeit_by_tampered_history"  # its file is the history with an addition
    }
    assert not report.unread


REPLIES = ("I\n", *"FETACSdpqacs\n~^*!$_'<=0", "_\n", "<\n", "", "X")


def at_odds(rng: random.Random) -> factories.Player:
    """A player of Coup that at times fails, or replies what the line or its cards do not allow."""
    sound = patient(rng)

    def play(ask: Any) -> Any:
        if rng.random() < 0.9:
            return sound(ask)
        text = rng.choice(REPLIES)
        crash = Fault("crash", {"output": b"~", "appended": text.encode()})
        oversize = Fault("oversize", {"output": b"~" * 65_537, "appended": text.encode()})
        return rng.choice([factories.answer(text), crash, oversize, Fault("timeout")])

    return play


def test_random_forfeits_break_no_rule(tmp_path: Path) -> None:
    """300 matches with forfeits for any fault and any illegal reply are audited with no finding."""
    for number in range(300):
        seed = f"{number:064x}"
        events = factories.match_events(at_odds(random.Random(number)), seed)
        factories.write(tmp_path / f"{number}.jsonl", events, seed)
    report = report_on(tmp_path)
    assert (report.logs, report.findings) == (300, [])


def test_a_rule_finds_nothing_in_logs_of_another_game(tmp_path: Path) -> None:
    """Sound tournaments, tables and faults of all games, audited together, break no rule of any."""
    logs: list[Log] = [
        contest(),
        contest(mirrored=1),
        failing(Fault("timeout")),
        failing(answer("X")),
        coin_games.tournament(),
        coin_games.still(),
        unique_games.tournament(),
        bank_heists.series(),
    ]
    for number, log in enumerate(logs):
        log.write(tmp_path / f"{number}")
    for number, table in enumerate((COUP, COINS, SMALLEST_UNIQUE)):
        (tmp_path / f"{number}.txt").write_text(table)
        bring_in("results", tmp_path / f"table{number}", tmp_path / f"{number}.txt")
    assert report_on(tmp_path).clean


def test_unread_logs_do_not_spoil_the_rest(tmp_path: Path) -> None:
    """Corrupt, unsupported and incomplete files are reported, and the others audited."""
    log = turn("I\n")
    data = log.sealed()
    log.turn[0]["seat"] = 1 - log.turn[0]["seat"]
    (tmp_path / "wrong.jsonl").write_bytes(log.sealed())
    (tmp_path / "torn.jsonl").write_bytes(data[:-20])
    (tmp_path / "changed.jsonl").write_bytes(data.replace(b'"tax"', b'"tux"', 1) + b"\n")
    (tmp_path / "empty.jsonl").write_bytes(b"")
    log.events[0]["format"] = "koth-log/9"
    (tmp_path / "newer.jsonl").write_bytes(log.sealed())
    log.events[0].update(format="koth-log/1", rules="coup/3")
    (tmp_path / "rules.jsonl").write_bytes(log.sealed())
    report = report_on(tmp_path)
    assert [finding.rule.id for finding in report.findings] == ["coup/called_out_of_turn"]
    assert {Path(unread.path).name: unread.verdict for unread in report.unread} == {
        "changed.jsonl": "corrupt",
        "empty.jsonl": "incomplete",
        "newer.jsonl": "unsupported",
        "rules.jsonl": "unsupported",
        "torn.jsonl": "incomplete",
    }


def test_a_folder_of_unread_logs_is_no_success(tmp_path: Path) -> None:
    """When no file can be read, the report is not clean, whether of all rules or of one."""
    (tmp_path / "empty.jsonl").write_bytes(b"")
    assert not report_on(tmp_path).clean
    with open_database([tmp_path], current_only=True) as database:
        report = audit(database, "coup/called_out_of_turn")
    assert (report.rules, len(report.unread), report.clean) == ([], 1, False)


def test_an_audit_loads_no_rules(tmp_path: Path) -> None:
    """A process that audits a log has loaded none of the games' rules: its verdict is its own."""
    coin_games.tournament().write(tmp_path)
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from audit.run_rules import audit\n"
        "from audit.tables import open_database\n"
        "with open_database([Path(sys.argv[1])], current_only=True) as database:\n"
        "    assert audit(database).clean\n"
        "print(sorted(m for m in sys.modules if m.startswith(('games.', 'referee', 'replay'))))\n"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    found = subprocess.run(run, capture_output=True, text=True, check=True)
    assert found.stdout == "['games.coins', 'games.coins.events']\n"


def test_one_rule_alone(tmp_path: Path) -> None:
    """With the name of a rule only that rule runs, and its findings alone keep a report unclean."""
    log = turn("I\n")
    factories.write(tmp_path / "log.jsonl", log.events, log.seed)
    with open_database([tmp_path], current_only=True) as database:
        report = audit(database, "coup/called_out_of_turn")
    assert [rule.id for rule in report.rules] == ["coup/called_out_of_turn"]
    assert report.clean
    log.turn[0]["seat"] = 1 - log.turn[0]["seat"]
    factories.write(tmp_path / "log.jsonl", log.events, log.seed)
    with open_database([tmp_path], current_only=True) as database:
        report = audit(database, "coup/called_out_of_turn")
    assert (len(report.findings), report.unread, report.clean) == (1, [], False)


@pytest.fixture(scope="module")
def two_logs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Two logs of one match of Coup, a and b, without the rules of the game."""
    folder, match = tmp_path_factory.mktemp("two"), turn("I\n")
    for log in "ab":
        factories.write(folder / f"{log}.jsonl", match.events, match.seed)
    with open_database([folder], current_only=True) as database:
        yield replace(database, games=())


Audit = Callable[[str, str], Report]


def test_a_rule_of_a_game_that_is_not_here(two_logs: Database) -> None:
    """Asking for a rule of a game without a log is nothing to do, not a success."""
    with pytest.raises(NothingToDo, match="no log of coup"):
        audit(two_logs, "coup/called_out_of_turn")


@pytest.fixture
def audit_by(two_logs: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Audit:
    """Return the audit of the two logs by one rule alone, given by its name and its SQL."""
    monkeypatch.setattr(rule, "COMMON_RULES", tmp_path)

    def report(name: str, sql: str) -> Report:
        (tmp_path / f"{name}.sql").write_text(HEAD + sql)
        return audit(two_logs)

    return report


ROW = "FROM (SELECT 0 AS log, 'm' AS match, 0 AS seq, '' AS expected, '' AS found) SELECT *"
WRONG_LOGS = ("NULL", "7", "'0'", "0.0", "true")[: None if LONG_RUN else 2]
WRONG_SEQS = ("'0'", "0.0", "true")[: None if LONG_RUN else 1]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT nonsense", "does not run"),
        ("SELECT 1 AS log, 2 AS seq", "expected the column 'match', found log, seq"),
        *((f"{ROW} REPLACE ({log} AS log)", "number of a log.*found ") for log in WRONG_LOGS),
        *((f"{ROW} REPLACE ({seq} AS seq)", "number of an event.*found ") for seq in WRONG_SEQS),
    ],
)
def test_a_broken_rule_is_named(audit_by: Audit, sql: str, message: str) -> None:
    """A rule that does not run, or lacks a column, is an error that names its file."""
    with pytest.raises(AuditError, match=rf"broken\.sql: .*{message}"):
        audit_by("broken", sql)


def test_findings_are_in_the_order_of_the_events(audit_by: Audit) -> None:
    """A finding about a whole log comes before those about its events."""
    sql = (
        "SELECT log, '' AS match, seq, [{a: NULL}] AS expected, '' AS found "
        "FROM logs, (VALUES (7), (NULL), (0), (2)) AS events(seq) ORDER BY log DESC;"
    )
    findings = audit_by("mixed", sql).findings
    order = [(Path(found.path).stem, found.seq) for found in findings]
    assert order == [(name, seq) for name in ("a", "b") for seq in (None, 0, 2, 7)]


@pytest.mark.parametrize("order", ["DESC", "ASC"])
def test_findings_about_one_event_have_an_order(order: str, audit_by: Audit) -> None:
    """It does not depend on the order of DuckDB's rows, which changes from run to run."""
    sql = (
        "SELECT log, '' AS match, 3 AS seq, 'seat ' || seat AS expected, '' AS found "
        f"FROM players ORDER BY seat {order};"
    )
    findings = audit_by("seats", sql).findings
    names = [player["name"] for player in turn("I\n").events[0]["players"]]
    assert [finding.expected for finding in findings] == names * 2


def test_a_finding_names_the_player(audit_by: Audit) -> None:
    """Text, JSON and JUnit say the player's name where a rule says the seat, but not in quotes."""
    sql = (
        "SELECT log, match, 0 AS seq, 'seat 1: 2 coins' AS expected, "
        "'seat 1: 3, seat 7: 4, unseat 1, ' || shown('seat 1\"seat 1') || repeat(', seat 9', 2) "
        "|| repeat('9', 5000) AS found, 1 AS seat FROM logs LIMIT 1;"
    )
    report = audit_by("wordy", sql)
    [finding] = report.findings
    [_, name] = [player["name"] for player in turn("I\n").events[0]["players"]]
    assert finding.expected == f"{name}: 2 coins"
    unnamed = r'seat 7: 4, unseat 1, "seat 1\"seat 1", seat 9, seat 9' + "9" * 5000
    assert finding.found == f"{name}: 3, {unnamed}"
    assert (finding.player, finding.extra) == (name, {"seat": 1})
    assert "  seat" not in render.as_text(report)
    [found] = json.loads(render.as_json(report))["findings"]
    assert (found["player"], found["extra"]) == (name, {"seat": 1})
    assert f"expected  {name}: 2 coins" in render.as_junit(report)


def test_further_columns_are_kept(audit_by: Audit) -> None:
    """Columns of a rule beyond the first five are in the finding's ``extra``."""
    sql = "SELECT log, match, 0 AS seq, 'a' AS expected, 'b' AS found, 7 AS round FROM logs;"
    finding, _ = audit_by("wordy", sql).findings
    assert (finding.extra, finding.player) == ({"round": 7}, None)
    assert (finding.rule.clause, finding.rule.severity) == ("X-1", "warning")


def test_further_columns_of_any_type(audit_by: Audit) -> None:
    """Every report can be made, and its JSON has the values that ``koth sql`` gives."""
    sql = (
        "SELECT log, match, seq, 'a' AS expected, 'b' AS found, 'nan'::DOUBLE AS x, "
        "'\\xFF'::BLOB AS bytes, MAP {DATE '2026-01-31': 1.5} AS map FROM events LIMIT 1;"
    )
    report = audit_by("odd", sql)
    [finding] = json.loads(render.as_json(report))["findings"]
    assert finding["extra"] == {"x": None, "bytes": "ff", "map": {"2026-01-31": "1.5"}}
    assert render.as_text(report)
    assert render.as_junit(report)
