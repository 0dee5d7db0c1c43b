"""What the verdict on a tournament rests on: what was checked, and what was not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from replay.verify import Verdict
from report.contents import Tournament

WORST_FIRST = (
    *("corrupt", "unsupported", "incomplete", "forged", "diverged"),
    *("imported", "verified"),
)
"""The order in which a tournament takes its verdict from those on its logs."""


def worst(verdicts: Iterable[Verdict]) -> str:
    """The verdict on all logs together."""
    return min((one.verdict for one in verdicts), key=WORST_FIRST.index)


def counts(verdicts: Iterable[Verdict]) -> list[tuple[str, int]]:
    """How often each verdict was given, the worst first."""
    found = Counter(one.verdict for one in verdicts)
    return sorted(found.items(), key=lambda one: WORST_FIRST.index(one[0]))


def checked(found: Tournament) -> list[str]:
    """A sentence for everything that was checked, and came out well."""
    verified = [one for one in found.verdicts if one.verdict == "verified"]
    told = []
    if verified:
        seen = sum(one.events or 0 for one in verified)
        told.append(
            f"{count(len(verified), 'log was', 'logs were')} run again from seed and answers, and "
            f"all {seen:,} events came out as they are recorded, byte for byte."
        )
    own = _own(found)
    if own and own.verdict == "verified":
        if unseen(found) < len(events(found, "match_played")):
            told.append(
                "Every log of a match here that verifies has the seal, the seed, the players, the "
                "settings and the result that the tournament’s own log says."
            )
        told.append(
            "Schedule and final table follow by the rules from the results; the seed is the one "
            "that was committed to before the first match."
        )
    if found.signer and all(one.fine for one in found.verdicts):
        key, origin = found.signer
        told.append(f"All files are those that the key {key} signed for {origin}.")
    return told


def unchecked(found: Tournament) -> list[str]:
    """A sentence for everything that was not checked, or cannot be."""
    told = []
    if any(one.verdict == "imported" for one in found.verdicts):
        told.append(
            "Imported logs say what was seen elsewhere. They have no seed: there is nothing to run "
            "again. The audit checks what of the rules can be seen in them."
        )
    own = _own(found)
    if own is None:
        told.append(
            "The log of the tournament is not here: nothing shows that these are all its matches."
        )
    elif unfinished(found):
        told.append(
            "The tournament has not ended: its seed is not revealed yet, so its schedule was not "
            "checked. `koth resume` goes on with it."
        )
    elif own.verdict == "verified" and (missing := unseen(found)):
        told.append(
            f"{count(missing, 'match was', 'matches were')} not looked at: the results are the "
            "tournament’s own word."
        )
    if not found.signer:
        told.append(_unsigned(found))
    if any(one.verdict == "verified" for one in found.verdicts):
        told.append(
            "No log can show that an answer is what the bot said: `koth reask` asks the bot again. "
            "That a bot was too slow is the referee’s word."
        )
        told.append(
            "Whoever runs a tournament can play it twice and keep one; only the commitment to the "
            "seed, if it was published beforehand, limits that."
        )
    return told


def unfinished(found: Tournament) -> bool:
    """Whether the tournament's own log has no end yet."""
    own = _own(found)
    return own is not None and own.verdict == "incomplete"


def within(found: Tournament, path: str) -> str:
    """A path from where the tournament lies: the page is read in other places too."""
    above = str(PurePath(found.path).parent)
    return path.removeprefix(f"{above}/") if above != "." else path


def events(found: Tournament, type: str) -> list[Mapping[str, Any]]:
    """The events of one type in the tournament's own log."""
    return [event for event in (found.log.events if found.log else []) if event["type"] == type]


def unseen(found: Tournament) -> int:
    """How many matches that the tournament's own log names have no log here."""
    files = {PurePath(one.path).name for one in found.verdicts}
    return sum(f"{event['match']}.jsonl" not in files for event in events(found, "match_played"))


def _unsigned(found: Tournament) -> str:
    if found.signed:
        return (
            "A signed checkpoint lies there; it was not checked, for no key was given. `koth "
            "verify` with `--key` and `--origin` does."
        )
    return "Nobody has signed these files: that nothing was exchanged since is not shown."


def _own(found: Tournament) -> Verdict | None:
    """The verdict on the tournament's own log, if there is one."""
    return next((one for one in found.verdicts if one.path == found.own), None)


def count(number: int, one: str, many: str) -> str:
    """A number with the word for one or for several."""
    return f"{number:,} {one if number == 1 else many}"


def in_pieces(told: Sequence[str]) -> list[list[tuple[bool, str]]]:
    """Each sentence in pieces, which are code or not: what stands between backquotes is."""
    return [[(n % 2 == 1, part) for n, part in enumerate(one.split("`"))] for one in told]
