"""The rule ``log/versions_look_alike``."""

from __future__ import annotations

from tests.audit.contests import doctored, event, fired
from tests.contests import Events

RULE = "log/versions_look_alike"


def _enter(events: Events, *names: str) -> None:
    events += [{"type": "entered", "name": name, "bot": "e" * 64} for name in names]


def _revise(events: Events, digits: int) -> None:
    bot = str(event(events, "entered", name="dora")["bot"])
    other = bot[:digits] + ("0" if bot[digits] != "0" else "1") * (64 - digits)
    events.append({"type": "revised", "name": "dora", "bot": other})


_OTHER_CASE = doctored(lambda events: _enter(events, "Dora"))
_OTHER_NAME = doctored(lambda events: _enter(events, "dorax"))
_TWELVE_DIGITS = doctored(lambda events: _revise(events, 12))
_ELEVEN_DIGITS = doctored(lambda events: _revise(events, 11))


def test_versions_look_alike() -> None:
    """Names that differ in case only are found, and two versions whose hashes begin alike."""
    assert fired(_OTHER_CASE) == {RULE}
    assert fired(_OTHER_NAME) == set()
    assert fired(_TWELVE_DIGITS) == {RULE}
    assert fired(_ELEVEN_DIGITS) == set()


_OTHER_ENCODING = doctored(lambda events: _enter(events, "Zo\u00e9", "ZOE\u0301"))
_NO_ACCENT = doctored(lambda events: _enter(events, "Zo\u00e9", "Zoe"))


def test_names_with_an_accent_look_alike() -> None:
    """Names that differ in the encoding of an accent are found, and none without the accent."""
    assert fired(_OTHER_ENCODING) == {RULE}
    assert fired(_NO_ACCENT) == set()
