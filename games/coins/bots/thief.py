"""Looks three piles to either side, and turns the table until the best of them is its own.

When no pile in reach is better than its own, it flips.
"""

import sys

_round, me, centre, *players = sys.argv[1].split(";")
seats = [[int(number) for number in player.split("_")] for player in players]
place = [seat[0] for seat in seats].index(int(me))
values = [2 * flipped - unflipped for _id, _points, flipped, unflipped in seats]

loot = {"": values[place]}
for steps in (1, 2, 3):
    loot["R" * steps] = values[(place + steps) % len(seats)]
    loot["T" * steps] = values[(place - steps) % len(seats)]

path = max(loot, key=lambda turns: loot[turns])  # the shortest of equally good ones
if path:
    print(path.ljust(3, "F"))
else:
    print("FFF" if seats[place][3] >= 3 or centre == "0" else "3FF")
