"""Reports as text, JSON and JUnit XML."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from audit import render
from audit.run_rules import Report
from games.table import Fault
from tests import factories
from tests.audit.doctored_logs import failing, turn
from tests.audit.together import report_on


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log that has a file with an ESC in it, and with one file that is no log."""
    folder = tmp_path_factory.mktemp("logs")
    log = failing(Fault("tampered", {"output": b"", "file": b"F"}))
    history = "".join(e["appended"] for e in log.events if e["type"] == "answered")
    log.first("fault")["file"] = history + "\x00\x1b[2J"
    factories.write(folder / "log.jsonl", log.events, log.seed)
    (folder / "torn.jsonl").write_bytes(b"")
    return folder


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    """One finding, and one file that was not read."""
    return report_on(folder)


def test_text(report: Report, folder: Path) -> None:
    """A finding says where, which rule, what was expected and found; a summary ends it."""
    text = render.as_text(report)
    [finding] = report.findings
    assert finding.seq is not None
    assert text.startswith(
        f"{folder}/log.jsonl:{finding.seq + 1}: coup/appending_called_tampering (CP-17, error)\n"
        "  A bot was faulted for tampering with the file although it only appended to it.\n"
        "  match     1-000000\n"
        "  expected  a file that does not begin with "
    )
    assert f"{folder}/torn.jsonl: not read, incomplete: line 1: " in text
    assert "\x1b" not in text
    rules = len(report.rules)
    assert text.endswith(f"\n1 finding in 1 log by {rules} rules; 1 file not read\n")


def test_many_findings(report: Report) -> None:
    """More than ten findings are counted by rule above the summary, most first."""
    [finding] = report.findings
    other = next(rule for rule in report.rules if rule != finding.rule)
    findings = [*[replace(finding, rule=other)] * 2, *[finding] * 10]
    *_, first, second, last = render.as_text(replace(report, findings=findings)).splitlines()
    assert [first, second] == [f"10 × {finding.rule.id}", f" 2 × {other.id}"]
    assert last.startswith("12 findings in 1 log by ")


def test_a_clean_report(tmp_path: Path) -> None:
    """Without findings there is the summary alone."""
    log = turn("I\n")
    factories.write(tmp_path / "log.jsonl", log.events, log.seed)
    report = report_on(tmp_path)
    assert render.as_text(report) == f"no findings in 1 log by {len(report.rules)} rules\n"


def test_json(report: Report, folder: Path) -> None:
    """JSON carries its version, and the same findings and unread files."""
    found = json.loads(render.as_json(report))
    assert found["format"] == "koth-audit/1"
    [finding] = found["findings"]
    assert finding["rule"] == "coup/appending_called_tampering"
    assert finding["clause"] == "CP-17"
    assert finding["path"] == str(folder / "log.jsonl")
    assert finding["rule"] in found["rules"]
    assert [unread["verdict"] for unread in found["unread"]] == ["incomplete"]


def test_junit(report: Report) -> None:
    """JUnit has one test case per rule and unread file, and is well-formed for any bot's output."""
    suite = ElementTree.fromstring(render.as_junit(report))
    assert suite.get("tests") == str(len(report.rules) + 1)
    assert (suite.get("failures"), suite.get("errors")) == ("1", "1")
    failed = [case for case in suite if case.find("failure") is not None]
    assert [case.get("name") for case in failed] == ["appending_called_tampering"]
    assert len(suite) == len(report.rules) + 1
