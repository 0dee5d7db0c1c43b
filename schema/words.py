"""Words in messages and words that are typed: numbers, and the nearest known name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

NAMED = 5
"""Maximum names in a sentence."""

MAX_NAMES = 10_000
"""Maximum names of a folder that are compared with a mistyped one."""

MAX_DIGITS = 4000
"""Maximum digits of a typed number; Python reads no longer ones."""


EXPECTED = {
    "Input should be": "expected",
    "String should match pattern": "expected text that matches",
    "String should have": "expected text with",
    "List should have": "expected a list with",
    "Tuple should have": "expected a list with",
    "Dictionary should have": "expected an object with",
    " after validation": "",
}
"""Words in messages of pydantic, and those of Koth."""


def typed_number(word: str) -> int | None:
    """Return the number that a word of decimal digits stands for; None for any other word."""
    return int(word) if word.isdecimal() and len(word) <= MAX_DIGITS else None


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 log``, ``2 logs``, ``1,000 matches``."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}{'es' if noun.endswith(('ch', 's', 'x')) else 's'}"


def first_names(names: Sequence[str]) -> str:
    """Return names with commas; of more than NAMED, the first, and how many more there are.

    Sentences about matches join them with words: :func:`games.narration.listed`.
    """
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def ended(sentence: str) -> str:
    """Return a sentence with a full stop, unless it has an end."""
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."


def suggest(wrong: str, known: list[str]) -> str:
    """Return the end of an error about a mistyped name: the nearest name, or all known names."""
    from difflib import get_close_matches

    if close := get_close_matches(wrong, known, n=1, cutoff=0.5):
        return f" Did you mean '{close[0]}'?"
    return f" Available: {', '.join(known)}." if 0 < len(known) <= 20 else ""


def expectation(message: str) -> str:
    """Return a message of pydantic as Koth says it: "expected a valid integer"."""
    message = message.partition(", unable to")[0]
    for theirs, ours in EXPECTED.items():
        message = message.replace(theirs, ours, 1)
    return message


def similar_name(path: Path) -> str:
    """Return the end of an error about a path that does not exist: the nearest in its folder."""
    from difflib import get_close_matches

    try:
        names = [other.name for other in islice(path.parent.iterdir(), MAX_NAMES)]
    except (OSError, ValueError):
        return ""
    others = [name for name in names if name != path.name]  # a link that leads nowhere is there
    close = get_close_matches(path.name, others, n=1)
    return f" Did you mean '{path.parent / close[0]}'?" if close else ""
