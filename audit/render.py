"""Render the report of an audit: as text, as JSON, and as JUnit XML for CI."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from xml.etree import ElementTree

from audit.result_format import plain
from audit.run_rules import Finding, Report, by_rule
from schema.log_path import printable

FORMAT = "koth-audit/1"

FEW = 10
"""Number of findings that a reader counts without help."""

_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_text(report: Report) -> str:
    """Return the findings and unread files, one paragraph each, and a summary line.

    Above it, more than ``FEW`` findings are counted by rule.
    """
    parts = [_finding_text(finding) for finding in report.findings]
    parts += [
        f"{printable(unread.path)}: not read, {unread.verdict}: {printable(unread.reason)}\n"
        for unread in report.unread
    ]
    return "".join([*parts, *_totals(report.findings), summary(report), "\n"])


def summary(report: Report) -> str:
    """Return the result in one line."""
    findings = _count(len(report.findings), "finding") if report.findings else "no findings"
    text = f"{findings} in {_count(report.logs, 'log')} by {_count(len(report.rules), 'rule')}"
    return f"{text}; {_count(len(report.unread), 'file')} not read" if report.unread else text


def as_json(report: Report) -> str:
    """Return ``{"format":"koth-audit/1", …}``."""
    value = {
        "format": FORMAT,
        "logs": report.logs,
        "rules": [rule.id for rule in report.rules],
        "findings": [finding_json(finding) for finding in report.findings],
        "unread": [*map(asdict, report.unread)],
    }
    return json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n"


def as_junit(report: Report) -> str:
    """Return JUnit XML: one test case per rule, failed if violated, and one per unread file."""
    broken = by_rule(report.findings)
    suite = ElementTree.Element(
        "testsuite",
        name="koth audit",
        tests=str(len(report.rules) + len(report.unread)),
        failures=str(len(broken)),
        errors=str(len(report.unread)),
    )
    for rule in report.rules:
        game, _, name = rule.id.partition("/")
        case = ElementTree.SubElement(suite, "testcase", classname=game, name=name)
        if findings := broken.get(rule.id):
            message = f"{rule.clause}: {rule.sentence} ({_count(len(findings), 'finding')})"
            failure = ElementTree.SubElement(case, "failure", type=rule.clause, message=message)
            failure.text = _xml("".join(map(_finding_text, findings)))
    for unread in report.unread:
        case = ElementTree.SubElement(suite, "testcase", classname="unread", name=_xml(unread.path))
        ElementTree.SubElement(case, "error", type=unread.verdict, message=_xml(unread.reason))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _totals(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield a line with the number of findings for each rule that has some, most first."""
    if len(findings) > FEW:
        rules = sorted(by_rule(findings).values(), key=len, reverse=True)
        for found in rules:
            yield f"{len(found):{len(str(len(rules[0])))}} × {found[0].rule.id}\n"


def _finding_text(finding: Finding) -> str:
    where = printable(finding.path)
    if finding.seq is not None:
        where += f":{finding.seq + 1}"
    rule = finding.rule
    lines = [
        f"{where}: {rule.id} ({rule.clause}, {rule.severity})",
        f"  {rule.sentence}",
        f"  match     {finding.match}" if finding.match else "",
        f"  expected  {printable(finding.expected)}",
        f"  found     {printable(finding.found)}",
        *(f"  {name:<8}  {printable(str(value))}" for name, value in _extra(finding).items()),
    ]
    return "".join(f"{line}\n" for line in lines if line)


def _extra(finding: Finding) -> dict[str, object]:
    """Return the further columns for text, with the player's name instead of the seat."""
    shown = dict(finding.extra)
    if finding.player is not None:
        del shown["seat"]
        if not finding.expected.startswith(finding.player):
            shown["player"] = finding.player
    return shown


def finding_json(finding: Finding) -> dict[str, object]:
    """Return a finding as it is in the JSON report."""
    rule = finding.rule
    return {
        "path": finding.path,
        "rule": rule.id,
        "clause": rule.clause,
        "severity": rule.severity,
        "sentence": rule.sentence,
        "match": finding.match,
        "seq": finding.seq,
        "expected": finding.expected,
        "found": finding.found,
        **({} if finding.player is None else {"player": finding.player}),
        **({"extra": plain(finding.extra)} if finding.extra else {}),
    }


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _xml(text: str) -> str:
    """Return ``text`` with escapes for the characters that XML cannot hold."""
    return _NOT_XML.sub(lambda match: printable(match[0]), text)
