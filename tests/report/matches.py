"""Matches for the tests of pages: their logs, their timelines, and what an audit said of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from games.table import Ask, Fault, Reply
from replay import timeline
from report import match
from tests.factories import Events, at_random, match_events, printed, write

HOSTILE = "</script><script>document.title='caught'</script>\u202e\u2028\x1b[31m \n"
NAMES = ["<img\u00adonerror=alert(1)>", "<script><!--", "{{7*7}}\u202ehtok", "player3"]
CLEAN: dict[str, Any] = {"rules": ["coins/garbage"], "findings": [], "unread": []}
"""The report of an audit without findings (koth-audit/1)."""


def finding(seq: int | None) -> dict[str, Any]:
    """An audit that found something at an event."""
    found = {
        "rule": "coins/garbage",
        "clause": "CN-7",
        "severity": "error",
        "sentence": "Something is wrong.",
        "seq": seq,
        "expected": "NNN",
        "found": HOSTILE,
    }
    return CLEAN | {"findings": [found]}


def hostile() -> Events:
    """A match of Coins with bots that write what no page should act on, and names of that kind."""
    calls = 0
    otherwise = at_random(random.Random(3))

    def play(ask: Ask) -> Reply:
        nonlocal calls
        calls += 1
        if calls % 7 == 0:
            return printed(HOSTILE)
        if calls % 11 == 0:
            return printed(b"\xff\xfe<b>")
        if calls % 13 == 0:
            return Fault("timeout")
        reply: Reply = otherwise(ask)
        return reply

    events = match_events(play, game="coins", players=4)
    for player, name in zip(events[0]["players"], NAMES, strict=True):
        player["name"] = name
    return events


def with_a_forged_fault(events: Events, **fields: Any) -> Events:
    """The same events with other values in the first fault."""
    at = next(seq for seq, event in enumerate(events) if event["type"] == "fault")
    return [*events[:at], events[at] | fields, *events[at + 1 :]]


def page_of(log: Path, audit: dict[str, Any] = CLEAN) -> str:
    """The page of the match with this log."""
    found = timeline.read(log)
    assert found.verdict is not None
    return match.page(found, found.verdict, audit)


def hostile_page(folder: Path) -> Path:
    """The page of the hostile match in a file, with the referee's notes and a finding."""
    log = write(folder / "log.jsonl", hostile())
    (folder / "evidence").mkdir()
    (folder / "evidence" / "log.jsonl").write_text(
        '{"format":"koth-evidence/1","host":"<b>here"}\n'
        '{"seq":14,"seat":2,"ask":"turn","ms":1.5,"stderr":"</script>oops\\n  at\\u001b"}\n'
    )
    page = folder / "page.html"
    page.write_text(page_of(log, finding(20)))
    return page
