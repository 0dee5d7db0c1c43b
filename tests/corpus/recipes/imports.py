"""Imported logs: nothing to re-run, and what is said to be imported and is not."""

from __future__ import annotations

from typing import Any

from tests.corpus.entries import add, entry
from tests.corpus.honest import (
    GAMES,
    holding,
    imported,
    plain,
    resealed,
    sealed_without_seed,
)
from tests.factories import Events, sealed

COUP, COINS, HEIST = plain("coup"), plain("coins"), plain("bank_heist")
TABLE = holding("coins", "match_played", "tournament")


for game in GAMES:
    add(
        f"imported_match_of_{game}",
        "A match was imported: nothing is wrong with it, and nothing can be re-run.",
        "imported",
        lambda game=game: sealed_without_seed(imported(plain(game).events)),
    )


@entry("imported")
def imported_tournament() -> bytes:
    """A final table was imported."""
    return sealed_without_seed(imported(TABLE.events))


@entry("imported")
def imported_result_that_no_rules_lead_to() -> bytes:
    """A match lost its seed, its scores were edited, and it is said to be imported: it is not
    called verified."""
    events = imported(COINS.events)
    events[-1]["scores"].reverse()
    return sealed_without_seed(events)


def seen() -> Events:
    """An imported match of Bank Heist with what a transcript shows."""
    events = imported(HEIST.events)
    heist = {"type": "heist_seen", "number": 0, "seat": 0, "succeeded": 1}
    credits = {"type": "credits_seen", "number": 0, "ranking": [0, 1], "credits": [240, 240]}
    return [*events[:3], heist, credits, *events[3:]]


@entry("imported")
def imported_match_with_events_of_its_own() -> bytes:
    """An imported match of Bank Heist has events that only transcripts have."""
    return sealed_without_seed(seen())


def flipped(type: str) -> bytes:
    """That match with a bit flipped in the first event of a type."""
    lines = sealed_without_seed(seen()).splitlines(keepends=True)
    [seq] = [n for n, line in enumerate(lines) if b'"type":"%b"' % type.encode() in line]
    lines[seq] = lines[seq].replace(b'"number":0', b'"number":1')
    return b"".join(lines)


for type in ("heist_seen", "credits_seen"):
    add(
        f"flipped_bit_in_bank_heist_{type}",
        f"One bit of a number in the {type} of an imported match is flipped.",
        "corrupt",
        lambda type=type: flipped(type),
    )


@entry("diverged")
def events_of_an_import_in_a_match_that_was_played() -> bytes:
    """A match that was played holds an event that only transcripts have."""
    events = HEIST.events
    events.insert(3, {"type": "heist_seen", "number": 0, "seat": 0, "succeeded": 1})
    return sealed(events, HEIST.seed)


def start(change: dict[str, Any]) -> Events:
    """An imported match of Coins with other fields in its start."""
    events = imported(COINS.events)
    events[0] |= change
    return events


@entry("corrupt")
def imported_with_a_seed() -> bytes:
    """An imported match reveals a seed."""
    return sealed(imported(COINS.events), COINS.seed)


@entry("corrupt")
def imported_with_a_commitment() -> bytes:
    """An imported match committed to a seed, and reveals none."""
    committed = COINS.events[0]["seed_commitment"]
    return sealed_without_seed(start({"seed_commitment": committed}))


@entry("corrupt")
def imported_with_seed_and_commitment() -> bytes:
    """A match that could be re-run says that it was imported."""
    committed = COINS.events[0]["seed_commitment"]
    return sealed(start({"seed_commitment": committed}), COINS.seed)


@entry("corrupt")
def imported_with_a_seed_that_is_null() -> bytes:
    """An imported match has a seed that is null."""
    data = sealed_without_seed(imported(COINS.events))
    before, key, after = data.rpartition(b'"events":')
    return before + b'"seed":null,' + key + after


@entry("corrupt")
def imported_from_an_unknown_source() -> bytes:
    """The source of an import is another word."""
    return sealed_without_seed(start({"source": "copied"}))


@entry("corrupt")
def imported_as_true() -> bytes:
    """The source of an import is true."""
    return sealed_without_seed(start({"source": True}))


@entry("incomplete")
def imported_not_sealed() -> bytes:
    """An imported match has no seal."""
    return b"".join(sealed_without_seed(imported(COINS.events)).splitlines(keepends=True)[:-1])


@entry("corrupt")
def imported_with_another_hash() -> bytes:
    """An imported match was edited, and the seal left as it was."""
    data = sealed_without_seed(imported(COINS.events))
    return data.replace(b"player0", b"player9")


@entry("corrupt")
def imported_with_an_unknown_event() -> bytes:
    """An imported match holds an event that its game has not."""
    events = imported(COINS.events)
    return sealed_without_seed([*events[:2], {"type": "seen"}, *events[2:]])


@entry("corrupt")
def imported_winner_that_is_not_there() -> bytes:
    """An imported match was won by nobody who played."""
    events = imported(COINS.events)
    events[-1]["winners"] = [2]
    return sealed_without_seed(events)


@entry("unsupported")
def imported_of_an_unknown_game() -> bytes:
    """An imported match is of a game that is not installed."""
    return sealed_without_seed(start({"game": "poker", "rules": "poker/1"}))


@entry("unsupported")
def imported_in_a_newer_format() -> bytes:
    """An imported match is of the next format."""
    return sealed_without_seed(start({"format": "koth-log/2"}))


@entry("corrupt")
def imported_with_crlf() -> bytes:
    """An imported match has CRLF at every line's end but the last, and a seal that fits."""
    *above, last = sealed_without_seed(imported(COINS.events)).splitlines(keepends=True)
    return resealed(b"".join(line[:-1] + b"\r\n" for line in above) + last)
