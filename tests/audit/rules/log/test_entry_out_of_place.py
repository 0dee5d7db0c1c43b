"""The rule ``log/entry_out_of_place``."""

from __future__ import annotations

from tests.audit.contests import doctored, event, fired
from tests.contests import Events

RULE = "log/entry_out_of_place"


def _double(events: Events, type: str, **fields: object) -> None:
    one = event(events, type, **fields)
    events.insert(events.index(one), dict(one))


_AS_HELD = doctored(lambda events: None)
_ENTERED_TWICE = doctored(lambda events: _double(events, "entered", name="cleo"))
_REVISED_TWICE = doctored(lambda events: _double(events, "revised"))
_WITHDRAWN_TWICE = doctored(lambda events: _double(events, "withdrawn"))


def test_entry_out_of_place() -> None:
    """A bot that is entered, revised or withdrawn twice is found; each of them once is clean."""
    assert fired(_AS_HELD) == set()
    assert fired(_ENTERED_TWICE) == {RULE}
    assert fired(_REVISED_TWICE) == {RULE}
    assert fired(_WITHDRAWN_TWICE) == {RULE}


def _revised(name: str, bot: object = "e" * 64) -> dict[str, object]:
    return {"type": "revised", "name": name, "bot": bot}


@doctored
def _revised_to_the_same(events: Events) -> None:
    events.append(_revised("cleo", event(events, "entered", name="cleo")["bot"]))


_WITHDRAWN_NOBODY = doctored(lambda events: events.append({"type": "withdrawn", "name": "emil"}))
_REVISED_NOBODY = doctored(lambda events: events.append(_revised("emil")))
_REVISED_AFTER_WITHDRAWN = doctored(
    lambda events: events.extend([{"type": "withdrawn", "name": "dora"}, _revised("dora")])
)


def test_change_of_a_bot_that_is_not_in() -> None:
    """A bot that nobody entered is found if it is withdrawn or revised; one that is revised, too,
    if it was withdrawn before, or comes with the files that it has.
    """
    assert fired(_WITHDRAWN_NOBODY) == {RULE}
    assert fired(_REVISED_NOBODY) == {RULE}
    assert fired(_REVISED_AFTER_WITHDRAWN) == {RULE}
    assert fired(_revised_to_the_same) == {RULE}
