"""One audit of all the logs that the tests of a game's rules change: one by one would take long."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, TypeVar

from audit.run_rules import Report, audit
from audit.tables import open_database


def report_on(*paths: Path) -> Report:
    """The audit of the logs at ``paths``."""
    with open_database(paths, current_only=True) as database:
        return audit(database)


class Log(Protocol):
    """One log or several."""

    def write(self, folder: Path) -> None:
        """The sealed logs in a new folder."""
        ...


Change = Callable[[], Log]
C = TypeVar("C", bound=Change)


class Together:
    """Changed logs and clean ones, audited when the first test asks."""

    def __init__(self) -> None:
        self.clean: list[Log] = []
        """Logs in which no rule may find anything."""
        self._changes: list[Change] = []
        self._found: dict[Change, set[str]] = {}

    def doctored(self, change: C) -> C:
        """Have what ``change`` returns audited together with all others."""
        self._changes.append(change)
        return change

    def fired(self, change: Change) -> set[str]:
        """The ids of the rules that find something in a changed log, and nothing in clean ones."""
        if change not in self._found:
            self._audit()
        return self._found[change]

    def _audit(self) -> None:
        with TemporaryDirectory() as folder:
            place = Path(folder)
            for n, change in enumerate(self._changes):
                change().write(place / f"{n}")
            for n, log in enumerate(self.clean):
                log.write(place / f"clean{n}")
            report = report_on(place)
        assert not report.unread
        found: dict[str, set[str]] = {}
        for finding in report.findings:
            where = Path(finding.path).relative_to(place).parts[0]
            found.setdefault(where, set()).add(finding.rule.id)
        assert not {where: ids for where, ids in found.items() if where.startswith("clean")}
        self._found = {change: found.get(f"{n}", set()) for n, change in enumerate(self._changes)}
