"""Each changed field that the rules derive is a finding, for all such fields of some logs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.table import Fault
from tests.audit.doctored_logs import Doctored, ending, failing, turn
from tests.audit.together import unnoticed, variants
from tests.factories import answer

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


def test_every_change_is_found(tmp_path: Path) -> None:
    """Each changed and freshly sealed log breaks a rule, or can no longer be read."""
    changed = [
        (name, events, log.seed)
        for log in logs()
        for name, events in variants(log.events, changes, WORD_OF_OTHERS)
    ]
    assert len(changed) > 500
    assert unnoticed(tmp_path, changed) == []
