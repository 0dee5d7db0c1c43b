"""Attacks on the order of lines, as they are and sealed again with new numbers."""

from __future__ import annotations

from collections.abc import Callable

from tests.corpus.entries import add, entry
from tests.corpus.honest import GAMES, Honest, plain, resealed
from tests.factories import Events, sealed

COUP = plain("coup")
FROM = {"bank_heist": "bets_closed", "coins": "acted", "coup": "coins_moved"}
"""The event that is moved about, by game; in Smallest Unique it is a round."""


def removed(events: Events, seq: int) -> Events:
    """One event less."""
    return events[:seq] + events[seq + 1 :]


def doubled(events: Events, seq: int) -> Events:
    """One event twice."""
    return events[: seq + 1] + events[seq:]


def swapped(events: Events, seq: int) -> Events:
    """Two events in each other's place."""
    return [*events[: seq - 1], events[seq], events[seq - 1], *events[seq + 1 :]]


def inserted(events: Events, seq: int) -> Events:
    """Insert the same event again, at the end of the match."""
    return [*events[:-1], events[seq], events[-1]]


WAYS: dict[str, tuple[str, Callable[[Events, int], Events]]] = {
    "removed": ("An event is left out", removed),
    "doubled": ("An event stands twice", doubled),
    "swapped": ("Two events changed places", swapped),
    "inserted": ("An event stands a second time near the end", inserted),
}


def of_every_game() -> None:
    """Each way in each game, as it is and sealed again."""
    for game in GAMES:
        log = plain(game)
        seq = 2 if game == "smallest_unique" else log.seq(FROM[game])
        for name, (told, way) in WAYS.items():
            add(
                f"{name}_line_in_{game}",
                f"{told}.",
                "corrupt",
                lambda log=log, seq=seq, way=way: in_place(log, seq, way),
            )
            add(
                f"{name}_line_in_{game}_resealed",
                f"{told}, all are numbered anew and sealed again.",
                "diverged",
                lambda log=log, seq=seq, way=way: sealed(way(log.events, seq), log.seed),
            )


def in_place(log: Honest, seq: int, way: Callable[[Events, int], Events]) -> bytes:
    """The lines of ``log`` moved about as they are."""
    numbers: Events = [{"line": line} for line in log.lines]
    return b"".join(one["line"] for one in way(numbers, seq))


of_every_game()


@entry("corrupt")
def removed_line_resealed_with_a_gap() -> bytes:
    """An event is left out and the rest sealed again, with a number missing."""
    return resealed(b"".join(COUP.lines[:2] + COUP.lines[3:]))


@entry("corrupt")
def swapped_lines_resealed_with_their_numbers() -> bytes:
    """Two events changed places and kept their numbers, sealed again."""
    lines = COUP.lines
    lines[2], lines[3] = lines[3], lines[2]
    return resealed(b"".join(lines))


@entry("corrupt")
def first_line_removed_resealed() -> bytes:
    """The start is left out, all are numbered anew and sealed again."""
    data = sealed([{"type": "match_started"}, *COUP.events[1:]], COUP.seed)
    lines = data.splitlines(keepends=True)[1:]
    renumbered = [
        line.replace(b'{"seq":%d' % (n + 1), b'{"seq":%d' % n) for n, line in enumerate(lines)
    ]
    return resealed(b"".join(renumbered))


@entry("corrupt")
def start_in_the_middle() -> bytes:
    """A second start stands in the middle, sealed again."""
    events = COUP.events
    return sealed([*events[:3], events[0], *events[3:]], COUP.seed)


@entry("corrupt")
def numbered_from_one() -> bytes:
    """The events are numbered from 1, sealed again."""
    lines = COUP.lines
    shifted = [
        line.replace(b'{"seq":%d,' % n, b'{"seq":%d,' % (n + 1)) for n, line in enumerate(lines)
    ]
    return resealed(b"".join(shifted))


@entry("diverged")
def all_between_start_and_result_removed() -> bytes:
    """Nothing is left but start and result, sealed again."""
    events = COUP.events
    return sealed([events[0], events[-1]], COUP.seed)


@entry("diverged")
def result_removed_resealed() -> bytes:
    """The result is left out, sealed again."""
    return sealed(COUP.events[:-1], COUP.seed)


@entry("diverged")
def result_doubled_resealed() -> bytes:
    """The result stands twice, sealed again."""
    events = COUP.events
    return sealed([*events, events[-1]], COUP.seed)


@entry("diverged")
def match_cut_short_resealed() -> bytes:
    """The match is over a few events earlier, with the same result, sealed again."""
    events = COUP.events
    return sealed([*events[:-3], events[-1]], COUP.seed)


@entry("diverged")
def answers_after_the_result() -> bytes:
    """An answer follows the result, sealed again."""
    events = COUP.events
    return sealed([*events, events[2]], COUP.seed)
