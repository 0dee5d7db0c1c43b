"""Run the rules of all games in a database and collect the violations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from audit import package_sql, views
from audit.errors import AuditError
from audit.rule import COMMON, Rule, find, rules
from audit.tables import Database
from schema import registry
from schema.errors import NothingToDo

COLUMNS = ("log", "match", "seq", "expected", "found")
"""Columns that every rule returns; further columns are passed on."""

END = 2**63
"""The first integer that no log can hold."""

SEAT = re.compile(r'"(?:[^"\\]|\\.)*"|\bseat (\d{1,9})\b')
"""The name of a seat in a rule's texts, which a finding replaces with the player's name, or a text
in quotes, which remains: a bot may have printed it."""

Names = Mapping[int, Mapping[int, str]]
"""Names of players, by log and seat."""


@dataclass(frozen=True)
class Finding:
    """One violation of a rule."""

    rule: Rule
    path: str
    """The path of the log."""
    match: str | None
    seq: int | None
    """The event, in line ``seq + 1`` of the log; None if the violation is not about one event."""
    expected: str
    found: str
    extra: dict[str, object] = field(default_factory=dict)
    """Further columns of the rule."""
    player: str | None = None
    """The name of the player in the extra column ``seat``, if the rule returns one."""


@dataclass(frozen=True)
class Unread:
    """A file that could not be audited, and the reason."""

    path: str
    verdict: str
    reason: str


@dataclass(frozen=True)
class Report:
    """The result of an audit."""

    logs: int
    """Number of logs that were audited."""
    rules: Sequence[Rule]
    """The rules, also those without a log of the kind that they need."""
    findings: Sequence[Finding]
    """Violations, ordered by rule, log and event."""
    unread: Sequence[Unread]

    @property
    def clean(self) -> bool:
        """Whether every file was read and no rule is violated."""
        return not self.findings and not self.unread


def by_rule(findings: Iterable[Finding]) -> Mapping[str, Sequence[Finding]]:
    """Return the findings of each rule that has some, by the rule's id."""
    rules: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        rules[finding.rule.id].append(finding)
    return rules


def audit(database: Database, rule: str | None = None) -> Report:
    """Run all rules, or the one called ``rule``, on a database opened with ``current_only``.

    Raises UsageError for an unknown rule, NothingToDo for a rule of a game without a log, and
    AuditError for a rule that does not run.
    """
    chosen = _chosen(database, rule)
    logs = database.rows("SELECT log, path, kind FROM logs")
    paths: dict[int, str] = {log: path for log, path, _ in logs}
    kinds = {kind for _, _, kind in logs}
    # The others find nothing, and to plan each takes DuckDB milliseconds.
    running = [rule_ for rule_ in chosen if rule_.kind is None or rule_.kind in kinds]
    words = "\n".join(rule_.sql for rule_ in running)
    for game in database.games:
        views.compute(database, registry.card(game), words, database.parts)
    violations = [(rule_, row) for rule_ in running for row in _violations(database, rule_, paths)]
    names = _names(database, {row["log"] for _, row in violations})
    findings = [_finding(rule_, row, paths, names) for rule_, row in violations]
    unread = database.rows("SELECT path, verdict, reason FROM unread")
    return Report(database.logs, chosen, findings, [Unread(*row) for row in unread])


def _chosen(database: Database, name: str | None) -> list[Rule]:
    if name is None:
        return [rule for game in (COMMON, *database.games) for rule in rules(game)]
    rule = find(name)
    game = rule.id.partition("/")[0]
    if database.logs and game not in (COMMON, *database.games):
        raise NothingToDo(f"{rule.id}: there is no log of {game} here.")
    return [rule] if database.logs else []


def _names(database: Database, logs: Iterable[int]) -> Names:
    names: dict[int, dict[int, str]] = {log: {} for log in logs}
    for log, seat, name in database.rows(
        "SELECT log, seat, name FROM players WHERE log IN (SELECT unnest(?::BIGINT[]))",
        [list(names)],
    ):
        names[log][seat] = name
    return names


def _violations(database: Database, rule: Rule, logs: Mapping[int, str]) -> list[dict[str, Any]]:
    names, values = package_sql.run(database, rule.path, rule.sql, "rule")
    rows = [dict(zip(names, row, strict=True)) for row in values]
    if missing := [name for name in COLUMNS if name not in names]:
        found = ", ".join(names) or "none"
        raise AuditError(f"{rule.path}: expected the column '{missing[0]}', found {found:.200}")
    for row in rows:
        log, seq = row["log"], row["seq"]
        if type(log) is not int or log not in logs:
            expected = "expected the number of a log in the column 'log'"
            raise AuditError(f"{rule.path}: {expected}, found {log!r:.80}")
        if seq is not None and (type(seq) is not int or not 0 <= seq < END):
            expected = "expected the number of an event, or NULL, in the column 'seq'"
            raise AuditError(f"{rule.path}: {expected}, found {seq!r:.80}")
    return sorted(rows, key=_order)


def _order(row: Mapping[str, Any]) -> tuple[int, int, str]:
    """Return the sort key of a violation: DuckDB's own order of rows changes from run to run."""
    return row["log"], -1 if row["seq"] is None else row["seq"], str([*row.values()])


def _without_large(value: object) -> object:
    """Return ``value`` with those integers as text that JSON of a page cannot hold: large sums."""
    match value:
        case int() if not -END <= value < END:
            return str(value)
        case list():
            return [*map(_without_large, value)]
        case dict():
            return {name: _without_large(part) for name, part in value.items()}
    return value


def _finding(rule: Rule, row: dict[str, Any], paths: dict[int, str], names: Names) -> Finding:
    players, seat = names[row["log"]], row.get("seat")

    def named(text: object) -> str:
        words = "nothing" if text is None else str(text)
        return SEAT.sub(lambda at: players.get(int(at[1] or -1), at[0]), words)

    return Finding(
        rule=rule,
        path=paths[row["log"]],
        match=row["match"],
        seq=row["seq"],
        expected=named(row["expected"]),
        found=named(row["found"]),
        extra={name: _without_large(value) for name, value in row.items() if name not in COLUMNS},
        player=players.get(seat) if isinstance(seat, int) else None,
    )
