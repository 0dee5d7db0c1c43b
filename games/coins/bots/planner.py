"""Thinks all 2,744 turns through, and plays the one that leaves it furthest ahead.

It counts as if the game were over after its turn, and thinks no further.
"""

import sys

# The coins in the centre; every player's flipped and unflipped coins, and points; we come first.
Pile = tuple[int, int]
Table = tuple[int, list[Pile], list[int]]

_round, me, centre, *players = sys.argv[1].split(";")
seats = [[int(number) for number in player.split("_")] for player in players]
place = [seat[0] for seat in seats].index(int(me))
seats = seats[place:] + seats[:place]


def carry_out(action: str, table: Table) -> Table:
    """Return the table after an action of ours."""
    centre, piles, points = table
    if action in "RT":
        piles = piles[1:] + piles[:1] if action == "R" else piles[-1:] + piles[:-1]
        points = [own + 2 * up - down for own, (up, down) in zip(points, piles, strict=True)]
        return centre, piles, points
    up, down = piles[0]
    gain = 0
    if action in "123":
        coins = min(int(action), centre)
        centre, down, gain = centre - coins, down + coins, -coins
    elif action in "ABC":
        coins = min("ABC".index(action) + 1, down)
        centre, down, gain = centre + coins, down - coins, coins
    elif action in "XYZ":
        down -= min("XYZ".index(action) + 1, down)
    elif action == "F" and down:
        up, down, gain = up + 1, down - 1, 2
    elif action == "U" and up:
        up, down, gain = up - 1, down + 1, -2
    return centre, [(up, down), *piles[1:]], [points[0] + gain, *points[1:]]


def lead(table: Table) -> int:
    """Return how far we are ahead of the best other, all coins counted."""
    _centre, piles, points = table
    own, *others = (one + 2 * up - down for one, (up, down) in zip(points, piles, strict=True))
    return own - max(others)


def best(table: Table, actions: int) -> tuple[int, str]:
    """Return the lead after the best plan of so many actions, and the plan."""
    if not actions:
        return lead(table), ""
    plans = []
    for action in "N123ABCXYZFURT":
        reached, plan = best(carry_out(action, table), actions - 1)
        plans.append((reached, action + plan))
    return max(plans)


piles = [(flipped, unflipped) for _id, _points, flipped, unflipped in seats]
print(best((int(centre), piles, [seat[1] for seat in seats]), 3)[1])
