"""History files of Coup (CP-3 to CP-5): each is a match, its players are in the file's name.

The history says who called what, which cards were given up and so who won; it does not say what
anybody held, what an Exchange chose, or how a match ended that has no winner in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from audit.importing.imported import Imported, match_started
from audit.importing.source import UnreadableLine, fingerprint, is_name, text
from schema import registry
from schema.canonical import Event
from schema.errors import UsageError
from schema.reader import shown

GIVE_UPS = "_'<=0"
SHOWS = "~^*!$"
BLOCKS = "acds"
ANSWERS = {
    "": ("I\n", "F", "E", "T", "A", "C", "S"),
    "F": ("d", "p"),
    "E": ("p", "q"),
    "T": ("p", "q"),
    "S": ("a", "c", "p", "q"),
    "A": ("s", "q", *GIVE_UPS),
    "C": tuple(GIVE_UPS),
}
"""CP-5: what may be added to the line of a turn, before anybody has blocked or challenged."""
CLAIMS = dict(zip("ETASacds", "~$^*~*$!", strict=True))
"""The card that each action and block claims, as its show symbol."""


def read(paths: Sequence[Path]) -> Imported:
    """Each history file as a match, in the order given.

    Raises UsageError for a name without two players, and for the first line that cannot be read.
    """
    card = registry.card("coup")
    settings = card.settings({}).model_dump()
    id = fingerprint(paths)
    matches = {}
    for number, path in enumerate(paths):
        match = f"1-{number:06}"
        start = match_started(card, id, match, players(path), settings)
        matches[match] = [start, *_events(list(calls(path)), int(str(settings["max_calls"])))]
    return Imported(f"{len(paths)} matches of {card.title}", matches, None)


def players(path: Path) -> tuple[str, str]:
    """Who played, the first player first, out of ``A_B_round_game.txt``."""
    found = re.fullmatch(r"([^_]+)_([^_]+)_[0-9]+_[0-9]+\.txt", path.name)
    if found is None or found[1] == found[2] or not all(map(is_name, found.groups())):
        raise UsageError(
            f"{path}: expected a file called PLAYER_OTHER_ROUND_GAME.txt, of two players whose "
            f"names have no '_', found {shown(path.name)}. Nothing is imported."
        )
    return found[1], found[2]


def calls(path: Path) -> Iterator[tuple[str, str]]:
    """Every call: the line so far, and what was added to it."""
    history = text(path)
    line, place = "", 0
    while place < len(history):
        legal = replies(line)
        reply = next((one for one in legal if history.startswith(one, place)), None)
        if reply is None:
            number = history.count("\n", 0, place) + 1
            expected = f"{' or '.join(map(shown, legal))} after {shown(line)}"
            raise UnreadableLine(path, number, expected, shown(history[place : place + 2]))
        yield line, reply
        line = "" if reply.endswith("\n") else line + reply
        place += len(reply)


def replies(line: str) -> tuple[str, ...]:
    """CP-5: what may be added to the line of a turn, whatever the players have."""
    if line in ANSWERS:
        return ANSWERS[line]
    last = line[-1]
    if last in BLOCKS:
        return ("q", "\n")
    challenged_block = line[1] in BLOCKS
    if last == "q":
        end = "" if challenged_block else "\n"
        return (CLAIMS[line[-2]], *(card + end for card in GIVE_UPS))
    if last in SHOWS:
        end = "\n" if challenged_block else ""
        return tuple(card + end for card in GIVE_UPS)
    return ("\n",)


def question(line: str) -> str:
    """What the caller is asked for after a line, as logs name it."""
    if line == "":
        return "turn"
    if line in ANSWERS:
        return "response"
    match line[-1]:
        case "a" | "c" | "d" | "s":
            return "block"
        case "q":
            return "proof"
        case last if last in SHOWS:
            return "loss"
    return "exchange" if line[0] == "E" else "close"


def _events(called: Sequence[tuple[str, str]], max_calls: int) -> Iterator[Event]:
    """The calls, strictly in turn (CP-3), and how it ended, as far as they show it."""
    lost = [0, 0]
    winner = None
    for number, (line, reply) in enumerate(called):
        seat = number % 2
        asked = {"ask": question(line), "output": "", "appended": reply}
        yield {"type": "answered", "seat": seat, **asked}
        if reply[0] in GIVE_UPS:
            lost[seat] += 2 if line in ("Aq^", "Asq") else 1  # CP-12
        if winner is None and lost[seat] >= 2:  # CP-2
            winner = 1 - seat
    if winner is not None:
        reason, winners = "eliminated", [winner]
    else:
        reason, winners = "drawn" if len(called) >= max_calls else "unfinished", []
    scores = [int(seat in winners) for seat in (0, 1)]
    yield {"type": "match_finished", "reason": reason, "scores": scores, "winners": winners}
