"""Each changed field that the rules derive is a finding, for all such fields of some logs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.table import Fault
from tests import factories
from tests.audit.doctored_logs import Doctored, ending, failing, turn
from tests.audit.together import report_on
from tests.factories import Events, answer

CARDS = "~^*!$"
WORDS = {
    "cause": ("income", "foreign_aid", "tax", "steal", "coup", "assassination", "false_claim"),
    "reason": ("eliminated", "drawn", "forfeit", "agreed"),
    "ask": ("turn", "response", "block", "proof", "loss", "exchange", "close", "other"),
}
WORD_OF_OTHERS = {
    "match_started": ("tournament", "match", "players", "settings", "game", "rules", "format"),
    "answered": ("appended", "output"),
    "fault": ("appended", "output", "file", "kind"),
}
"""Values of a single log from elsewhere: its tournament, the bots, and the referee's clock."""


def logs() -> Iterator[Doctored]:
    """Matches with every kind of event."""
    yield turn("Ep\n")
    yield ending("Sq\\*[_'<=0]")
    yield ending("Asq[_'<=0]")
    yield failing(Fault("crash"))
    yield failing(answer("X"))


def changes(field: str, value: Any) -> Iterator[Any]:
    """Other values of the same type."""
    if field in WORDS:
        yield from (word for word in WORDS[field] if word != value)
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, list):
        for n, one in enumerate(value):
            yield from ([*value[:n], other, *value[n + 1 :]] for other in changes("", one))
        yield [*value, *value[:1]] if value else [0]
    elif value and set(value) <= set(CARDS):
        yield from (value[:n] + value[n + 1 :] for n in range(len(value)))
        yield from (CARDS[CARDS.index(value[0]) - 1] + value[1:], value + "~")
        if value != value[::-1]:
            yield value[::-1]
    else:
        yield "0" * 64 if len(value) == 64 else value + "~"


def variants(events: Events) -> Iterator[tuple[str, Events]]:
    """The log with one derived field changed, or one event left out, doubled or moved down."""
    for n, event in enumerate(events):
        for field, value in event.items():
            if field != "type" and field not in WORD_OF_OTHERS.get(event["type"], ()):
                for other in changes(field, value):
                    changed = [*events[:n], event | {field: other}, *events[n + 1 :]]
                    yield f"{n} {event['type']}.{field}: {value!r} to {other!r}", changed
        if n:
            yield f"{n} {event['type']} left out", [*events[:n], *events[n + 1 :]]
            yield f"{n} {event['type']} doubled", [*events[:n], event, *events[n:]]
            if events[n + 1 :]:
                moved = [*events[:n], events[n + 1], event, *events[n + 2 :]]
                yield f"{n} {event['type']} moved down", moved


def test_every_change_is_found(tmp_path: Path) -> None:
    """Each changed and freshly sealed log breaks a rule, or can no longer be read."""
    told: dict[str, str] = {}
    for log in logs():
        for what, events in variants(log.events):
            name = f"{len(told)}.jsonl"
            factories.write(tmp_path / name, events, log.seed)
            told[name] = what
    report = report_on(tmp_path)
    noticed = {finding.path for finding in report.findings} | {u.path for u in report.unread}
    assert len(told) > 500
    assert [what for name, what in told.items() if str(tmp_path / name) not in noticed] == []
