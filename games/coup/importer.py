"""History files of Coup (CP-3 to CP-5): each is a match, its players are in the file's name.

The history says who called what, which cards were given up and so who won; it does not say what
anybody held, what an Exchange chose, or how a match ended that has no winner in it.

After a forfeit the published arbiter leaves the illegal answer at the end of the history. Such an
end is imported as an illegal answer of the player whose call it was (CP-17). The history cannot
tell whether the player before had added it to a legal action of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from games.importing.imported import Imported, match_started
from games.importing.source import UnreadableLine, fingerprint, is_name, text
from schema import registry
from schema.bot_output import to_fields
from schema.canonical import Event
from schema.errors import UsageError
from schema.scan import short_repr
from schema.words import counted

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
    illegal = []
    for number, path in enumerate(paths):
        match = f"1-{number:06}"
        start = match_started(card, id, match, players(path), settings)
        history = calls(path)
        matches[match] = [start, *_events(history, int(str(settings["max_calls"])))]
        illegal += [path] if history.illegal else []
    matches_read = counted(len(paths), "match")
    return Imported(f"{matches_read} of {card.title}", matches, None, _note(illegal))


def _note(illegal: Sequence[Path]) -> str | None:
    """Which histories end in an illegal answer."""
    if not illegal:
        return None
    more = f" and {len(illegal) - 1} more" if len(illegal) > 1 else ""
    return f"{illegal[0]}{more}: ends in an illegal answer; imported as a forfeit (CP-17)."


def players(path: Path) -> tuple[str, str]:
    """Who played, the first player first, out of ``A_B_round_game.txt``."""
    found = re.fullmatch(r"([^_]+)_([^_]+)_[0-9]+_[0-9]+\.txt", path.name)
    if found is None or found[1] == found[2] or not all(map(is_name, found.groups())):
        raise UsageError(
            f"{path}: expected a file called PLAYER_OTHER_ROUND_GAME.txt, of two players whose "
            f"names have no '_', found {short_repr(path.name)}. Nothing is imported."
        )
    return found[1], found[2]


@dataclass(frozen=True)
class History:
    """The calls of a match, and the illegal answer after them, if there is one."""

    calls: Sequence[tuple[str, str]]
    """The line so far, and what was added to it."""
    line: str
    """The line after the last call."""
    illegal: bytes


def calls(path: Path) -> History:
    """Read a history. Raises UnreadableLine if it goes on after what cannot be a call."""
    history = text(path, end=True)
    found: list[tuple[str, str]] = []
    line, place = "", 0
    while place < len(history):
        legal = replies(line)
        reply = next((one for one in legal if history.startswith(one, place)), None)
        if reply is None:
            rest = history[place:]
            if "\n" not in rest[:-1] and _winner(found) is None:
                return History(found, line, rest.encode(errors="surrogateescape"))
            number = history.count("\n", 0, place) + 1
            expected = f"{' or '.join(map(short_repr, legal))} after {short_repr(line)}"
            raise UnreadableLine(path, number, expected, short_repr(history[place : place + 2]))
        found.append((line, reply))
        line = "" if reply.endswith("\n") else line + reply
        place += len(reply)
    return History(found, line, b"")


def _winner(called: Sequence[tuple[str, str]]) -> int | None:
    """The seat whose opponent first lost two cards (CP-2, CP-12)."""
    lost = [0, 0]
    for number, (line, reply) in enumerate(called):
        if reply[0] in GIVE_UPS:
            lost[number % 2] += 2 if line in ("Aq^", "Asq") else 1
            if lost[number % 2] >= 2:
                return 1 - number % 2
    return None


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


def _events(history: History, max_calls: int) -> Iterator[Event]:
    """The calls, strictly in turn (CP-3), and how it ended, as far as they show it."""
    for number, (line, reply) in enumerate(history.calls):
        asked = {"ask": question(line), "output": "", "appended": reply}
        yield {"type": "answered", "seat": number % 2, **asked}
    winner = _winner(history.calls)
    caller = len(history.calls) % 2
    if winner is not None:
        reason = "eliminated"
    elif history.illegal:
        reason, winner = "forfeit", 1 - caller
        fault = {"kind": "illegal", "clause": "CP-17", "penalty": "forfeit"}
        wrote = to_fields({"output": b"", "appended": history.illegal})
        yield {"type": "fault", "seat": caller, **fault, "ask": question(history.line), **wrote}
    else:
        reason = "drawn" if len(history.calls) >= max_calls else "unfinished"
    winners = [] if winner is None else [winner]
    scores = [int(seat in winners) for seat in (0, 1)]
    yield {"type": "match_finished", "reason": reason, "scores": scores, "winners": winners}
