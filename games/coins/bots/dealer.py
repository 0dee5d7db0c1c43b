"""Takes no coins, and sells to the centre what others push on it unflipped."""

import sys

_round, me, _centre, *players = sys.argv[1].split(";")
seats = [player.split("_") for player in players]
_id, _points, _flipped, unflipped = next(seat for seat in seats if seat[0] == me)

print("NNN" if unflipped == "0" else "CCC")
