"""Takes six coins and hands them, unflipped, to the neighbour that has more points."""

import sys

_round, me, _centre, *players = sys.argv[1].split(";")
seats = [player.split("_") for player in players]
place = [seat[0] for seat in seats].index(me)
previous, following = seats[place - 1], seats[(place + 1) % len(seats)]

print("33R" if int(previous[1]) > int(following[1]) else "33T")
