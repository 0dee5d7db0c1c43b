"""One audit of all the logs that the tests of rules change: one by one would take long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeVar

from audit.run_rules import Finding, Report, audit
from audit.tables import open_database
from tests import factories
from tests.factories import Events


def report_on(*paths: Path, games: bool = True) -> Report:
    """The audit of the logs at ``paths``, with the rules of their games or without."""
    with open_database(paths, current_only=True) as database:
        return audit(database if games else replace(database, games=()))


def findings_of(rule: str, *paths: Path) -> Sequence[Finding]:
    """The findings of one rule in the logs at ``paths``."""
    with open_database(paths, current_only=True) as database:
        return audit(database, rule).findings


def variants(
    events: Events,
    changes: Callable[[str, Any], Iterable[Any]],
    given: Mapping[str, tuple[str, ...]],
) -> Iterator[tuple[str, Events]]:
    """Yield the log with one derived field changed, or one event left out, doubled or moved down.

    ``changes`` gives other values of a field, and ``given`` the fields by event type that no rule
    derives. Each log comes with the name of its change.
    """
    for n, event in enumerate(events):
        for field, value in event.items():
            if field != "type" and field not in given.get(event["type"], ()):
                for other in changes(field, value):
                    if other != value:
                        changed = [*events[:n], event | {field: other}, *events[n + 1 :]]
                        yield f"{n} {event['type']}.{field}: {value!r} to {other!r}", changed
        if n:
            yield f"{n} {event['type']} left out", [*events[:n], *events[n + 1 :]]
            yield f"{n} {event['type']} doubled", [*events[:n], event, *events[n:]]
            if events[n + 1 :]:
                moved = [*events[:n], events[n + 1], event, *events[n + 2 :]]
                yield f"{n} {event['type']} moved down", moved


def unnoticed(folder: Path, changed: Iterable[tuple[str, Events, str]]) -> list[str]:
    """Return the names of the changes whose logs, sealed with their seeds, break no rule."""
    names = {}
    for number, (name, events, seed) in enumerate(changed):
        names[str(factories.write(folder / f"{number}.jsonl", events, seed))] = name
    report = report_on(folder)
    noticed = {finding.path for finding in report.findings} | {u.path for u in report.unread}
    return [name for path, name in names.items() if path not in noticed]


def check_words(finding: Finding) -> None:
    """Check that a finding says what was expected and what was found, and that these differ."""
    assert "None" not in (finding.expected, finding.found), finding
    assert finding.expected != finding.found, finding


class Log(Protocol):
    """One log or several."""

    def write(self, folder: Path) -> None:
        """The sealed logs in a new folder."""
        ...


Change = Callable[[], Log]
C = TypeVar("C", bound=Change)


class Together:
    """Changed logs and clean ones, audited when the first test asks.

    ``games`` says whether the rules of their games run, too.
    """

    def __init__(self, *, games: bool = True) -> None:
        self._games = games
        self.clean: list[Log] = []
        """Logs in which no rule may find anything; many may be the same."""
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
            clean: list[Log] = []
            clean += (log for log in self.clean if log not in clean)
            for n, log in enumerate(clean):
                log.write(place / f"clean{n}")
            report = report_on(place, games=self._games)
        assert not report.unread
        found: dict[str, set[str]] = {}
        for finding in report.findings:
            check_words(finding)
            where = Path(finding.path).relative_to(place).parts[0]
            found.setdefault(where, set()).add(finding.rule.id)
        assert not {where: ids for where, ids in found.items() if where.startswith("clean")}
        self._found = {change: found.get(f"{n}", set()) for n, change in enumerate(self._changes)}
