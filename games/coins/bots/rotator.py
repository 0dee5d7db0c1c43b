"""Flips its coins, but turns the table when a neighbour's pile brings more than a flip.

A pile scores when it comes, and once more at the end, where the pile given away would have scored.
"""

import sys

FLIP = 5  # what a flip is worth: 2 points now, and 3 at the end

_round, me, centre, *players = sys.argv[1].split(";")
seats = [[int(number) for number in player.split("_")] for player in players]
place = [seat[0] for seat in seats].index(int(me))
own, previous, following = seats[place], seats[place - 1], seats[(place + 1) % len(seats)]


def value(seat: list[int]) -> int:
    """Return what a pile scores when it is counted."""
    _id, _points, flipped, unflipped = seat
    return 2 * flipped - unflipped


pile, action = max((following, "R"), (previous, "T"), key=lambda offer: value(offer[0]))

if 2 * value(pile) - value(own) > FLIP:
    print(action + ("FF" if pile[3] >= 2 or centre == "0" else "3F"))
else:
    print("FFF" if own[3] >= 3 or centre == "0" else "3FF")
