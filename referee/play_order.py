"""Order the matches of a schedule so that all entrants play at about the same pace.

The table of an unfinished tournament is fair if all entrants have played about as many matches. The
rules get the results in the order of the schedule, and a match's seed follows from its id. The logs
therefore do not depend on the order of play.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heapreplace
from itertools import islice

from games.table import Match

LOOK = 1000
"""Maximum number of matches of one entrant to compare, which bounds the time per match."""


def spread(matches: Sequence[Match]) -> Iterator[Match]:
    """Yield all ``matches`` in an order that keeps the entrants' numbers of matches close together.

    The next match belongs to the entrant with the fewest matches, against the opponents with the
    fewest. If several are equal, the first one in ``matches`` counts.
    """
    left: dict[int, dict[int, Match]] = defaultdict(dict)
    """The rest of each entrant's matches, by position in ``matches``."""
    for position, match in enumerate(matches):
        for entrant in match.seats:
            left[entrant][position] = match
    games: Counter[int] = Counter()
    waiting = [(0, entrant) for entrant in left]
    heapify(waiting)
    while waiting:
        known, entrant = waiting[0]
        if known != games[entrant]:
            heapreplace(waiting, (games[entrant], entrant))
        elif left[entrant]:
            position, match = _next(left[entrant], games, known)
            yield match
            for player in {*match.seats}:
                games[player] += 1
                del left[player][position]
        else:
            heappop(waiting)


def _next(left: dict[int, Match], games: Counter[int], fewest: int) -> tuple[int, Match]:
    """Return the match whose seats have played least, with its position."""
    best, least = None, 0
    for position, match in islice(left.items(), LOOK):
        total = sum(games[entrant] for entrant in match.seats)
        if best is None or total < least:
            best, least = (position, match), total
        if total == fewest * len(match.seats):
            break  # nobody has played less
    assert best is not None
    return best
