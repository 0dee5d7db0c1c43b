"""The rule ``log/versions_look_alike``."""

from __future__ import annotations

from tests.audit.contests import event, found
from tests.contests import Events

RULE = "log/versions_look_alike"


def _enter(events: Events, name: str) -> None:
    events.append({"type": "entered", "name": name, "bot": "e" * 64})


def _revise(events: Events, digits: int) -> None:
    bot = str(event(events, "entered", name="dora")["bot"])
    other = bot[:digits] + ("0" if bot[digits] != "0" else "1") * (64 - digits)
    events.append({"type": "revised", "name": "dora", "bot": other})


def test_versions_look_alike() -> None:
    """Names that differ in case only are found, and two versions whose hashes begin alike."""
    assert found(lambda events: _enter(events, "Dora")) == {RULE}
    assert found(lambda events: _enter(events, "dorax")) == set()
    assert found(lambda events: _revise(events, 12)) == {RULE}
    assert found(lambda events: _revise(events, 11)) == set()


def _enter_zoe(events: Events, other: str) -> None:
    _enter(events, "Zo\u00e9")
    _enter(events, other)


def test_names_with_an_accent_look_alike() -> None:
    """Names that differ in the encoding of an accent are found, and none without the accent."""
    assert found(lambda events: _enter_zoe(events, "ZOE\u0301")) == {RULE}
    assert found(lambda events: _enter_zoe(events, "Zoe")) == set()
