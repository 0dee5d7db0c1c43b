"""The rule ``log/entry_out_of_place``."""

from __future__ import annotations

from tests.audit.contests import event, found
from tests.contests import Events

RULE = "log/entry_out_of_place"


def _double(events: Events, type: str, **fields: object) -> None:
    one = event(events, type, **fields)
    events.insert(events.index(one), dict(one))


def test_entry_out_of_place() -> None:
    """A bot that is entered, revised or withdrawn twice is found; each of them once is clean."""
    assert found(lambda events: None) == set()
    assert found(lambda events: _double(events, "entered", name="cleo")) == {RULE}
    assert found(lambda events: _double(events, "revised")) == {RULE}
    assert found(lambda events: _double(events, "withdrawn")) == {RULE}


def test_change_of_a_bot_that_is_not_in() -> None:
    """A bot that nobody entered is found if it is withdrawn or revised; one that is revised, too,
    if it was withdrawn before, or comes with the files that it has.
    """
    nobody = {"type": "withdrawn", "name": "emil"}
    assert found(lambda events: events.append(nobody)) == {RULE}
    revised = {"type": "revised", "name": "emil", "bot": "e" * 64}
    assert found(lambda events: events.append(revised)) == {RULE}
    again = [{"type": "withdrawn", "name": "dora"}, revised | {"name": "dora"}]
    assert found(lambda events: events.extend(again)) == {RULE}
    same = {"type": "revised", "name": "cleo"}
    assert found(
        lambda log: log.append(same | {"bot": event(log, "entered", name="cleo")["bot"]})
    ) == {RULE}
