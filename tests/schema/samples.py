"""A small log whose lines the tests know by number, and functions that change its bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from schema import seal
from schema.canonical import line
from tests.factories import BOT, SEED, Events, match_events, scripted, sealed

PATH = Path("spring/matches/1-000000.jsonl")
"""The path of the log in messages; no such file exists."""


def events() -> Events:
    """Return a match of four calls that ends in a draw, without its seal.

    By line: 1 match_started, 2 dealt, 3 answered (Income), 4 coins_moved, 5 answered (Tax), 6
    answered (passed), 7 answered (closed), 8 coins_moved, 9 match_finished; 10 is the seal.
    """
    return match_events(scripted("I\n", "T", "p", "\n"), max_calls=4)


def whole() -> bytes:
    """Return the bytes of the small log."""
    return sealed(events())


def lines() -> list[bytes]:
    """Return the lines of the small log without their LF, and without the seal."""
    return whole().split(b"\n")[:-2]


def sealed_lines(changed: Sequence[bytes], **seal_fields: object) -> bytes:
    """Return these lines with a seal that fits them, and that has ``seal_fields``."""
    data = b"".join(text + b"\n" for text in changed)
    end: dict[str, object] = {
        "type": "match_sealed",
        "seed": SEED,
        "events": len(changed),
        "sha256": seal.hex_digest(data),
    }
    end |= seal_fields
    return data + line(len(changed), {key: end[key] for key in end if end[key] is not None})


def changed_line(number: int, old: bytes, new: bytes) -> bytes:
    """Return the small log with ``old`` replaced in line ``number`` (from 1), sealed again."""
    found = lines()
    assert found[number - 1].count(old) >= 1, f"line {number} has no {old!r}"
    found[number - 1] = found[number - 1].replace(old, new, 1)
    return sealed_lines(found)


def contest_start() -> dict[str, Any]:
    """Return the first event of a contest of Coup."""
    return {
        "type": "contest_started",
        "format": "koth-log/1",
        "game": "coup",
        "rules": "coup/1",
        "contest": "cup",
        "settings": {"rounds": 1, "time_limit_s": 10, "max_calls": 200},
        "plays": "pairings",
        "stages": 10,
        "seed_commitment": seal.commitment(SEED),
    }


def tournament_events() -> Events:
    """Return a tournament of two bots and one round: two matches, 3 points; no seal."""
    names = ("taxman", "miser")
    settings = {"rounds": 1, "time_limit_s": 10, "max_calls": 200}
    played: Events = [
        {
            "type": "match_played",
            "match": f"1-{number:06}",
            "seats": seats,
            "reason": "eliminated",
            "scores": [1, 0],
            "winners": [0],
            "faults": [],
            "seal": seal.hex_digest(b"%d" % number),
        }
        for number, seats in enumerate(([0, 1], [1, 0]))
    ]
    standings = [{"rank": 1, "entrant": n, "score": 1, "games": 2} for n in range(2)]
    return [
        {
            "type": "tournament_started",
            "format": "koth-log/1",
            "game": "coup",
            "rules": "coup/1",
            "tournament": "spring",
            "entrants": [{"entrant": n, "name": name, "bot": BOT} for n, name in enumerate(names)],
            "settings": settings,
            "seed_commitment": seal.commitment(SEED),
        },
        *played,
        {"type": "tournament_finished", "standings": standings},
    ]
