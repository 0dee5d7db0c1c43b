"""Attacks on mirrored tournaments: matches that should share their dice do not, or the reverse."""

from __future__ import annotations

from tests.corpus.entries import Files, entry
from tests.corpus.honest import TOURNAMENT, Honest, plain, restarted, tournament
from tests.factories import loads, sealed

RULES = "coup/2"


def claimed(files: Files, mirrored: int, dice: bool) -> Files:
    """``files`` with another setting in all logs, sealed again.

    With ``dice`` the tournament's log says that the second match of each pair shares its dice.
    """
    own = Honest(files[TOURNAMENT])
    events = own.events
    events[0]["settings"]["mirrored"] = mirrored
    changed = dict(files)
    for number, event in enumerate(events[1:-1]):
        path = f"matches/{event['match']}.jsonl"
        log = Honest(files[path])
        changed[path] = restarted(log, settings=log.events[0]["settings"] | {"mirrored": mirrored})
        event["seal"] = loads(changed[path])[-1]["sha256"]
        event.pop("dice", None)
        if dice and number % 2:
            shared = {"dice": events[number]["match"]}
            events[number + 1] = {**dict(list(event.items())[:2]), **shared, **event}
    return changed | {TOURNAMENT: sealed(events, own.seed)}


def honest(mirrored: int) -> Files:
    """A tournament that verifies."""
    return tournament(RULES, mirrored=mirrored)


@entry({})
def honest_mirrored_tournament() -> Files:
    """Nothing was done to this tournament, in which both matches of a pair have the same dice."""
    return honest(1)


@entry({})
def honest_tournament_that_is_not_mirrored() -> Files:
    """Nothing was done to this tournament, in which each match has its own dice."""
    return honest(0)


@entry({TOURNAMENT: "diverged"})
def mirrored_without_shared_dice() -> Files:
    """A tournament claims to be mirrored, but each match has its own dice."""
    return claimed(honest(0), 1, dice=False)


@entry({TOURNAMENT: "forged"})
def mirrored_with_shared_dice_that_were_not_used() -> Files:
    """A mirrored tournament names shared dice, but each match was played with its own."""
    return claimed(honest(0), 1, dice=True)


@entry({TOURNAMENT: "diverged"})
def shared_dice_in_a_tournament_that_is_not_mirrored() -> Files:
    """The second match of each pair has the dice of the first, against the settings."""
    return claimed(honest(1), 0, dice=True)


@entry({TOURNAMENT: "forged"})
def shared_dice_concealed() -> Files:
    """The matches of a pair share their dice, but the tournament's log and settings deny it."""
    return claimed(honest(1), 0, dice=False)


@entry("corrupt")
def older_rules_renamed() -> bytes:
    """A match of coup/1 says that it was played under coup/2, whose setting it lacks."""
    return restarted(plain("coup"), rules=RULES)
