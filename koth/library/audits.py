"""Check the rules again in SQL: ``koth.audit``."""

from __future__ import annotations

from dataclasses import dataclass

from audit import render, run_rules
from audit.rule import find
from audit.run_rules import Report
from audit.tables import open_database
from koth.library import html
from koth.library.paths import AnyPaths, as_int, as_paths, instance, raises_koth_errors
from koth.workers import workers
from schema.executor import Mapper


@dataclass(frozen=True)
class Audit(Report):
    """The result of an audit; ``str()`` is the text that ``koth audit`` prints."""

    @property
    def json(self) -> str:
        """The result as ``koth-audit/1``."""
        return render.as_json(self)

    def __str__(self) -> str:
        return render.as_text(self)

    def _repr_html_(self) -> str:
        rows = [
            (
                html.strong(finding.rule.id),
                html.text(finding.rule.clause),
                html.text(
                    finding.path + (f":{finding.seq + 1}" if finding.seq is not None else "")
                ),
                html.text(finding.expected),
                html.text(finding.found),
            )
            for finding in self.findings[: html.SHOWN]
        ]
        unread = [(html.text(file.path), html.text(file.reason)) for file in self.unread]
        columns = ("rule", "clause", "log", "expected", "found")
        return html.block(
            html.strong(render.summary(self)),
            html.table(columns, rows) if rows else "",
            html.omitted(len(self.findings)),
            html.table(("not read", "reason"), unread[: html.SHOWN]) if unread else "",
            html.omitted(len(unread)),
            fine=self.clean,
        )


@raises_koth_errors
def audit(paths: AnyPaths, *, rule: str | None = None, jobs: int = 1) -> Audit:
    """Check the rules again in SQL, independently of the referee.

    ``paths`` is a log, a folder, a bundle, an archive, or several of them. ``rule`` selects one
    rule, such as ``coup/steal_from_the_penniless``. ``jobs`` is the number of processes; more than
    one needs a guard ``if __name__ == "__main__"`` in a script. Raises KothError if there is no
    log, and for an unknown rule.
    """
    number = as_int(jobs, "jobs")
    if rule is not None:
        find(instance(rule, str, "rule", "a str"))  # before the logs are read
    with workers(number) as mapper:
        return audited(paths, rule, mapper)


def audited(paths: AnyPaths, rule: str | None, mapper: Mapper) -> Audit:
    """Audit the logs at ``paths``, read by ``mapper``. Raises the errors of :func:`audit`."""
    with open_database(as_paths(paths), current_only=True, mapper=mapper) as database:
        return Audit(**vars(run_rules.audit(database, rule)))
