"""Import history files of Coup (CP-3 to CP-5): one match per file, with the players in its name.

A history shows the calls, the cards that were given up, and so the winner. It does not show the
hands, the choice in an Exchange, or why a match ended without a winner.

After a forfeit the published arbiter leaves the illegal answer at the end of the history. It is
imported as an illegal answer of the player that was called (CP-17). The player before may have
added it to a legal action instead; the history cannot show that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from games.coup.cards import CLAIMS, GIVE_UP, NAMES
from games.coup.rules import gained, price, question_name, turn_actions
from games.importing.imported import Imported, match_started
from games.importing.source import UnreadableLine, content, fingerprint, is_name, text
from schema import registry
from schema.bot_output import to_fields
from schema.canonical import Event
from schema.errors import UsageError
from schema.scan import short_repr
from schema.words import counted

GIVE_UPS = tuple(GIVE_UP.values())
BLOCKS = "acds"
ANSWERS = {
    "": ("I\n", "F", "E", "T", "A", "C", "S"),
    "F": ("d", "p"),
    "E": ("p", "q"),
    "T": ("p", "q"),
    "S": ("a", "c", "p", "q"),
    "A": ("s", "q", *GIVE_UPS),
    "C": GIVE_UPS,
}
"""CP-5: the actions that can be added to a turn before a block or a challenge."""


def read(paths: Sequence[Path]) -> Imported:
    """Import each history file as a match, in the order of ``paths``.

    Raises UsageError for a file name without two players, and for the first line that is not valid.
    """
    card = registry.card("coup")
    settings = card.settings({}).model_dump()
    contents = [content(path) for path in paths]
    id = fingerprint(contents)
    matches = {}
    illegal = []
    for number, (path, data) in enumerate(zip(paths, contents, strict=True)):
        match = f"1-{number:06}"
        start = match_started(card, id, match, players(path), settings)
        history = read_history(path, data)
        matches[match] = [start, *_events(history, settings["max_calls"])]
        if history.illegal:
            illegal.append(path)
    matches_read = counted(len(paths), "match")
    return Imported(f"{matches_read} of {card.title}", matches, None, _note(illegal))


def _note(illegal: Sequence[Path]) -> str | None:
    """Return a note about the histories that end in an illegal answer, if any do."""
    if not illegal:
        return None
    more = f" and {len(illegal) - 1} more" if len(illegal) > 1 else ""
    return f"{illegal[0]}{more}: ends in an illegal answer; imported as a forfeit (CP-17)."


def players(path: Path) -> tuple[str, str]:
    """Return the names in ``A_B_round_game.txt``, the first player first. Raises UsageError."""
    names = re.fullmatch(r"([^_]+)_([^_]+)_[0-9]+_[0-9]+\.txt", path.name)
    if names is None or names[1] == names[2] or not all(map(is_name, names.groups())):
        raise UsageError(
            f"{path}: expected a file called PLAYER_OTHER_ROUND_GAME.txt, of two players whose "
            f"names have no '_', found {short_repr(path.name)}. Nothing is imported."
        )
    return names[1], names[2]


@dataclass(frozen=True)
class History:
    """The calls of a match, and the illegal answer after them, if any."""

    calls: Sequence[tuple[str, str]]
    """Pairs: the turn so far, and the action that was added to it."""
    line: str
    """The turn after the last call."""
    illegal: bytes


def read_history(path: Path, data: bytes) -> History:
    """Read ``data``, the content of the history at ``path``.

    Raises UnreadableLine if text follows an illegal answer.
    """
    history = text(path, data, end=True)
    calls: list[tuple[str, str]] = []
    line, position = "", 0
    while position < len(history):
        possible = possible_actions(line)
        action = next((text for text in possible if history.startswith(text, position)), None)
        if action is None:
            rest = history[position:]
            if "\n" not in rest[:-1] and _winner(calls) is None:
                return History(calls, line, rest.encode(errors="surrogateescape"))
            number = history.count("\n", 0, position) + 1
            expected = f"{' or '.join(map(short_repr, possible))} after {short_repr(line)}"
            actual = short_repr(history[position : position + 2])
            raise UnreadableLine(path, number, expected, actual)
        calls.append((line, action))
        line = "" if action.endswith("\n") else line + action
        position += len(action)
    if _ends_beyond_the_coins(calls):
        line, action = calls.pop()
        return History(calls, line, action.encode())
    return History(calls, line, b"")


def _ends_beyond_the_coins(calls: Sequence[tuple[str, str]]) -> bool:
    """CP-5, CP-6: return whether the last call alone begins a turn that the coins do not allow.

    The arbiter rejected it. If it had allowed such a turn before, it would not have.
    """
    coins = [1, 1]
    for number, (line, action) in enumerate(calls):
        caller, owner = number % 2, (number - len(line)) % 2
        if not line and action not in turn_actions(coins[caller], coins[1 - caller]):
            return number == len(calls) - 1
        if bill := price(line, action):
            coins[owner] -= bill[1]
        if action.endswith("\n") and (revenue := gained(line + action, coins[1 - owner])):
            coins[owner] += revenue[1]
            if revenue[0] == "steal":
                coins[1 - owner] -= revenue[1]
    return False


def _winner(calls: Sequence[tuple[str, str]]) -> int | None:
    """CP-2, CP-12: return the seat whose opponent lost two cards, if there is one."""
    lost = [0, 0]
    for number, (line, action) in enumerate(calls):
        if action[0] in GIVE_UPS:
            lost[number % 2] += 2 if line in ("Aq^", "Asq") else 1
            if lost[number % 2] >= 2:
                return 1 - number % 2
    return None


def possible_actions(line: str) -> tuple[str, ...]:
    """CP-5: return the actions that can be added to a turn, for any hands and coins."""
    if line in ANSWERS:
        return ANSWERS[line]
    last = line[-1]
    if last in BLOCKS:
        return ("q", "\n")
    challenged_block = line[1] in BLOCKS
    if last == "q":
        end = "" if challenged_block else "\n"
        return (CLAIMS[line[-2]], *(card + end for card in GIVE_UPS))
    if last in NAMES:
        end = "\n" if challenged_block else ""
        return tuple(card + end for card in GIVE_UPS)
    return ("\n",)


def _events(history: History, max_calls: int) -> Iterator[Event]:
    """Yield the calls, strictly in turn (CP-3), and the result as far as they show it."""
    for number, (line, action) in enumerate(history.calls):
        answer = {"ask": question_name(line), "output": "", "appended": action}
        yield {"type": "answered", "seat": number % 2, **answer}
    winner = _winner(history.calls)
    caller = len(history.calls) % 2
    if winner is not None:
        reason = "eliminated"
    elif history.illegal:
        reason, winner = "forfeit", 1 - caller
        fault = {"kind": "illegal", "clause": "CP-17", "penalty": "forfeit"}
        raw = to_fields({"output": b"", "appended": history.illegal})
        yield {"type": "fault", "seat": caller, **fault, "ask": question_name(history.line), **raw}
    else:
        reason = "drawn" if len(history.calls) >= max_calls else "unfinished"
    winners = [] if winner is None else [winner]
    scores = [int(seat in winners) for seat in (0, 1)]
    yield {"type": "match_finished", "reason": reason, "scores": scores, "winners": winners}
