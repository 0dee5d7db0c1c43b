"""The order in which the matches of a schedule are played, so that nobody is far ahead of others.

Results go to the rules in the order of the schedule, and a match's seed follows from its id, so the
logs do not depend on the order of play. A tournament that is not over has a fair table if all have
played about as many matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heapreplace
from itertools import islice

from games.table import Match

LOOK = 1000
"""How many matches of one entrant are compared, at most, so that long schedules take no longer."""


def spread(matches: Sequence[Match]) -> Iterator[Match]:
    """Give all ``matches`` in an order that keeps the entrants' numbers of matches close together.

    The next match is always one of the entrant that has played least, against those that have
    played least of its opponents; of equals the first in ``matches``.
    """
    left: dict[int, dict[int, Match]] = defaultdict(dict)
    """What each entrant has still to play, by place in ``matches``."""
    for place, match in enumerate(matches):
        for entrant in match.seats:
            left[entrant][place] = match
    games: Counter[int] = Counter()
    waiting = [(0, entrant) for entrant in left]
    heapify(waiting)
    while waiting:
        known, entrant = waiting[0]
        if known != games[entrant]:
            heapreplace(waiting, (games[entrant], entrant))
        elif left[entrant]:
            place, match = _next(left[entrant], games, known)
            yield match
            for one in {*match.seats}:
                games[one] += 1
                del left[one][place]
        else:
            heappop(waiting)


def _next(left: dict[int, Match], games: Counter[int], fewest: int) -> tuple[int, Match]:
    """Of the matches that are ``left`` the one whose seats have played least, with its place."""
    best, least = None, 0
    for place, match in islice(left.items(), LOOK):
        total = sum(games[entrant] for entrant in match.seats)
        if best is None or total < least:
            best, least = (place, match), total
        if total == fewest * len(match.seats):
            break  # nobody has played less
    assert best is not None
    return best
